// SPDX-License-Identifier: MIT
// The process of an emulated Pico, driven by emulator.py over two pipes. Python sends commands and
// plays everything that is wired to the pins.
//   RP2040JS=path/of/rp2040js/dist/esm/index.js node emulator_process.mjs cached|uncached IMAGE...
// A command is a letter, a length (4 bytes) and that many bytes; an event is a letter, the time in
// nanoseconds (a double), a length and bytes. After an event that needs an answer (a byte on the
// bus, the level of a pin that other pins move) the Pico waits for two bytes. A wait takes
// long, so answers that are known in advance are not asked for.
import fs from "node:fs";
import { Pico, FS_OFFSET, FLASH_SIZE } from "./pico.mjs";

const IN = 0;
const OUT = 1;
const RAM = 0x20000000;
const [caching, ...images] = process.argv.slice(2);
const movers = []; // pins whose change may move the pin `moved`
let moved = -1;
let calm = 0; // changes of the last mover that leave that pin as it is; below 0: ask for its level
const selects = new Set(); // pins that select a device on the bus when they go low
let opened = false; // a device was selected, and no byte has passed since
let opening = []; // its answer to the first byte, and whether it stays, for each byte; or nothing
let steady = -1; // the bus's answer to any byte until a watched pin changes; -1: unknown
let lines = 0;

const received = Buffer.alloc(1 << 16);
let from = 0; // what is not used yet of `received`
let to = 0;

/** The next bytes from Python; they stay as they are until the next call. */
function read(length) {
  if (to - from >= length) {
    from += length;
    return received.subarray(from - length, from);
  }
  const target = length > received.length ? Buffer.alloc(length) : received;
  received.copy(target, 0, from, to);
  let n = to - from;
  while (n < length) {
    const got = fs.readSync(IN, target, n, target.length - n);
    if (!got) process.exit(0);
    n += got;
  }
  [from, to] = target === received ? [length, n] : [0, 0];
  return target.subarray(0, length);
}

const pending = Buffer.alloc(1 << 16);
let filled = 0;

function write(bytes, length) {
  try {
    for (let n = 0; n < length;) n += fs.writeSync(OUT, bytes, n, length - n);
  } catch (error) {
    if (error.code === "EPIPE") process.exit(0); // the other end is gone
    throw error;
  }
}

function flush() {
  write(pending, filled);
  filled = 0;
}

/** Begin an event with this many bytes; return where they belong in `pending`. */
function begin(letter, length) {
  if (filled + 13 + length > pending.length) flush();
  pending[filled] = letter.charCodeAt(0);
  pending.writeDoubleLE(pico.nanos, filled + 1);
  pending.writeUInt32LE(length, filled + 9);
  filled += 13;
  return filled;
}

function send(letter, bytes) {
  const at = begin(letter, bytes.length);
  pending.set(bytes, at);
  filled += bytes.length;
}

function sendTwo(letter, one, other) {
  const at = begin(letter, 2);
  pending[at] = one;
  pending[at + 1] = other;
  filled += 2;
}

function ask(letter, number) {
  const at = begin(letter, 1);
  pending[at] = number;
  filled += 1;
  flush();
  return read(2);
}

const events = {
  usb(data) {
    send("L", data);
    for (const byte of data) if (byte === 10) lines++;
  },
  spi(byte) {
    let answer = steady;
    let stays = steady >= 0;
    if (stays) sendTwo("B", byte, answer);
    else if (opened && opening.length) {
      answer = opening[2 * byte];
      stays = opening[2 * byte + 1] !== 0;
      sendTwo("B", byte, answer);
    } else {
      const said = ask("S", byte);
      answer = said[0];
      stays = said[1] !== 0;
    }
    opened = false;
    if (stays) steady = answer;
    return answer;
  },
  pin(number, level) {
    steady = -1;
    opened = !level && selects.has(number);
    const mover = movers.indexOf(number);
    if (mover >= 0) calm = mover === movers.length - 1 ? calm - 1 : -1;
    sendTwo("P", number, level ? 1 : 0);
  },
  look() {
    if (calm >= 0) return;
    const said = ask("A", moved);
    calm = said[1];
    pico.drive(moved, said[0] !== 0);
  },
  frame(bytes) {
    send("W", bytes);
  },
  flash(op, address, length) {
    const bytes = Buffer.alloc(9);
    bytes.write(op[0], 0);
    bytes.writeUInt32LE(address, 1);
    bytes.writeUInt32LE(length, 5);
    send("F", bytes);
  },
  reset(cause) {
    send("Z", [cause ?? 0]);
  },
};
const pico = new Pico(images, events, 0, caching === "cached");

const commands = {
  // run: nanoseconds (a double), whether to stop at a line from USB
  R(bytes) {
    const until = bytes[8] ? lines : Infinity;
    pico.run(bytes.readDoubleLE(0), () => lines > until);
  },
  // connect: what is on the pins, as JSON, instead of what was
  K(bytes) {
    const wired = JSON.parse(bytes.toString());
    pico.unwire();
    movers.splice(0, Infinity, ...wired.movers);
    selects.clear();
    wired.selects.forEach((pin) => selects.add(pin));
    calm = Infinity; // as long as no mover changes
    opened = false;
    steady = -1;
    [...wired.watch, ...wired.movers].forEach((pin) => pico.watch(pin));
    moved = wired.moved;
    pico.strip(wired.strip);
  },
  // opening: an answer and whether it stays, for each first byte to a selected device; or nothing
  O(bytes) {
    opening = Uint8Array.from(bytes);
  },
  D(bytes) {
    pico.drive(bytes[0], [false, true, undefined][bytes[1]]);
  },
  V(bytes) {
    pico.rp.adc.channelValues[bytes[0]] = bytes.readUInt16LE(1);
  },
  T(bytes) {
    pico.type(bytes);
  },
  H(bytes) {
    pico.holdBack(bytes[0]);
  },
  X() {
    pico.reset();
  },
  U(bytes) {
    pico.drag(bytes);
  },
  C(bytes) {
    pico.cut = bytes.readUInt32LE(0);
    pico.torn = bytes[4] !== 0;
  },
  W(bytes) {
    pico.flash.set(bytes, FS_OFFSET);
  },
  // memory: of RAM, the address (4 bytes) and the count of bytes (4)
  M(bytes) {
    const at = bytes.readUInt32LE(0) - RAM;
    const length = bytes.readUInt32LE(4);
    const found = Buffer.from(pico.rp.sram.subarray(at, at + length));
    begin("M", length);
    flush();
    write(found, length);
  },
  // misses: whether to count those of the flash cache; a second time they are sent
  N(bytes) {
    if (bytes[0]) pico.rp.core.countMisses();
    else {
      const counted = Buffer.from(JSON.stringify(pico.rp.core.missesCounted()));
      begin("N", counted.length);
      flush();
      write(counted, counted.length);
    }
  },
  G() {
    const files = pico.flash.subarray(FS_OFFSET, FLASH_SIZE);
    begin("G", files.length);
    flush();
    write(files, files.length);
  },
};

for (;;) {
  const head = read(5);
  const letter = String.fromCharCode(head[0]);
  commands[letter](read(head.readUInt32LE(1)));
  sendTwo(".", pico.stopped ? 1 : 0, pico.usbReady ? 1 : 0);
  flush();
}
