// SPDX-License-Identifier: MIT
// One block of a program while it is translated to WebAssembly: its registers, flags, memory and clock. What each instruction does
// with them is in thumb.mjs. A block ends where it must jump on, with a tail call. What is not plain computing on registers, SRAM and
// cached flash (nearly all peripherals, a sleep, an unknown opcode) it leaves to the interpreter, before that instruction; and it begins
// only where no alarm can come in its middle. Each instruction takes the cycles that rp2040js counts, and waits for the flash cache: a
// run is the same.
import { MISS, SETS } from './flash_cache.mjs';
import {
  I32, RETURN, VOID, add, and, body, call, either, eq, eqz, geS, geU, get, gtS, gtU, i32, load, loadFrom, ltS, ltU, ne, or, rotr, set, shl,
  shrU, store, storeTo, sub, tailCall, tailCallInTable, type, when, xor,
} from './webassembly.mjs';

export const SRAM = 0x20000000, SRAM_SIZE = 0x42000;
export const FLASH = 0x10000000, FLASH_SIZE = 0x1000000;  // the window that is cached
// Where things are in the memory that blocks, the interpreter and the rest of the chip share. The flash is at 0.
export const SRAM_AT = FLASH_SIZE;
export const NEWER = SRAM_AT + SRAM_SIZE, OLDER = NEWER + 4 * SETS;  // the lines of the flash cache
export const REGISTERS = OLDER + 4 * SETS;
export const TICKS = REGISTERS + 64, LEFT = TICKS + 4, WAITED = LEFT + 4;  // cycles, instructions, cycles waited for the cache
export const NZ = WAITED + 4, C = NZ + 4, V = C + 1;  // the flags: a number that N and Z are of, and a byte each
export const END = V + 1;

const LONGEST = 24;  // instructions of a block
export const SP = 13, LR = 14, PC = 15;

// A block's parameters: cycles since the clock was read, at how many of them an alarm may come, how many instructions may still be done.
const ticks = 0, limit = 1, left = 2;
// Its locals: a register each; what the flags are computed from (a number for N and Z, both operands and the result of the last sum or
// difference, the carry where it is none of theirs); and what no instruction finds as it left it.
const FIRST_REGISTER = 3, N = 18, A = 19, B = 20, RESULT = 21, CARRY = 22;
const AT = 23, INSIDE = 24, CYCLES = 25, BEFORE = 26;
export const ONE = 27, OTHER = 28;
const LOCALS = 26;

const carryOf = { sum: (a, b, result) => ltU(result, a), difference: (a, b) => geU(a, b) };
const overflowOf = {
  sum: (a, b, result) => shrU(and(xor(a, result), xor(b, result)), i32(31)),
  difference: (a, b, result) => shrU(and(xor(a, b), xor(a, result)), i32(31)),
};

// Peripherals that may be asked while a block runs, since nothing comes of it: the SIO's divider and CPUID, the timer's time, the state of
// the first SPI, SysTick's value; and the divider may be written to. That takes other cycles than the 2 of a load or store in memory.
const DIVIDER = 0xd0000060, CPUID = 0xd0000000, TIMERAWH = 0x40054024, SSPSR = 0x4003c00c, SYST_CVR = 0xe000e018;
const QUIET = body(0, [
  when(or(eq(get(0), i32(CPUID)), ltU(sub(get(0), i32(DIVIDER)), i32(0x1c))), [i32(1), RETURN]),
  when(or(eq(get(0), i32(SSPSR)), ltU(sub(get(0), i32(TIMERAWH)), i32(8))), [i32(4), RETURN]),
  shl(eq(get(0), i32(SYST_CVR)), i32(1)),
]);
// flash_cache.mjs says the same: -> cycles to wait for the line of an address
const [address, line, way, last, hit] = [0, 1, 2, 3, 4];
const WAIT = body(4, [
  set(line, shrU(get(address), i32(3))),
  set(way, shl(and(get(line), i32(SETS - 1)), i32(2))),
  set(last, load(4, get(way), NEWER)),
  when(eq(get(last), get(line)), [i32(0), RETURN]),
  set(hit, eq(load(4, get(way), OLDER), get(line))),
  store(4, get(way), get(last), OLDER),
  store(4, get(way), get(line), NEWER),
  when(get(hit), [i32(0), RETURN]),
  storeTo(WAITED, add(loadFrom(WAITED), i32(MISS))),
  i32(MISS),
]);
// back to whoever began: ticks, left, pc
const OUT = body(0, [storeTo(TICKS, get(0)), storeTo(LEFT, get(1)), storeTo(REGISTERS + 4 * PC, get(2))]);
// the carry and the overflow: of both operands and the result
const given = [0, 1, 2].map(get);
const settling = (of) => body(0, [storeTo(C, carryOf[of](...given), 1), storeTo(V, overflowOf[of](...given), 1)]);

/** The types of functions, those that every module imports (peek, poke), and those that it begins with. */
export const BLOCK = 0;
const OF_ONE = 1, OF_TWO = 2;
export const TYPES = [type(3, 0), type(1, 1), type(2, 1)];
export const IMPORTED = [OF_TWO, BLOCK];
export const COMMON = [[OF_ONE, WAIT], [OF_ONE, QUIET], [BLOCK, OUT], [BLOCK, settling('sum')], [BLOCK, settling('difference')]];
const PEEK = 0, POKE = 1, WAIT_FOR_LINE = 2, CYCLES_OF_QUIET = 3, TO_INTERPRETER = 4, SETTLE = { sum: 5, difference: 6 };

/** whether the address in AT is in so many bytes from base, and aligned: one that is not is far too large when it is turned */
function within(base, bytes, size) {
  const at = sub(get(AT), i32(base));
  return ltU(size > 1 ? rotr(at, i32(Math.log2(size))) : at, i32(bytes / size));
}

export class Block {
  constructor(translation, start) {
    this.translation = translation;
    this.start = this.at = start;
    this.code = [];
    this.held = 0;  // registers that are in their locals
    this.flags = { nz: false, c: null, v: null };  // how each is computed now; false, null: as it was, in the memory
    this.of = null;  // what carry and overflow are of: the last 'sum' or 'difference'
    this.compared = false;  // N and Z are of the same difference
    this.count = this.spent = this.worst = 0;  // instructions before this one, their cycles, and with every wait
    this.line = -1;  // of the flash cache, held for sure
    this.ended = false;
  }

  emit(...codes) { this.code.push(...codes); }

  keep(local, value) {
    this.emit(set(local, value));
    return get(local);
  }

  // ---- registers and flags ----

  reg(r) {
    if (r === PC) return i32(this.at + 4);
    if (!(this.held & (1 << r))) this.keep(FIRST_REGISTER + r, loadFrom(REGISTERS + 4 * r));
    this.held |= 1 << r;
    return get(FIRST_REGISTER + r);
  }

  /** a register has another value: in its local, and at once in the memory */
  put(r, value) {
    this.emit(storeTo(REGISTERS + 4 * r, this.keep(FIRST_REGISTER + r, value)));
    this.held |= 1 << r;
  }

  get nz() { return this.flags.nz ? get(N) : loadFrom(NZ); }
  get c() { return this.flags.c ?? loadFrom(C, 1); }
  get v() { return this.flags.v ?? loadFrom(V, 1); }

  setNZ(value) {
    this.flags.nz = true;
    this.compared = false;
    return this.keep(N, value);
  }

  setC(value) {
    this.flags.c = this.keep(CARRY, value);
    this.of = null;
  }

  /** all flags, by a 'sum' or a 'difference'; carry: where that is not enough. -> the result */
  computes(of, a, b, carry = null) {
    this.emit(set(A, a), set(B, b), set(RESULT, (of === 'sum' ? add : sub)(get(A), get(B))));
    this.flags.c = carry ?? carryOf[of](get(A), get(B), get(RESULT));
    this.flags.v = overflowOf[of](get(A), get(B), get(RESULT));
    this.setNZ(get(RESULT));
    this.of = carry === null ? of : null;
    this.compared = this.of === 'difference';
    return get(RESULT);
  }

  /** puts the flags into the memory */
  settle() {
    const { nz, c, v } = this.flags, ofNZ = nz ? storeTo(NZ, get(N)) : [];
    if (this.of) return [ofNZ, call(SETTLE[this.of], get(A), get(B), get(RESULT))];
    return [ofNZ, c ? storeTo(C, c, 1) : [], v ? storeTo(V, v, 1) : []];
  }

  /** whether a condition holds, by its number in B */
  holds(condition) {
    const { nz, c, v, compared } = this, same = eq(shrU(nz, i32(31)), v), a = get(A), b = get(B);
    const is = [
      eqz(nz),
      c,
      ltS(nz, i32(0)),
      v,
      compared ? gtU(a, b) : and(c, ne(nz, i32(0))),
      compared ? geS(a, b) : same,
      compared ? gtS(a, b) : and(same, ne(nz, i32(0))),
    ][condition >> 1];
    return condition & 1 ? eqz(is) : is;
  }

  // ---- where it goes on ----

  out(pc, count, spent) { return tailCall(TO_INTERPRETER, add(get(ticks), i32(spent)), sub(get(left), i32(count)), i32(pc)); }

  /** to the interpreter, before this instruction */
  leave() { return [this.settle(), this.out(this.at, this.count, this.spent)]; }

  /** to the next instruction */
  done(cycles = 1) {
    this.count++;
    this.spent += cycles;
    this.worst += cycles;
    this.at += 2;
  }

  /** to another block, behind so many instructions and cycles */
  goOn(pc, count = this.count, spent = this.spent) {
    return [this.settle(), storeTo(REGISTERS + 4 * PC, pc),
      tailCallInTable(BLOCK, shrU(sub(pc, i32(FLASH)), i32(1)), add(get(ticks), i32(spent)), get(limit), sub(get(left), i32(count)))];
  }

  /** by this instruction, which takes so many cycles */
  goTo(pc, cycles) { return this.goOn(pc, this.count + 1, this.spent + cycles); }

  ends(pc, cycles) {
    this.emit(this.goTo(pc, cycles));
    this.worst += cycles;
    this.count++;
    this.ended = true;
    return true;
  }

  /** to where a register or the stack says, if that is in what is translated */
  endsAnywhere(value, cycles, before = () => {}) {
    const pc = this.keep(ONE, and(value, i32(~1)));
    this.emit(when(geU(sub(pc, i32(FLASH)), i32(this.translation.size)), this.leave()));
    this.fetch();
    before();
    return this.ends(pc, cycles);
  }

  // ---- memory ----

  /** the fetch of this instruction */
  fetch(at = this.at) {
    if (this.line === at >>> 3) return;
    this.waitFor(at);
    this.line = at >>> 3;
  }

  waitFor(at) {
    if (!this.translation.cached) return;
    const way = 4 * ((at >>> 3) & (SETS - 1));
    this.emit(when(ne(loadFrom(NEWER + way), i32(at >>> 3)), set(ticks, add(get(ticks), call(WAIT_FOR_LINE, i32(at))))));
    this.worst += MISS;
  }

  /** a load from near the instruction: the flash does not change, so the word is known; and its line is in another set of the cache */
  loadsLiteral(rt, at) {
    this.fetch();
    this.waitFor(at);
    this.put(rt, i32(this.translation.flash32[(at - FLASH) >> 2]));
    this.done(2);
    return true;
  }

  loads(rt, address, kind) {
    const size = Number(String(kind).at(-1)), inFlash = within(FLASH, FLASH_SIZE, size);
    const asked = size === 4 ? [set(CYCLES, call(CYCLES_OF_QUIET, get(AT))), when(eqz(get(CYCLES)), this.leave())] : this.leave();
    this.emit(set(AT, address), set(INSIDE, within(SRAM, SRAM_SIZE, size)), when(eqz(get(INSIDE)), when(eqz(inFlash), asked)));
    if (size === 4) this.emit(set(BEFORE, get(ticks)));
    this.fetch();
    this.line = -1;  // a load from flash may put it out
    const wait = this.translation.cached ? set(ticks, add(get(ticks), call(WAIT_FOR_LINE, get(AT)))) : [];
    let other = [wait, load(kind, sub(get(AT), i32(FLASH)))];
    if (size === 4) {
      const peek = call(PEEK, get(AT), add(get(BEFORE), i32(this.spent)));
      other = either(I32, inFlash, other, [set(ticks, add(get(ticks), sub(get(CYCLES), i32(2)))), peek]);
    }
    this.put(rt, either(I32, get(INSIDE), load(kind, sub(get(AT), i32(SRAM)), SRAM_AT), other));
    this.worst += 2 + MISS;
    this.done(2);
    return true;
  }

  stores(rt, address, size) {
    const source = this.reg(rt), inSram = store(size, sub(get(AT), i32(SRAM)), source, SRAM_AT);
    this.emit(set(AT, address), set(INSIDE, within(SRAM, SRAM_SIZE, size)));
    this.emit(when(eqz(get(INSIDE)), size === 4 ? when(eqz(within(DIVIDER, 16, 4)), this.leave()) : this.leave()));
    if (size === 4) this.emit(set(BEFORE, get(ticks)));
    this.fetch();
    const poke = [call(POKE, get(AT), source, add(get(BEFORE), i32(this.spent))), set(ticks, sub(get(ticks), i32(1)))];
    this.emit(size === 4 ? either(VOID, get(INSIDE), inSram, poke) : inSram);
    this.done(2);
    return true;
  }

  /** the offset in SRAM of the first of so many words, kept in AT */
  words(address, count) {
    const at = this.keep(AT, sub(address, i32(SRAM)));
    this.emit(when(gtU(rotr(at, i32(2)), i32(SRAM_SIZE / 4 - count)), this.leave()));
    return at;
  }

  storesWords(at, registers) { registers.forEach((r, i) => this.emit(store(4, at, this.reg(r), SRAM_AT + 4 * i))); }

  loadsWords(at, registers) { registers.forEach((r, i) => this.put(r, load(4, at, SRAM_AT + 4 * i))); }

  // ---- all of it ----

  /** -> its function; null where the interpreter has to do even the first instruction */
  function() {
    const { flash16 } = this.translation, half = (at) => flash16[(at - FLASH) >> 1];
    while (!this.ended && this.count < LONGEST && this.translation.has(this.at + 2) && this.instruction(half(this.at), half(this.at + 2)));
    if (!this.count) return null;
    if (!this.ended) this.emit(this.goOn(i32(this.at)));
    const early = or(ltS(get(left), i32(this.count)), gtS(add(get(ticks), i32(this.worst)), get(limit)));
    return body(LOCALS, [when(early, this.out(this.start, 0, 0)), this.code]);
  }
}
