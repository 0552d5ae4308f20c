// SPDX-License-Identifier: MIT
// The processor of the emulated Pico: rp2040js' Cortex-M0+ with each of the 65536 opcodes decoded
// once, direct access to SRAM and flash, and waits where the flash cache misses. rp2040js tests an
// instruction against a chain of up to 80 conditions each time; here the chain is evaluated in
// advance and the action is looked up by opcode. The actions are compiled from rp2040js' own source
// text, so a run is the same to the nanosecond. Hot code is translated to WebAssembly, see jit/.
import { MISS } from "./flash_cache.mjs";
import { FLASH, SRAM, SRAM_SIZE } from "./jit/block.mjs";

const { RP2040 } = await import(process.env.RP2040JS);

const CortexM0Core = new RP2040().core.constructor;
const SRAM_END = SRAM + SRAM_SIZE;
const FLASH_END = 0x14000000; // 16 MiB, visible four times
// How often the start of a block is interpreted before it is translated. The firmware boots
// fastest with 250, of 20 to 250.
const HOT = 250;
// A block that cannot run, mostly because its first instruction accesses a peripheral, is interpreted
// this often until it is tried again.
const TRIED_AGAIN = 16;
const NO_ALARM = 0x3fffffff; // cycles
const SIO = 0xd0000000;
const PPB = 0xe0000000;

// A condition (none for the last part, the rest) and its action.
const PARTS = /^ {8}(?:else )?(?:if \((.+)\) )?\{\n([\s\S]*?)^ {8}\}$/gm;
// What the source text refers to outside of itself.
const NAMES = {
  signExtend8: (value) => (value << 24) >> 24,
  signExtend16: (value) => (value << 16) >> 16,
  spRegister: 13,
  pcRegister: 15,
  LOG_NAME: "CortexM0Core",
};
const isWide = (opcode) => opcode >> 12 === 0b1111 || opcode >> 11 === 0b11101;

/** The action of each opcode: a method of a core, (opcode, its address) -> cycles. */
function decodedActions(text) {
  const parts = [...text.slice(text.indexOf("let deltaCycles = 1;")).matchAll(PARTS)].map(
    ([, condition, action]) => ({ condition, action }),
  );
  if (parts.length < 70 || parts.at(-1).condition !== undefined)
    throw new Error("cpu.mjs does not understand this rp2040js");
  const compile = (action) =>
    new Function(
      ...Object.keys(NAMES),
      `return function (opcode, opcodePC) {
    let deltaCycles = 1, opcode2 = 0;
    ${action}
    return deltaCycles;
  }`,
    )(...Object.values(NAMES));
  const otherwise = parts.pop().action;
  const isOfWide = ({ condition }) => condition.includes("opcode2"); // its second half-word
  const narrow = parts
    .filter((part) => !isOfWide(part))
    .map(({ condition, action }) => ({
      matches: new Function("opcode", `return ${condition};`),
      run: compile(action),
    }));
  const wide = compile(
    "opcode2 = this.readUint16(opcodePC + 2);\n" +
      parts
        .filter(isOfWide)
        .map(({ condition, action }) => `if (${condition}) {${action}} else `)
        .join("") +
      `{${otherwise}}`,
  );
  const unknown = compile(otherwise);
  return Array.from({ length: 0x10000 }, (_, opcode) => {
    const found = narrow.find(({ matches }) => matches(opcode));
    if (found && isWide(opcode))
      throw new Error(`cpu.mjs: opcode ${opcode.toString(16)} is both wide and narrow`);
    return isWide(opcode) ? wide : (found?.run ?? unknown);
  });
}
const ACTIONS = decodedActions(CortexM0Core.prototype.executeInstruction.toString());

export class Core extends CortexM0Core {
  /** cache: a FlashCache or null; translator: the Translator of the program, with its memory. */
  constructor(rp, cache, translator) {
    super(rp);
    this.cache = cache;
    this.translator = translator;
    translator.core = this;
    this.stalled = 0; // cycles spent waiting for the cache that are not counted yet
    this.cycleNanos = 1e9 / rp.clkSys;
    rp.addClockListener?.((hz) => {
      this.cycleNanos = 1e9 / hz;
      this.seen = NaN;
    });
    this.base = 0; // the clock when it was last read, in nanoseconds
    this.ticks = 0; // cycles since then
    this.seen = NaN; // the clock as it was left; if it differs, something else has advanced it
    this.heat = translator.heat;
    ({
      registers: this.registers,
      sram: this.sram,
      sram16: this.sram16,
      sram32: this.sram32,
    } = translator);
    ({ flash: this.flash, flash16: this.flash16, flash32: this.flash32 } = translator);
    this.registers.fill(0);
  }

  /** Count the misses of the flash cache from now on: without translation, where nothing counts
   * them. */
  countMisses() {
    this.cache.count();
    this.heat = new Int32Array(this.heat.length).fill(-(2 ** 31)); // nothing is ever hot
    this.counting = this.rp2040.clock.nanosCounter;
  }

  /** Return the share of the time since countMisses that was spent waiting for the flash cache, and
   * [address, misses] of each line of the cache. */
  missesCounted() {
    this.heat = this.translator.heat;
    const lines = this.cache.counted();
    const cycles = (this.rp2040.clock.nanosCounter - this.counting) / this.cycleNanos;
    const misses = lines.reduce((sum, [, count]) => sum + count, 0);
    return { share: (misses * MISS) / cycles, lines };
  }

  /** Execute one instruction, or blocks of at most `most`, and advance the clock; return how many
   * instructions it was. */
  step(most) {
    const pc = this.registers[15] & ~1;
    const place = this.translator.placeOf(pc);
    if (place >= 0 && !this.interruptsUpdated && this.stalled === 0) {
      if (this.heat[place] === HOT) {
        const done = this.runBlocks(most);
        if (done) return done;
        this.heat[place] = HOT - TRIED_AGAIN;
      } else if (++this.heat[place] === HOT) this.translator.want(pc);
    }
    const cycles = this.executeInstruction();
    const { clock } = this.rp2040;
    this.readClock();
    this.ticks += cycles + this.stalled;
    this.stalled = 0;
    const then = this.base + this.ticks * this.cycleNanos;
    if (clock.nextAlarm !== null && clock.nextAlarm.nanos <= then) {
      clock.tick(then - clock.nanosCounter);
      this.seen = NaN;
    } else clock.nanosCounter = this.seen = then;
    return 1;
  }

  runBlocks(most) {
    const { passed, carries } = this.translator;
    this.readClock();
    const limit = this.ticksOfAlarm();
    // an alarm is near, or both N and Z are set, which only writing the flags does
    if (limit - this.ticks < 10 || (this.N && this.Z)) return 0;
    passed[2] = 0;
    passed[3] = this.Z ? 0 : this.N ? -1 : 1;
    carries[0] = this.C;
    carries[1] = this.V;
    this.translator.begin(this.ticks, limit, most);
    this.cycles += passed[0] - this.ticks - passed[2];
    this.ticks = passed[0];
    this.N = passed[3] < 0;
    this.Z = passed[3] === 0;
    this.C = carries[0] !== 0;
    this.V = carries[1] !== 0;
    this.seen = this.setClock(this.ticks);
    return most - passed[1];
  }

  ticksOfAlarm() {
    const { nextAlarm } = this.rp2040.clock;
    if (nextAlarm === null) return NO_ALARM;
    const ticks = Math.floor((nextAlarm.nanos - this.base) / this.cycleNanos) - 2;
    return Math.min(NO_ALARM, ticks) | 0;
  }

  readClock() {
    const { nanosCounter } = this.rp2040.clock;
    if (nanosCounter !== this.seen || this.ticks > NO_ALARM >> 1) {
      this.base = nanosCounter;
      this.ticks = 0;
    }
  }

  /** Set the clock, given the cycles since it was read. */
  setClock(ticks) {
    return (this.rp2040.clock.nanosCounter = this.base + ticks * this.cycleNanos);
  }

  /** Read and write peripherals for a block, `ticks` cycles after the clock was read. */
  peek(address, ticks) {
    const { rp2040 } = this;
    this.setClock(ticks);
    // as rp2040.readUint32, without the search
    if (address >= PPB) return rp2040.ppb.readUint32(address & 0xfff);
    if (address >= SIO) return rp2040.sio.readUint32(address - SIO);
    return rp2040.findPeripheral(address).readUint32(address & 0x3fff);
  }

  poke(address, value, ticks) {
    this.setClock(ticks);
    this.rp2040.sio.writeUint32(address - SIO, value); // the divider
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
    if (address >= SRAM && address < SRAM_END && (address & 3) === 0)
      this.sram32[(address - SRAM) >> 2] = value;
    else this.rp2040.writeUint32(address, value);
  }

  writeUint16(address, value) {
    address >>>= 0;
    if (address >= SRAM && address < SRAM_END && (address & 1) === 0)
      this.sram16[(address - SRAM) >> 1] = value;
    else this.rp2040.writeUint16(address, value);
  }

  writeUint8(address, value) {
    address >>>= 0;
    if (address >= SRAM && address < SRAM_END) this.sram[address - SRAM] = value;
    else this.rp2040.writeUint8(address, value);
  }
}
