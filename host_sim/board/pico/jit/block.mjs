// SPDX-License-Identifier: MIT
// A basic block while it is translated to WebAssembly: its registers, flags, memory and clock;
// thumb.mjs has the instructions. A block ends where it jumps, with a tail call to the next one.
// Before an instruction that is more than arithmetic on registers, SRAM and cached flash (nearly
// all peripherals, a sleep, an unknown opcode) it returns to the interpreter. It starts only where
// no alarm can fire inside it. Each instruction takes the cycles that rp2040js counts, and the
// waits of the flash cache, so a run is the same with and without translation. A block in SRAM first
// looks whether its code is still the one that was translated.
import { MISS, SETS } from "../flash_cache.mjs";
import {
  I32,
  RETURN,
  VOID,
  add,
  and,
  body,
  call,
  either,
  eq,
  eqz,
  geS,
  geU,
  get,
  gtS,
  gtU,
  i32,
  load,
  loadFrom,
  ltS,
  ltU,
  ne,
  or,
  rotr,
  select,
  set,
  shl,
  shrU,
  store,
  storeTo,
  sub,
  tailCall,
  tailCallInTable,
  type,
  when,
  xor,
} from "./wasm.mjs";

export const SRAM = 0x20000000;
export const SRAM_SIZE = 0x42000;
export const FLASH = 0x10000000;
export const FLASH_SIZE = 0x1000000; // the cached window

// Layout of the memory that blocks, the interpreter and the rest of the chip share. The flash is
// at 0; addresses and sizes are bytes.
export const SRAM_AT = FLASH_SIZE;
export const NEWER = SRAM_AT + SRAM_SIZE; // lines of the flash cache, see flash_cache.mjs
export const OLDER = NEWER + 4 * SETS;
export const REGISTERS = OLDER + 4 * SETS;
export const TICKS = REGISTERS + 64; // cycles
export const LEFT = TICKS + 4; // instructions
export const WAITED = LEFT + 4; // cycles spent waiting for the flash cache
export const NZ = WAITED + 4; // the number whose sign is N and whose zero is Z
export const C = NZ + 4; // one byte
export const V = C + 1; // one byte
export const END = V + 1;

const MAX_INSTRUCTIONS = 24; // per block
export const SP = 13;
export const LR = 14;
export const PC = 15;

// Parameters of a block: cycles since the clock was read, the cycle at which an alarm may fire,
// and how many instructions may still be executed.
const ticks = 0;
const limit = 1;
const left = 2;
// Its locals: one per register, then what the flags are computed from (the number of N and Z, the
// operands and result of the last sum or difference, a carry that comes from neither), then
// scratch that no instruction expects to find unchanged.
const FIRST_REGISTER = 3;
const N = 18;
const A = 19;
const B = 20;
const RESULT = 21;
const CARRY = 22;
const AT = 23;
const INSIDE = 24;
const CYCLES = 25;
const BEFORE = 26;
export const ONE = 27;
export const OTHER = 28;
const OFFSET = 29;
const LOCALS = 27;

const carryOf = { sum: (a, b, result) => ltU(result, a), difference: (a, b) => geU(a, b) };
const overflowOf = {
  sum: (a, b, result) => shrU(and(xor(a, result), xor(b, result)), i32(31)),
  difference: (a, b, result) => shrU(and(xor(a, b), xor(a, result)), i32(31)),
};

// Registers that a block may read, since reading has no side effect: the SIO's divider and CPUID,
// the timer, the status of the first SPI, SysTick's value. It may also write to the divider. Such
// an access takes 1, 4 or 2 cycles; 0 stands for any other address.
const DIVIDER = 0xd0000060;
const CPUID = 0xd0000000;
const TIMERAWH = 0x40054024;
const SSPSR = 0x4003c00c;
const SYST_CVR = 0xe000e018;
const PERIPHERAL_CYCLES = body(0, [
  when(or(eq(get(0), i32(CPUID)), ltU(sub(get(0), i32(DIVIDER)), i32(0x1c))), [i32(1), RETURN]),
  when(or(eq(get(0), i32(SSPSR)), ltU(sub(get(0), i32(TIMERAWH)), i32(8))), [i32(4), RETURN]),
  shl(eq(get(0), i32(SYST_CVR)), i32(1)),
]);
// FlashCache.wait of flash_cache.mjs in WebAssembly: cycles to wait for the line of an address.
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
// Return to the interpreter: ticks, left, pc.
const OUT = body(0, [
  storeTo(TICKS, get(0)),
  storeTo(LEFT, get(1)),
  storeTo(REGISTERS + 4 * PC, get(2)),
]);
// Store carry and overflow, given both operands and the result.
const operands = [0, 1, 2].map(get);
const settling = (operation) =>
  body(0, [
    storeTo(C, carryOf[operation](...operands), 1),
    storeTo(V, overflowOf[operation](...operands), 1),
  ]);

// Function types, by number.
export const BLOCK = 0;
const OF_ONE = 1;
const OF_TWO = 2;
export const TYPES = [type(3, 0), type(1, 1), type(2, 1)];
/** The types of the functions that every module imports: peek, poke. */
export const IMPORTED = [OF_TWO, BLOCK];
/** The functions that every module starts with, as [type, body]. */
export const COMMON = [
  [OF_ONE, WAIT],
  [OF_ONE, PERIPHERAL_CYCLES],
  [BLOCK, OUT],
  [BLOCK, settling("sum")],
  [BLOCK, settling("difference")],
];
const PEEK = 0;
const POKE = 1;
const WAIT_FOR_LINE = 2;
const CYCLES_OF_PERIPHERAL = 3;
const TO_INTERPRETER = 4;
const SETTLE = { sum: 5, difference: 6 };

const inMemory = (pc) => pc - SRAM + SRAM_AT;

/** Where a program counter is: twice its place in the table of blocks, where SRAM comes after the
 * `size` bytes of the program in flash. */
const offsetInFlash = (pc) => sub(pc, i32(FLASH));
const offsetInSram = (pc, size) => add(sub(pc, i32(SRAM)), i32(size));
export const placeOf = (pc, size) =>
  shrU(
    select(ltU(offsetInFlash(pc), i32(size)), offsetInFlash(pc), offsetInSram(pc, size)),
    i32(1),
  );

/** Whether the address in AT is aligned and less than `bytes` after `base`. The rotation makes an
 * unaligned one far too large. */
function within(base, bytes, size) {
  const at = sub(get(AT), i32(base));
  return ltU(size > 1 ? rotr(at, i32(Math.log2(size))) : at, i32(bytes / size));
}

export class Block {
  /** start: the address of its first instruction. */
  constructor(translator, start) {
    this.translator = translator;
    this.start = start;
    this.at = start; // the instruction being translated
    this.code = [];
    this.held = 0; // bit mask of registers that are in their locals
    // how each flag is computed; false and null: it is unchanged, in memory
    this.flags = { nz: false, c: null, v: null };
    this.operation = null; // "sum" or "difference", if it set carry and overflow
    this.compared = false; // N and Z are from the same difference
    this.count = 0; // instructions so far
    this.spent = 0; // their cycles
    this.worst = 0; // their cycles if they wait for every line of flash
    this.line = -1; // a line that the flash cache certainly holds
    this.ended = false;
  }

  emit(...codes) {
    this.code.push(...codes);
  }

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

  /** Set a register, in its local and in memory. */
  put(r, value) {
    this.emit(storeTo(REGISTERS + 4 * r, this.keep(FIRST_REGISTER + r, value)));
    this.held |= 1 << r;
  }

  get nz() {
    return this.flags.nz ? get(N) : loadFrom(NZ);
  }
  get c() {
    return this.flags.c ?? loadFrom(C, 1);
  }
  get v() {
    return this.flags.v ?? loadFrom(V, 1);
  }

  setNZ(value) {
    this.flags.nz = true;
    this.compared = false;
    return this.keep(N, value);
  }

  setC(value) {
    this.flags.c = this.keep(CARRY, value);
    this.operation = null;
  }

  /** Set all flags by a "sum" or a "difference", with the carry if that is not enough to know it;
   * return the result. */
  compute(operation, a, b, carry = null) {
    const operator = operation === "sum" ? add : sub;
    this.emit(set(A, a), set(B, b), set(RESULT, operator(get(A), get(B))));
    this.flags.c = carry ?? carryOf[operation](get(A), get(B), get(RESULT));
    this.flags.v = overflowOf[operation](get(A), get(B), get(RESULT));
    this.setNZ(get(RESULT));
    this.operation = carry === null ? operation : null;
    this.compared = this.operation === "difference";
    return get(RESULT);
  }

  /** Store the flags in memory. */
  settle() {
    const { nz, c, v } = this.flags;
    const storeNZ = nz ? storeTo(NZ, get(N)) : [];
    if (this.operation) return [storeNZ, call(SETTLE[this.operation], get(A), get(B), get(RESULT))];
    return [storeNZ, c ? storeTo(C, c, 1) : [], v ? storeTo(V, v, 1) : []];
  }

  /** Whether a condition of a conditional branch holds, by its number there. */
  holds(condition) {
    const { nz, c, v, compared } = this;
    const same = eq(shrU(nz, i32(31)), v);
    const a = get(A);
    const b = get(B);
    const value = [
      eqz(nz),
      c,
      ltS(nz, i32(0)),
      v,
      compared ? gtU(a, b) : and(c, ne(nz, i32(0))),
      compared ? geS(a, b) : same,
      compared ? gtS(a, b) : and(same, ne(nz, i32(0))),
    ][condition >> 1];
    return condition & 1 ? eqz(value) : value;
  }

  // ---- leaving the block ----

  out(pc, count, spent) {
    return tailCall(
      TO_INTERPRETER,
      add(get(ticks), i32(spent)),
      sub(get(left), i32(count)),
      i32(pc),
    );
  }

  /** Go to the interpreter, before this instruction. */
  leave() {
    return [this.settle(), this.out(this.at, this.count, this.spent)];
  }

  /** Go to the next instruction. */
  done(cycles = 1) {
    this.count++;
    this.spent += cycles;
    this.worst += cycles;
    this.at += 2;
  }

  /** Go to the block at `place` of the table, whose address is `pc`, after `count` instructions and
   * `spent` cycles. */
  continueAt(pc, place, count, spent) {
    return [
      this.settle(),
      storeTo(REGISTERS + 4 * PC, pc),
      tailCallInTable(
        BLOCK,
        place,
        add(get(ticks), i32(spent)),
        get(limit),
        sub(get(left), i32(count)),
      ),
    ];
  }

  /** Jump by this instruction, which takes `cycles`, to an address that is known. */
  goTo(target, cycles) {
    const place = i32(this.translator.placeOf(target));
    return this.continueAt(i32(target), place, this.count + 1, this.spent + cycles);
  }

  endAt(target, cycles) {
    return this.endWith(this.goTo(target, cycles), cycles);
  }

  endWith(jump, cycles) {
    this.emit(jump);
    this.worst += cycles;
    this.count++;
    this.ended = true;
    return true;
  }

  /** Jump to an address from a register or the stack, if it is in the program or in SRAM. */
  endAtValue(value, cycles, before = () => {}) {
    const { size } = this.translator;
    const pc = this.keep(ONE, and(value, i32(~1)));
    const offset = this.keep(OFFSET, offsetInFlash(pc));
    const inSram = [
      when(geU(sub(pc, i32(SRAM)), i32(SRAM_SIZE)), this.leave()),
      set(OFFSET, offsetInSram(pc, size)),
    ];
    this.emit(when(geU(offset, i32(size)), inSram));
    this.fetch();
    before();
    const place = shrU(offset, i32(1));
    const jump = this.continueAt(pc, place, this.count + 1, this.spent + cycles);
    return this.endWith(jump, cycles);
  }

  // ---- memory ----

  /** Wait for the fetch of this instruction. */
  fetch(at = this.at) {
    if (this.line === at >>> 3) return;
    this.waitFor(at);
    this.line = at >>> 3;
  }

  waitFor(at) {
    if (!this.translator.cached || at >= SRAM) return;
    const newest = NEWER + 4 * ((at >>> 3) & (SETS - 1));
    this.emit(
      when(
        ne(loadFrom(newest), i32(at >>> 3)),
        set(ticks, add(get(ticks), call(WAIT_FOR_LINE, i32(at)))),
      ),
    );
    this.worst += MISS;
  }

  /** Load from near the instruction. Flash does not change, so the word is known now; its line is
   * in another set of the cache than the instruction's. In SRAM the word may change. */
  loadLiteral(rt, at) {
    if (!this.translator.has(at)) return false;
    this.fetch();
    this.waitFor(at);
    const flash = this.translator.flash32;
    this.put(rt, at >= SRAM ? loadFrom(inMemory(at)) : i32(flash[(at - FLASH) >> 2]));
    this.done(2);
    return true;
  }

  /** LDR and its kin; kind: bytes, with an s before them if they have a sign. */
  loadRegister(rt, from, kind) {
    const size = Number(String(kind).at(-1));
    const inFlash = within(FLASH, FLASH_SIZE, size);
    const elsewhere =
      size === 4
        ? [set(CYCLES, call(CYCLES_OF_PERIPHERAL, get(AT))), when(eqz(get(CYCLES)), this.leave())]
        : this.leave();
    this.emit(
      set(AT, from),
      set(INSIDE, within(SRAM, SRAM_SIZE, size)),
      when(eqz(get(INSIDE)), when(eqz(inFlash), elsewhere)),
    );
    if (size === 4) this.emit(set(BEFORE, get(ticks)));
    this.fetch();
    this.line = -1; // a load from flash may evict it
    const wait = this.translator.cached
      ? set(ticks, add(get(ticks), call(WAIT_FOR_LINE, get(AT))))
      : [];
    let other = [wait, load(kind, sub(get(AT), i32(FLASH)))];
    if (size === 4) {
      const peek = call(PEEK, get(AT), add(get(BEFORE), i32(this.spent)));
      const cycles = set(ticks, add(get(ticks), sub(get(CYCLES), i32(2))));
      other = either(I32, inFlash, other, [cycles, peek]);
    }
    this.put(rt, either(I32, get(INSIDE), load(kind, sub(get(AT), i32(SRAM)), SRAM_AT), other));
    this.worst += 2 + MISS;
    this.done(2);
    return true;
  }

  /** STR and its kin. */
  storeRegister(rt, to, size) {
    const source = this.reg(rt);
    const inSram = store(size, sub(get(AT), i32(SRAM)), source, SRAM_AT);
    this.emit(set(AT, to), set(INSIDE, within(SRAM, SRAM_SIZE, size)));
    this.emit(
      when(
        eqz(get(INSIDE)),
        size === 4 ? when(eqz(within(DIVIDER, 16, 4)), this.leave()) : this.leave(),
      ),
    );
    if (size === 4) this.emit(set(BEFORE, get(ticks)));
    this.fetch();
    const poke = [
      call(POKE, get(AT), source, add(get(BEFORE), i32(this.spent))),
      set(ticks, sub(get(ticks), i32(1))),
    ];
    this.emit(size === 4 ? either(VOID, get(INSIDE), inSram, poke) : inSram);
    this.done(2);
    return true;
  }

  /** Keep in AT the offset in SRAM of the first of `count` words, and return it. */
  words(first, count) {
    const at = this.keep(AT, sub(first, i32(SRAM)));
    this.emit(when(gtU(rotr(at, i32(2)), i32(SRAM_SIZE / 4 - count)), this.leave()));
    return at;
  }

  storeWords(at, registers) {
    registers.forEach((r, i) => this.emit(store(4, at, this.reg(r), SRAM_AT + 4 * i)));
  }

  loadWords(at, registers) {
    registers.forEach((r, i) => this.put(r, load(4, at, SRAM_AT + 4 * i)));
  }

  // ---- the whole block ----

  /** Return its function; null if the interpreter has to execute even the first instruction. */
  function() {
    const half = (at) => this.translator.halfWord(at);
    while (
      !this.ended &&
      this.count < MAX_INSTRUCTIONS &&
      this.translator.has(this.at + 2) &&
      this.instruction(half(this.at), half(this.at + 2))
    );
    if (!this.count) return null;
    if (!this.ended) {
      const place = i32(this.translator.placeOf(this.at));
      this.emit(this.continueAt(i32(this.at), place, this.count, this.spent));
    }
    const early = or(
      ltS(get(left), i32(this.count)),
      gtS(add(get(ticks), i32(this.worst)), get(limit)),
    );
    return body(LOCALS, [when(early, this.out(this.start, 0, 0)), this.unchanged(), this.code]);
  }

  /** Leave if the code in SRAM has changed since. The last half-word may be a BL's second. */
  unchanged() {
    const checks = [];
    if (this.start < SRAM) return checks;
    for (let at = this.start; at <= this.at + 2; at += 2) {
      const now = loadFrom(inMemory(at), 2);
      const then = i32(this.translator.halfWord(at));
      checks.push(when(ne(now, then), this.out(this.start, 0, 0)));
    }
    return checks;
  }
}
