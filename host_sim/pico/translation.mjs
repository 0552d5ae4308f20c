// SPDX-License-Identifier: MIT
// What of a program is translated to WebAssembly, block by block, and the memory that it shares with the rest of the chip.
import {
  BLOCK, C, COMMON, END, FLASH, FLASH_SIZE, IMPORTED, LEFT, NEWER, OLDER, PC, REGISTERS, SRAM_AT, SRAM_SIZE, TICKS, TYPES,
} from './block.mjs';
import { SETS } from './flash_cache.mjs';
import { ThumbBlock } from './thumb.mjs';
import { body, callInTable, flat, get, i32, leb, list, loadFrom, section, shrU, sized, storeTo, sub, text } from './webassembly.mjs';

const TOGETHER = 100;  // blocks of a module: making one takes as long as translating some
const PAGES = Math.ceil(END / 65536);
const MAGIC = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const FIRST = IMPORTED.length + COMMON.length;
// where nothing is translated yet: the block before it has put the pc into the memory
const COLD = body(0, [storeTo(TICKS, get(0)), storeTo(LEFT, get(2))]);
const BEGIN = body(0, callInTable(BLOCK, shrU(sub(loadFrom(REGISTERS + 4 * PC), i32(FLASH)), i32(1)), get(0), get(1), get(2)));

export class Translation {
  /** size: bytes from the start of the flash that hold the program; cached: whether it waits for the flash cache.
   *  It is for one core after the other: `core` is the one whose instructions are done. */
  constructor(size, cached) {
    this.size = size;
    this.cached = cached;
    this.core = null;
    this.memory = new WebAssembly.Memory({ initial: PAGES });
    const { buffer } = this.memory;
    this.flash = new Uint8Array(buffer, 0, FLASH_SIZE);
    this.flash16 = new Uint16Array(buffer, 0, FLASH_SIZE >> 1);
    this.flash32 = new Uint32Array(buffer, 0, FLASH_SIZE >> 2);
    this.flashView = new DataView(buffer, 0, FLASH_SIZE);
    this.sram = new Uint8Array(buffer, SRAM_AT, SRAM_SIZE);
    this.sram16 = new Uint16Array(buffer, SRAM_AT, SRAM_SIZE >> 1);
    this.sram32 = new Uint32Array(buffer, SRAM_AT, SRAM_SIZE >> 2);
    this.sramView = new DataView(buffer, SRAM_AT, SRAM_SIZE);
    this.newer = new Int32Array(buffer, NEWER, SETS);
    this.older = new Int32Array(buffer, OLDER, SETS);
    this.registers = new Uint32Array(buffer, REGISTERS, 16);
    this.passed = new Int32Array(buffer, TICKS, 4);  // cycles, instructions left, cycles waited, the number for N and Z
    this.carries = new Uint8Array(buffer, C, 2);  // C and V
    this.heat = new Uint8Array(size >> 1);  // how often an instruction was interpreted
    this.imports = {
      memory: this.memory,
      peek: (address, ticks) => this.core.peek(address >>> 0, ticks),
      poke: (address, value, ticks) => this.core.poke(address >>> 0, value, ticks),
    };
    this.forget();
  }

  /** the program is another one: nothing of it is translated */
  forget() {
    this.heat.fill(0);
    this.known = new Uint8Array(this.size >> 1);
    this.wanted = [];
    this.imports.table = new WebAssembly.Table({ element: 'anyfunc', initial: 0 });
    this.imports.table.grow(this.size >> 1, this.module([COLD]).exports.f);
    /** begin(ticks, limit, instructions): go through the blocks from the pc on; `passed` says what that was */
    this.begin = this.module([BEGIN]).exports.f;
  }

  has(address) { return address >= FLASH && address < FLASH + this.size; }

  /** translate the block at this address soon, together with others */
  want(address) {
    this.wanted.push(address);
    if (this.wanted.length === TOGETHER) this.translate();
  }

  translate() {
    const places = [], bodies = [];
    for (const address of this.wanted) {
      const place = (address - FLASH) >> 1;
      if (this.known[place]) continue;
      this.known[place] = 1;
      const code = new ThumbBlock(this, address).function();
      if (code) { places.push(place); bodies.push(code); }
    }
    this.wanted = [];
    if (places.length) this.module(bodies, places);
  }

  /** an instance of a module of these functions, each at its place in the table; the first is exported as f */
  module(bodies, places = []) {
    const named = (name, ...what) => [text('chip'), text(name), what];
    const bytes = flat([MAGIC,
      section(1, list(TYPES)),
      section(2, list([
        named('memory', 2, 0, leb(PAGES)), named('table', 1, 0x70, 0, 0), named('peek', 0, IMPORTED[0]), named('poke', 0, IMPORTED[1]),
      ])),
      section(3, list([...COMMON.map(([type]) => type), ...bodies.map(() => BLOCK)])),
      section(7, list([[text('f'), 0, FIRST]])),
      section(9, list(places.map((place, i) => [0, i32(place), 0x0b, 1, leb(FIRST + i)]))),
      section(10, list([...COMMON.map(([, code]) => code), ...bodies].map(sized)))]);
    return new WebAssembly.Instance(new WebAssembly.Module(bytes), { chip: this.imports });
  }
}
