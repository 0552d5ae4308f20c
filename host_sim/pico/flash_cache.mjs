// SPDX-License-Identifier: MIT
// The cache in front of the flash. A real RP2040 runs its program from a serial flash chip through 16 KiB of cache (datasheet 2.6.3): two
// ways, lines of 8 bytes. rp2040js knows none, and an instruction from flash costs it no more than one from SRAM.
const CACHED_END = 0x11000000;  // behind it the same flash again, past the cache
export const SETS = 1024;  // 16 KiB / 2 ways / 8 bytes
export const MISS = 50;  // cycles: a command, an address and 8 bytes over four wires at half the processor's clock

/** The lines it holds: of each set the one used last in `newer`. An address is one in the flash's window. */
export class FlashCache {
  constructor(newer = new Int32Array(SETS), older = new Int32Array(SETS)) {
    this.newer = newer;
    this.older = older;
    this.flush();
  }

  flush() { this.newer.fill(-1); this.older.fill(-1); }

  /** -> cycles that whoever reads this address has to wait */
  wait(address) {
    if (address >= CACHED_END) return MISS;
    const line = address >>> 3, set = line & (SETS - 1), last = this.newer[set];
    if (last === line) return 0;
    const hit = this.older[set] === line;
    this.older[set] = last;
    this.newer[set] = line;
    return hit ? 0 : MISS;
  }
}
