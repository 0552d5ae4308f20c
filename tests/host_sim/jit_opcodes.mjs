// SPDX-License-Identifier: MIT
// Executes a third of all opcodes from random states, translated and interpreted, and compares the
// states after it, to the last bit of the clock. Another seed takes another third. Each third has
// every instruction with every value of each of its fields, since these are powers of two.
//   RP2040JS=path/of/rp2040js/dist/esm/index.js node jit_opcodes.mjs SEED
import { Pico } from "../../host_sim/board/pico/pico.mjs";

// Each opcode has a place of its own in flash: a word to load, the opcode, its second half-word or
// another opcode, two more, a jump to itself. All that are executed fit into the program.
const PROGRAM = 0x10001000;
const APART = 16;
const EVERY = 3;
const WORD = 0xcafe8123;
const ROUND = 0xe7fe;
const MOST = 9;
let seed = Number(process.argv[2]);
const random = (below) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};
const pick = (...of) => of[random(of.length)];

const unwired = { usb() {}, spi: () => 0, pin() {}, look() {}, frame() {}, flash() {}, reset() {} };
const picos = [new Pico([], unwired), new Pico([], unwired)];
const [translated, interpreted] = picos;
interpreted.rp.core.runBlocks = () => {
  throw new Error("translated, but is to be interpreted");
};
for (const { rp } of picos)
  for (const name of ["warn", "error", "info", "debug"]) rp.logger[name] = () => {};

// Numbers, addresses inside memories and at their ends, peripherals.
const value = (here) =>
  pick(
    () => random(2 ** 32),
    () => 4 * random(10),
    () => random(40),
    () => 2 ** 32 - 1 - random(3),
    () => 2 ** 31 - 1 + random(3),
    () => 0x20000000 + 4 * random(0x10800),
    () => 0x20000000 + random(0x42000),
    () => 0x20042000 - random(40),
    () => 0x20000000 - random(8),
    () => 0x10000000 + 4 * random(0x20000),
    () => 0x10000000 + random(0x80000),
    () => here + 8192 * random(16),
    () => 0xd0000060 + 4 * random(8),
    () => 0x40054024 + 4 * random(2),
    () => pick(0xd0000000, 0x4003c00c, 0xe000e018, 0x11000100),
  )();
const other = () =>
  pick(
    random(0x4000),
    0x4000 | random(0x400),
    0x4800 | random(0x800),
    0x5000 + random(0x5000),
    0xc000 | random(0x1000),
  );
const state = ({ rp, rp: { core, clock } }) => [
  ...core.registers,
  core.xPSR,
  core.cycles,
  clock.nanosCounter,
  core.stalled,
  rp.fired,
];
const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);
const [[sram, ...lines], [itsSram, ...itsLines]] = picos.map(({ rp, cache }) =>
  [rp.sram, cache.newer, cache.older].map(bytesOf),
);
// What differs in SRAM stays, so the whole of it is compared now and then.
const SRAM_AGAIN = 64;

const FIRST = Number(process.argv[2]) % EVERY;
const COUNT = Math.floor((65535 - FIRST) / EVERY) + 1;
const opcodeOf = (i) => FIRST + i * EVERY;

/** Put `count` of the opcodes, from number `from` on, into flash and translate them together. */
function place(from, count) {
  const { translator } = translated;
  for (let i = from; i < from + count; i++) {
    const at = PROGRAM + i * APART - 0x10000000;
    const wide = opcodeOf(i) >> 11 > 0b11100;
    const others = [
      wide ? pick(0xf800 | random(2048), 0xd000 | random(0x3000)) : other(),
      other(),
      other(),
    ];
    for (const { flash16, flash32 } of picos.map((pico) => pico.translator)) {
      flash32[at >> 2] = WORD + i;
      flash16.set([opcodeOf(i), ...others, ROUND, ROUND], (at >> 1) + 2);
    }
    translator.wanted.push(PROGRAM + i * APART + 4);
  }
  translator.translate();
}

const seen = new Uint8Array(65536);
let compared = 0;
console.warn = () => {};
const TOGETHER = 4096;
const TIMES = 2;
for (let from = 0; from < COUNT; from += TOGETHER) {
  const count = Math.min(TOGETHER, COUNT - from);
  place(from, count);
  for (let n = 0; n < TIMES * count; n++) {
    const i = from + (n % count);
    const here = PROGRAM + i * APART + 4;
    const registers = Array.from({ length: 13 }, () => value(here));
    const [negative, z, c, v] = [random(2), random(2), random(2), random(2)].map(Boolean);
    const sp = pick(
      0x20000000 + 4 * random(0x10800),
      0x20042000 - 4 * random(10),
      0x20000000 + 4 * random(10),
      0x10000100,
    );
    const lr = pick(PROGRAM + 5, value(here));
    const alarm = pick(Infinity, 1000 * random(190));
    const word = random(2 ** 32);
    const where = 4 * random(0x10800);
    for (const { rp, cache } of picos) {
      Object.assign(rp.core, {
        N: negative && !z,
        Z: z,
        C: c,
        V: v,
        cycles: 0,
        stalled: 0,
        interruptsUpdated: false,
        waiting: false,
      });
      rp.core.registers.set([...registers, sp, lr, here]);
      rp.core.sram32[where >> 2] = word;
      rp.clock.nanosCounter = 1e9 + i;
      rp.clock.nextAlarm = null;
      rp.fired = false;
      if (alarm < Infinity)
        rp.clock
          .createAlarm(() => {
            rp.fired = true;
          })
          .schedule(alarm);
      cache.flush();
      rp.core.seen = NaN;
      rp.core.cycleNanos = 1000; // so that the timer, in microseconds, shows every cycle
    }
    const done = translated.rp.core.runBlocks(MOST);
    if (!done) continue;
    for (let k = 0; k < done; k++) interpreted.rp.core.step(1);
    const [ours, theirs] = [state(translated), state(interpreted)];
    const same =
      lines.every((part, k) => part.equals(itsLines[k])) &&
      (compared % SRAM_AGAIN || sram.equals(itsSram));
    if (!same || ours.some((one, k) => !Object.is(one, theirs[k]))) {
      console.log(`opcode ${opcodeOf(i).toString(16)}, ${done} instructions`);
      console.log(`memory and cache ${same ? "the same" : "differ"}`);
      console.log(
        `flags ${[negative, z, c, v]}, registers ${registers.map((r) => r.toString(16))}`,
      );
      console.log(`${ours}\n${theirs}`);
      process.exit(1);
    }
    compared++;
    seen[opcodeOf(i)] = 1;
  }
}
if (!sram.equals(itsSram)) throw new Error("SRAM differs at the end");

// Code in SRAM is translated too, and noticed when it changes.
const IN_SRAM = 0x20001000;
const { core } = translated.rp;
for (const number of [1, 2]) {
  core.sram16.set([0x2000 | number, ROUND], (IN_SRAM - 0x20000000) >> 1); // MOVS r0, #number
  if (number === 1) translated.translator.want(IN_SRAM);
  translated.translator.translate();
  core.registers[15] = IN_SRAM;
  translated.rp.clock.nextAlarm = null;
  const done = core.runBlocks(MOST);
  if (number === 1 ? !done : done) throw new Error("in SRAM: " + done + " instructions");
  if (number === 2) core.step(1);
  if (core.registers[0] !== number) throw new Error("SRAM's old code was executed");
}
// What only the interpreter executes, by the upper byte: undefined opcodes, CPS, BKPT, hints, UDF,
// SVC, wide opcodes except BL (and BL out of the program).
const INTERPRETED = new Set([0xb1, 0xb3, 0xb6, 0xb7, 0xb8, 0xb9, 0xbb, 0xbe, 0xde, 0xdf]);
for (let upper = 0; upper < 0xf1; upper++) {
  if (upper === 0xbf) continue; // only its NOP
  const interpretedOnly = INTERPRETED.has(upper) || upper >> 3 === 0b11101;
  const some = seen.subarray(upper << 8, (upper + 1) << 8).some(Boolean);
  if (some === interpretedOnly)
    throw new Error(`opcodes ${upper.toString(16)}..: ${some ? "" : "not "}translated`);
}
console.log(`same: ${compared} compared, of ${seen.reduce((a, b) => a + b)} opcodes`);
