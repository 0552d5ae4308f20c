// SPDX-License-Identifier: MIT
// The cache in front of the flash. A real RP2040 runs its program from a serial flash chip through
// 16 KiB of cache (datasheet 2.6.3): two ways, lines of 8 bytes. rp2040js has none: there an
// instruction from flash costs no more than one from SRAM.
const CACHED = 0x10000000;
const CACHED_END = 0x11000000; // from here on the same flash again, uncached
const LINES = (CACHED_END - CACHED) >>> 3;
export const SETS = 1024; // 16 KiB / 2 ways / 8 bytes
// Cycles: a command, an address and 8 bytes over four wires at half the processor's clock.
export const MISS = 50;

/** The lines it holds; `newer` has the one used last of each set. Addresses are in the flash's
 * window. */
export class FlashCache {
  constructor(newer = new Int32Array(SETS), older = new Int32Array(SETS)) {
    this.newer = newer;
    this.older = older;
    this.misses = null; // or the misses of each line, counted
    this.flush();
  }

  flush() {
    this.newer.fill(-1);
    this.older.fill(-1);
  }

  /** Count the misses from now on. */
  count() {
    this.misses = new Uint32Array(LINES);
  }

  /** Return [address, misses] of the lines that were missed, and count no longer. */
  counted() {
    const found = [];
    this.misses.forEach((misses, line) => {
      if (misses) found.push([CACHED + 8 * line, misses]);
    });
    this.misses = null;
    return found;
  }

  /** Cycles that a read from this address has to wait. */
  wait(address) {
    if (address >= CACHED_END) return MISS;
    const line = address >>> 3;
    const set = line & (SETS - 1);
    const last = this.newer[set];
    if (last === line) return 0;
    const hit = this.older[set] === line;
    this.older[set] = last;
    this.newer[set] = line;
    if (hit) return 0;
    if (this.misses !== null) this.misses[line & (LINES - 1)]++;
    return MISS;
  }
}
