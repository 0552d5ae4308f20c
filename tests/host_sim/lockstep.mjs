// SPDX-License-Identifier: MIT
// Two emulated Picos start the same firmware, one by rp2040js' own way to execute an instruction, and none translated: after every
// tenth of a millisecond they are the same.
//   RP2040JS=path/of/rp2040js/dist/esm/index.js node lockstep.mjs IMAGE FILES MILLISECONDS CACHED     FILES: a file system's image; CACHED: 0 or 1
import fs from 'node:fs';
import { FS_OFFSET, Pico } from '../../host_sim/pico/pico.mjs';

const [image, files, milliseconds, cached] = process.argv.slice(2);
const nobody = { usb(bytes) { this.said += Buffer.from(bytes); }, spi: () => 0, pin() {}, look() {}, frame() {}, flash() {}, reset() {} };
const start = () => {
  const pico = new Pico([image], { ...nobody, said: '' }, 0, cached !== '0');
  pico.flash.set(fs.readFileSync(files), FS_OFFSET);
  return pico;
};
const decoded = start(), asked = start();
const own = Object.getPrototypeOf(Object.getPrototypeOf(asked.rp.core)).executeInstruction;
if (own === decoded.rp.core.executeInstruction) throw new Error('both are the same way');
asked.rp.core.executeInstruction = own;
asked.rp.core.runBlocks = () => 0;
let translated = 0;
const { runBlocks } = decoded.rp.core;
decoded.rp.core.runBlocks = function (most) { const done = runBlocks.call(this, most); translated += done; return done; };

const state = ({ rp: { core }, nanos, on }) => JSON.stringify([nanos, [...core.registers], core.xPSR, core.cycles, on.said]);
for (let ms = 0; ms < Number(milliseconds); ms += 0.1) {
  for (const pico of [decoded, asked]) pico.run(1e5, () => false);
  if (state(decoded) !== state(asked)) {
    console.log(`differ at ${ms.toFixed(1)} ms\n${state(decoded)}\n${state(asked)}`);
    process.exit(1);
  }
}
if (Buffer.compare(decoded.rp.sram, asked.rp.sram)) process.exit(2);
if (translated < 1e6) throw new Error(`only ${translated} instructions were translated`);
console.log(`same: ${decoded.rp.core.cycles} cycles, ${decoded.on.said.split('\n').length} lines`);
