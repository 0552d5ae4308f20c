// SPDX-License-Identifier: MIT
// Two emulated Picos boot the same firmware: ours, and one that executes each instruction as
// rp2040js does, with nothing translated. They are compared every tenth of a millisecond.
//   RP2040JS=path/of/rp2040js/dist/esm/index.js \
//     node jit_lockstep.mjs IMAGE FILES MILLISECONDS CACHED
// FILES: the image of a file system; CACHED: 0 or 1.
import fs from "node:fs";
import { FS_OFFSET, Pico } from "../../host_sim/board/pico/pico.mjs";

const [image, files, milliseconds, cached] = process.argv.slice(2);
const unwired = {
  usb(bytes) {
    this.printed += Buffer.from(bytes);
  },
  spi: () => 0,
  pin() {},
  look() {},
  frame() {},
  flash() {},
  reset() {},
};
const start = () => {
  const pico = new Pico([image], { ...unwired, printed: "" }, 0, cached !== "0");
  pico.flash.set(fs.readFileSync(files), FS_OFFSET);
  return pico;
};
const ours = start();
const reference = start();
const { executeInstruction } = Object.getPrototypeOf(Object.getPrototypeOf(reference.rp.core));
if (executeInstruction === ours.rp.core.executeInstruction) throw new Error("not rp2040js' own");
reference.rp.core.executeInstruction = executeInstruction;
reference.rp.core.runBlocks = () => 0;
let translated = 0;
const { runBlocks } = ours.rp.core;
ours.rp.core.runBlocks = function (most) {
  const done = runBlocks.call(this, most);
  translated += done;
  return done;
};

// rp2040js keeps the lowest bit of a return address in PC until it executes the next instruction.
const registers = (core) => [...core.registers].map((r, n) => (n === 15 ? r & ~1 : r));
const state = ({ rp: { core }, nanos, on }) =>
  JSON.stringify([nanos, registers(core), core.xPSR, core.cycles, on.printed]);
for (let ms = 0; ms < Number(milliseconds); ms += 0.1) {
  for (const pico of [ours, reference]) pico.run(1e5, () => false);
  if (state(ours) !== state(reference)) {
    console.log(`differ at ${ms.toFixed(1)} ms\n${state(ours)}\n${state(reference)}`);
    process.exit(1);
  }
}
if (Buffer.compare(ours.rp.sram, reference.rp.sram)) process.exit(2);
if (translated < 1e6) throw new Error(`only ${translated} instructions were translated`);
console.log(`same: ${ours.rp.core.cycles} cycles, ${ours.on.printed.split("\n").length} lines`);
