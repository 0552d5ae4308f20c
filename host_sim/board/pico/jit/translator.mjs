// SPDX-License-Identifier: MIT
// Translates the hot parts of a program to WebAssembly, block by block, and owns the memory that
// they share with the rest of the chip.
import { createHash } from "node:crypto";
import {
  BLOCK,
  C,
  COMMON,
  END,
  FLASH,
  FLASH_SIZE,
  IMPORTED,
  LEFT,
  NEWER,
  OLDER,
  PC,
  REGISTERS,
  SRAM,
  SRAM_AT,
  SRAM_SIZE,
  TICKS,
  TYPES,
  placeOf,
} from "./block.mjs";
import { SETS } from "../flash_cache.mjs";
import { ThumbBlock } from "./thumb.mjs";
import {
  body,
  callInTable,
  flat,
  get,
  i32,
  leb,
  list,
  loadFrom,
  section,
  sized,
  storeTo,
  text,
} from "./wasm.mjs";

const BLOCKS_PER_MODULE = 100; // a module takes as long to make as several blocks to translate
const PAGES = Math.ceil(END / 65536);
const KEPT = 2; // programs that are not in the flash now, with translations
const MAGIC = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const FIRST = IMPORTED.length + COMMON.length;
// What the table has where nothing is translated: return to the interpreter. The block before has
// stored the program counter.
const UNTRANSLATED = body(0, [storeTo(TICKS, get(0)), storeTo(LEFT, get(2))]);
const beginning = (size) =>
  body(0, callInTable(BLOCK, placeOf(loadFrom(REGISTERS + 4 * PC), size), get(0), get(1), get(2)));

export class Translator {
  /** size: bytes from the start of flash that hold the program; cached: whether it waits for the
   * flash cache. It serves one core after another (a reset makes a new one): `core` is the present
   * one. */
  constructor(size, cached) {
    this.size = size;
    this.places = (size + SRAM_SIZE) >> 1; // where a block may begin
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
    // what blocks return: cycles, instructions left, cycles waited, the number of N and Z
    this.passed = new Int32Array(buffer, TICKS, 4);
    this.carries = new Uint8Array(buffer, C, 2); // C and V
    this.heat = new Uint8Array(this.places); // how often an instruction was interpreted
    this.imports = {
      memory: this.memory,
      peek: (address, ticks) => this.core.peek(address >>> 0, ticks),
      poke: (address, value, ticks) => this.core.poke(address >>> 0, value, ticks),
    };
    this.kept = new Map(); // translations by the hash of their program, the latest program last
    this.forget();
  }

  /** The hash of the program in the flash. */
  hash() {
    return createHash("sha256").update(this.flash.subarray(0, this.size)).digest("hex");
  }

  /** Take the translations of the program that is in the flash now, and keep those of the program
   * before, which had this hash. The core that ran it must not go on. */
  exchange(before) {
    const now = this.hash();
    if (now === before) return;
    const { heat, known, wanted, begin } = this;
    if (known.includes(1))
      this.kept.set(before, { heat, known, wanted, begin, table: this.imports.table });
    const { table, ...found } = this.kept.get(now) ?? {};
    this.kept.delete(now);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    if (table) {
      Object.assign(this, found);
      this.imports.table = table;
    } else {
      this.heat = new Uint8Array(this.places);
      this.forget();
    }
  }

  /** Drop all translations: the program has changed. */
  forget() {
    this.heat.fill(0);
    this.known = new Uint8Array(this.places);
    this.wanted = [];
    this.imports.table = new WebAssembly.Table({ element: "anyfunc", initial: 0 });
    this.imports.table.grow(this.places, this.module([UNTRANSLATED]).exports.f);
    /** begin(ticks, limit, instructions): run blocks from the program counter on, into `passed`. */
    this.begin = this.module([beginning(this.size)]).exports.f;
  }

  /** The place of an address in the table of blocks, -1 if no block can begin there. */
  placeOf(address) {
    if (address >= FLASH && address < FLASH + this.size) return (address - FLASH) >> 1;
    const inSram = address >= SRAM && address < SRAM + SRAM_SIZE;
    return inSram ? (this.size + address - SRAM) >> 1 : -1;
  }

  has(address) {
    return this.placeOf(address) >= 0;
  }

  halfWord(address) {
    return address < SRAM
      ? this.flash16[(address - FLASH) >> 1]
      : this.sram16[(address - SRAM) >> 1];
  }

  /** Translate the block at this address soon, together with others. */
  want(address) {
    if (this.known[this.placeOf(address)]) return;
    this.wanted.push(address);
    if (this.wanted.length === BLOCKS_PER_MODULE) this.translate();
  }

  translate() {
    const places = [];
    const bodies = [];
    for (const address of this.wanted) {
      const place = this.placeOf(address);
      if (this.known[place]) continue;
      this.known[place] = 1;
      const code = new ThumbBlock(this, address).function();
      if (code) {
        places.push(place);
        bodies.push(code);
      }
    }
    this.wanted = [];
    if (places.length) this.module(bodies, places);
  }

  /** Make an instance of a module of functions, each at its place in the table; the first is
   * exported as f. */
  module(bodies, places = []) {
    const imported = (name, ...what) => [text("chip"), text(name), what];
    const bytes = flat([
      MAGIC,
      section(1, list(TYPES)),
      section(
        2,
        list([
          imported("memory", 2, 0, leb(PAGES)),
          imported("table", 1, 0x70, 0, 0),
          imported("peek", 0, IMPORTED[0]),
          imported("poke", 0, IMPORTED[1]),
        ]),
      ),
      section(3, list([...COMMON.map(([type]) => type), ...bodies.map(() => BLOCK)])),
      section(7, list([[text("f"), 0, FIRST]])),
      section(9, list(places.map((place, i) => [0, i32(place), 0x0b, 1, leb(FIRST + i)]))),
      section(10, list([...COMMON.map(([, code]) => code), ...bodies].map(sized))),
    ]);
    return new WebAssembly.Instance(new WebAssembly.Module(bytes), { chip: this.imports });
  }
}
