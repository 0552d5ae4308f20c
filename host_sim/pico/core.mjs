// SPDX-License-Identifier: MIT
// The processor of the emulated Pico: rp2040js' own, with each of the 65536 opcodes decoded once, SRAM and flash reached by a short way,
// and waits where the flash cache does not hold what it reads.
// For every instruction rp2040js asks up to 80 questions in a row: which one is it? Here its chain of questions is asked beforehand, and
// what it would do is a function each, found by the opcode. The functions are its own text: a run is the same to the nanosecond.
const { RP2040 } = await import(process.env.RP2040JS);

const Plain = new RP2040().core.constructor;
const SRAM = 0x20000000, SRAM_END = 0x20042000;
const FLASH = 0x10000000, FLASH_END = 0x14000000;  // the chip's 16 MiB, four times

const PARTS = /^ {8}(?:else )?(?:if \((.+)\) )?\{\n([\s\S]*?)^ {8}\}$/gm;  // a question (none: all that is left), and what to do
const NAMES = {  // what the text takes from around it
  signExtend8: (value) => (value << 24) >> 24,
  signExtend16: (value) => (value << 16) >> 16,
  spRegister: 13,
  pcRegister: 15,
  LOG_NAME: 'CortexM0Core',
};
const isWide = (opcode) => opcode >> 12 === 0b1111 || opcode >> 11 === 0b11101;

/** -> the function of each opcode: (opcode, where it is) -> cycles, called on a core */
function decoded(text) {
  const parts = [...text.slice(text.indexOf('let deltaCycles = 1;')).matchAll(PARTS)].map(([, question, action]) => ({ question, action }));
  if (parts.length < 70 || parts.at(-1).question !== undefined) throw new Error('core.mjs does not understand this rp2040js');
  const compile = (action) => new Function(...Object.keys(NAMES), `return function (opcode, opcodePC) {
    let deltaCycles = 1, opcode2 = 0;
    ${action}
    return deltaCycles;
  }`)(...Object.values(NAMES));
  const left = parts.pop().action;
  const asksMore = ({ question }) => question.includes('opcode2');  // for the second half of a wide instruction
  const narrow = parts.filter((part) => !asksMore(part)).map(({ question, action }) => ({ is: new Function('opcode', `return ${question};`), run: compile(action) }));
  const wide = compile('opcode2 = this.readUint16(opcodePC + 2);\n'
    + parts.filter(asksMore).map(({ question, action }) => `if (${question}) {${action}} else `).join('') + `{${left}}`);
  const unknown = compile(left);
  return Array.from({ length: 0x10000 }, (_, opcode) => {
    const found = narrow.find(({ is }) => is(opcode));
    if (found && isWide(opcode)) throw new Error(`core.mjs: opcode ${opcode.toString(16)} is of two kinds`);
    return isWide(opcode) ? wide : found?.run ?? unknown;
  });
}
const ACTIONS = decoded(Plain.prototype.executeInstruction.toString());

export class Core extends Plain {
  /** cache: in front of the flash, or null. `stalled`: cycles that were waited for it and nobody has counted yet */
  constructor(rp, cache) {
    super(rp);
    this.cache = cache;
    this.stalled = 0;
    this.sram = rp.sram;
    this.sram16 = new Uint16Array(rp.sram.buffer);
    this.sram32 = new Uint32Array(rp.sram.buffer);
    this.flash = rp.flash;
    this.flash16 = new Uint16Array(rp.flash.buffer);
    this.flash32 = new Uint32Array(rp.flash.buffer);
  }

  executeInstruction() {
    if (this.interruptsUpdated && this.checkForInterrupts()) this.waiting = false;
    const { registers } = this;
    const opcodePC = registers[15] & ~1;
    const opcode = this.readUint16(opcodePC);
    registers[15] += 2;
    const cycles = ACTIONS[opcode].call(this, opcode, opcodePC);
    this.cycles += cycles;
    return cycles;
  }

  readUint32(address) {
    address >>>= 0;
    if ((address & 3) === 0) {
      if (address >= SRAM && address < SRAM_END) return this.sram32[(address - SRAM) >> 2];
      if (address >= FLASH && address < FLASH_END) {
        if (this.cache !== null) this.stalled += this.cache.wait(address);
        return this.flash32[(address & 0xffffff) >> 2];
      }
    }
    return this.rp2040.readUint32(address);
  }

  readUint16(address) {
    address >>>= 0;
    if ((address & 1) === 0) {
      if (address >= FLASH && address < FLASH_END) {
        if (this.cache !== null) this.stalled += this.cache.wait(address);
        return this.flash16[(address & 0xffffff) >> 1];
      }
      if (address >= SRAM && address < SRAM_END) return this.sram16[(address - SRAM) >> 1];
    }
    return this.rp2040.readUint16(address);
  }

  readUint8(address) {
    address >>>= 0;
    if (address >= SRAM && address < SRAM_END) return this.sram[address - SRAM];
    if (address >= FLASH && address < FLASH_END) {
      if (this.cache !== null) this.stalled += this.cache.wait(address);
      return this.flash[address & 0xffffff];
    }
    return this.rp2040.readUint8(address);
  }

  writeUint32(address, value) {
    address >>>= 0;
    if (address >= SRAM && address < SRAM_END && (address & 3) === 0) this.sram32[(address - SRAM) >> 2] = value;
    else this.rp2040.writeUint32(address, value);
  }

  writeUint16(address, value) {
    address >>>= 0;
    if (address >= SRAM && address < SRAM_END && (address & 1) === 0) this.sram16[(address - SRAM) >> 1] = value;
    else this.rp2040.writeUint16(address, value);
  }

  writeUint8(address, value) {
    address >>>= 0;
    if (address >= SRAM && address < SRAM_END) this.sram[address - SRAM] = value;
    else this.rp2040.writeUint8(address, value);
  }
}
