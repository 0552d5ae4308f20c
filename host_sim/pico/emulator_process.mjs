// SPDX-License-Identifier: MIT
// The process of an emulated Pico, driven by emulator.py over two pipes. Python sends commands and
// plays everything that is wired to the pins.
//   RP2040JS=path/of/rp2040js/dist/esm/index.js node emulator_process.mjs cached|uncached IMAGE...
// A command is a letter, a length (4 bytes) and that many bytes; an event is a letter, the time in
// nanoseconds (a double), a length and bytes. After an event that needs an answer (a byte on the
// bus, the level of a pin that other pins move) the Pico waits for two bytes.
import fs from "node:fs";
import { Pico, FS_OFFSET, FLASH_SIZE } from "./pico.mjs";

const IN = 0;
const OUT = 1;
const [caching, ...images] = process.argv.slice(2);
const movers = new Set(); // pins whose change may move the pin `moved`
let moved = -1;
let stale = false; // a mover has changed since that pin was read
let steady = -1; // the bus's answer to any byte until a watched pin changes; -1: unknown
let lines = 0;

function read(length) {
  const buffer = Buffer.alloc(length);
  for (let n = 0; n < length;) {
    const got = fs.readSync(IN, buffer, n, length - n);
    if (!got) process.exit(0);
    n += got;
  }
  return buffer;
}

let pending = [];
function flush() {
  const all = Buffer.concat(pending);
  pending = [];
  try {
    for (let n = 0; n < all.length;) n += fs.writeSync(OUT, all, n);
  } catch (error) {
    if (error.code === "EPIPE") process.exit(0); // the other end is gone
    throw error;
  }
}

function send(letter, bytes = Buffer.alloc(0)) {
  const head = Buffer.alloc(13);
  head.write(letter, 0);
  head.writeDoubleLE(pico.nanos, 1);
  head.writeUInt32LE(bytes.length, 9);
  pending.push(head, bytes);
}

function ask(letter, bytes) {
  send(letter, bytes);
  flush();
  return read(2);
}

const events = {
  usb(data) {
    send("L", Buffer.from(data));
    for (const byte of data) if (byte === 10) lines++;
  },
  spi(byte) {
    if (steady >= 0) {
      send("B", Buffer.from([byte]));
      return steady;
    }
    const [answer, stays] = ask("S", Buffer.from([byte]));
    if (stays) steady = answer;
    return answer;
  },
  pin(number, level) {
    steady = -1;
    if (movers.has(number)) stale = true;
    send("P", Buffer.from([number, level ? 1 : 0]));
  },
  look() {
    if (!stale) return;
    stale = false;
    pico.drive(moved, ask("A", Buffer.from([moved]))[0] !== 0);
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
    send("Z", Buffer.from([cause ?? 0]));
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
    movers.clear();
    stale = false;
    steady = -1;
    wired.watch.forEach((pin) => pico.watch(pin));
    wired.movers.forEach((pin) => {
      movers.add(pin);
      pico.watch(pin);
    });
    moved = wired.moved;
    pico.strip(wired.strip);
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
  G() {
    send("G", Buffer.from(pico.flash.subarray(FS_OFFSET, FLASH_SIZE)));
  },
};

for (;;) {
  const letter = String.fromCharCode(read(1)[0]);
  const bytes = read(read(4).readUInt32LE(0));
  commands[letter](bytes);
  send(".", Buffer.from([pico.stopped ? 1 : 0, pico.usbReady ? 1 : 0]));
  flush();
}
