// SPDX-License-Identifier: MIT
// The processor of the emulated Pico: rp2040js' own, with each of the 65536 opcodes decoded once, SRAM and flash reached by a short way,
// and waits where the flash cache does not hold what it reads. What is executed again and again is translated, see translation.mjs.
// For every instruction rp2040js asks up to 80 questions in a row: which one is it? Here its chain of questions is asked beforehand, and
// what it would do is a function each, found by the opcode. The functions are its own text: a run is the same to the nanosecond.
import { FLASH, SRAM, SRAM_SIZE } from './block.mjs';

const { RP2040 } = await import(process.env.RP2040JS);

const Plain = new RP2040().core.constructor;
const SRAM_END = SRAM + SRAM_SIZE;
const FLASH_END = 0x14000000;  // the chip's 16 MiB, four times
const HOT = 250;  // so often is the beginning of a block interpreted; of 20 to 250 a start was quickest with this
const FAR = 0x3fffffff;  // cycles, where no alarm is set

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
  /** cache: in front of the flash, or null; translation: of the program, and the memory for both.
   *  `stalled`: cycles that were waited for the cache and nobody has counted yet */
  constructor(rp, cache, translation) {
    super(rp);
    this.cache = cache;
    this.translation = translation;
    translation.core = this;
    this.stalled = 0;
    this.cycleNanos = 1e9 / rp.clkSys;
    rp.addClockListener?.((hz) => { this.cycleNanos = 1e9 / hz; this.seen = NaN; });
    this.base = this.ticks = 0;  // the clock as it was read, and cycles since then
    this.seen = NaN;  // the clock as it was left: another one has been moved on by somebody else
    this.heat = translation.heat;
    ({ registers: this.registers, sram: this.sram, sram16: this.sram16, sram32: this.sram32 } = translation);
    ({ flash: this.flash, flash16: this.flash16, flash32: this.flash32 } = translation);
    this.registers.fill(0);
  }

  /** execute one instruction, or blocks of at most so many, and let the clock go on; -> how many it was */
  step(most) {
    const pc = this.registers[15] & ~1;
    if (!this.interruptsUpdated && this.stalled === 0 && this.translation.has(pc)) {
      const place = (pc - FLASH) >> 1;
      if (this.heat[place] === HOT) {
        const done = this.runBlocks(most);
        if (done) return done;
      } else if (++this.heat[place] === HOT) this.translation.want(pc);
    }
    const cycles = this.executeInstruction();
    const { clock } = this.rp2040;
    this.readClock();
    this.ticks += cycles + this.stalled;
    this.stalled = 0;
    const then = this.base + this.ticks * this.cycleNanos;
    if (clock.nextAlarm !== null && clock.nextAlarm.nanos <= then) { clock.tick(then - clock.nanosCounter); this.seen = NaN; }
    else clock.nanosCounter = this.seen = then;
    return 1;
  }

  runBlocks(most) {
    const { passed, carries } = this.translation, { nextAlarm } = this.rp2040.clock;
    this.readClock();
    const limit = nextAlarm === null ? FAR : Math.min(FAR, Math.floor((nextAlarm.nanos - this.base) / this.cycleNanos) - 2) | 0;
    if (limit - this.ticks < 10 || (this.N && this.Z)) return 0;  // an alarm is near; both are never set, but by whoever writes them
    passed[2] = 0;
    passed[3] = this.Z ? 0 : this.N ? -1 : 1;
    carries[0] = this.C;
    carries[1] = this.V;
    this.translation.begin(this.ticks, limit, most);
    this.cycles += passed[0] - this.ticks - passed[2];
    this.ticks = passed[0];
    this.N = passed[3] < 0;
    this.Z = passed[3] === 0;
    this.C = carries[0] !== 0;
    this.V = carries[1] !== 0;
    this.seen = this.wind(this.ticks);
    return most - passed[1];
  }

  readClock() {
    const { nanosCounter } = this.rp2040.clock;
    if (nanosCounter !== this.seen || this.ticks > FAR >> 1) { this.base = nanosCounter; this.ticks = 0; }
  }

  /** the clock is at so many cycles */
  wind(ticks) { return (this.rp2040.clock.nanosCounter = this.base + ticks * this.cycleNanos); }

  /** what a block reads and writes of the peripherals, after so many cycles */
  peek(address, ticks) { this.wind(ticks); return this.rp2040.readUint32(address); }

  poke(address, value, ticks) { this.wind(ticks); this.rp2040.writeUint32(address, value); }

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
