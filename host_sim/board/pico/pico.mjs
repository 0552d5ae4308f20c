// SPDX-License-Identifier: MIT
// A Raspberry Pi Pico that runs an unmodified MicroPython firmware, on top of rp2040js.
// All times are emulated nanoseconds; nothing depends on the wall clock, and every run is the same.
// It corrects and completes rp2040js: PIO on the emulated clock, a USB host that leaves an idle CPU
// asleep, pulls and read-back of pins, the times of flash erase and program, watchdog and
// machine.reset() that keep the files, and the flash cache.
import fs from "node:fs";
import { makeBootRom, starts } from "./boot_rom.mjs";
import { Core } from "./cpu.mjs";
import { FlashCache } from "./flash_cache.mjs";
import { Translator } from "./jit/translator.mjs";

const RP2040JS = await import(process.env.RP2040JS); // where it is installed
const { RP2040, USBCDC, GPIOPinState, ConsoleLogger, LogLevel } = RP2040JS;

export const FS_OFFSET = 0xa0000;
export const FLASH_SIZE = 0x200000; // up to here, an RPI_PICO's file system of 352 blocks of 4 KiB
const XIP = 0x10000000;
const GPIO_IN = 4; // of the SIO registers
const UF2_MAGIC = 0x0a324655;
const ERASE_NS = 45e6; // a sector of 4 KiB
const PROGRAM_NS = 400e3; // a page of 256 bytes
const ONE_NS = 575; // a high pulse longer than this is a 1 (WS2812B: 400 or 800 ns)
const LATCH_NS = 50000; // low for this long ends a frame
const EP0_IN_BUFFER_CONTROL = 0x80; // in the USB controller's memory; 8 bytes an endpoint
const USB_AVAILABLE = 1 << 10;
const LOADER = 3; // the cause of a reset that ends in the boot loader
const UID = [0xe6, 0x61, 0x38, 0x52, 0x83, 0x4b, 0x2a, 0x2f];

export class Pico {
  /** images: files, raw from the start of flash or UF2; spiBus: 0 or 1; cached: whether the
   * program waits on a miss of the flash cache, as on a real Pico.
   * on: callbacks usb(bytes), spi(byte) -> byte, pin(number, level), look() before pins are read,
   * frame(bytes), flash(operation, address, length), reset(cause). */
  constructor(images, on, spiBus = 0, cached = true) {
    this.on = on;
    this.spiBus = spiBus;
    this.translator = new Translator(FS_OFFSET, cached);
    this.cache = cached ? new FlashCache(this.translator.newer, this.translator.older) : null;
    this.flash = this.translator.flash.fill(0xff);
    for (const file of images) this.load(fs.readFileSync(file));
    this.outside = []; // by pin, how it is driven from outside: true, false, undefined
    this.watchers = [];
    this.before = 0; // nanoseconds of earlier boots
    this.typed = [];
    this.cut = 0; // flash operations until the power is cut; 0: it is not
    this.torn = false; // whether the last one is half done
    this.holdsBack = false; // the USB host takes nothing
    this.boot();
  }

  get nanos() {
    return this.before + this.rp.clock.nanos;
  }

  load(image) {
    if (image.readUInt32LE(0) !== UF2_MAGIC) {
      this.flash.set(image, 0);
      return;
    }
    for (let o = 0; o + 512 <= image.length; o += 512) {
      const at = image.readUInt32LE(o + 12) - XIP;
      this.flash.set(image.subarray(o + 32, o + 32 + image.readUInt32LE(o + 16)), at);
    }
  }

  // ---- power ----

  boot(cause = null) {
    const old = this.rp;
    const rp = (this.rp = new RP2040());
    rp.logger = new ConsoleLogger(LogLevel.Error, false);
    rp.flash = new Uint8Array(0); // loading the boot ROM clears the flash
    this.rom = makeBootRom();
    rp.loadBootrom(
      new Uint32Array(this.rom.rom.buffer, this.rom.rom.byteOffset, this.rom.rom.length / 4),
    );
    rp.flash = this.flash; // shared with the previous boot: flash survives
    ({
      flash16: rp.flash16,
      flashView: rp.flashView,
      sram: rp.sram,
      sramView: rp.sramView,
    } = this.translator);
    if (cause === null) rp.sram.fill(0); // a watchdog reset keeps it
    rp.core = new Core(rp, this.cache, this.translator);
    rp.core.reset();
    this.cache?.flush();
    rp.onBreak = (code) => this.romCall(code);
    if (old) rp.adc.channelValues = old.adc.channelValues; // its inputs stay connected
    const watchdog = rp.peripherals[0x40058];
    if (cause !== null) {
      watchdog.reason = cause;
      watchdog.scratchData.set(old.peripherals[0x40058].scratchData);
    }
    watchdog.onWatchdogTrigger = () => {
      watchdog.alarm.enable = false;
      this.resetCause = watchdog.reason;
    };
    this.resetCause = null;
    this.stopped = false; // the power was cut
    rp.gpio.forEach((gpio, pin) => gpio.addListener(() => this.refresh(pin)));
    for (let pin = 0; pin < 30; pin++) this.refresh(pin);
    rp.pio.forEach(clockPio);
    stubCore1(rp);
    stubSilicon(rp);
    this.connectUsb(rp);
    this.connectSpi(rp);
    this.connectPins(rp);
    this.connectStrip(rp);
    rp.core.PC = XIP; // the second-stage boot loader
    if (!starts(this.flash)) this.enterLoader();
    else if (this.flash[0x104] === 0xff) this.stopped = true; // no reset vector: the core locks up
  }

  /** Stop in the USB boot loader, until a UF2 file is dragged or the power is cut. */
  enterLoader() {
    this.stopped = true;
    this.on.reset(LOADER);
  }

  /** Write the blocks of a UF2 file as the boot ROM does, and start once it is whole. The boot ROM
   * erases a sector before the first block of each 16 that are numbered together, which is why a
   * UF2 file must fill its sectors (erratum RP2040-E14). */
  drag(uf2) {
    const before = this.translator.hash();
    const seen = new Set();
    const erased = new Set();
    let whole = false;
    for (let o = 0; o + 512 <= uf2.length; o += 512) {
      const [address, length, number, count] = [12, 16, 20, 24].map((at) =>
        uf2.readUInt32LE(o + at),
      );
      const at = address - XIP;
      const group = number >> 4;
      if (!erased.has(group)) this.flash.fill(0xff, at & ~4095, (at & ~4095) + 4096);
      erased.add(group);
      for (let i = 0; i < length; i++) this.flash[at + i] &= uf2[o + 32 + i];
      whole = seen.add(number).size === count;
    }
    this.translator.exchange(before);
    if (whole) this.reset();
    else this.enterLoader();
  }

  /** Power cycle (cause null) or reset by the watchdog (1: timer, 2: forced). */
  reset(cause = null) {
    this.before += this.rp.clock.nanos;
    this.typed = [];
    this.boot(cause);
    this.on.reset(cause);
  }

  // ---- flash ----

  romCall(code) {
    const { core } = this.rp;
    const [r0, r1, r2] = core.registers;
    if (core.PC >= 0x4000)
      throw new Error(`BKPT #${code} at ${(core.PC - 2).toString(16)} (panic?)`);
    const call = (op) => (op === "loader" ? this.enterLoader() : this.flashCall(op, r0, r1, r2));
    this.rom.trap(code, core, this.rp, call, core.cycleNanos);
  }

  flashCall(op, address, second, third) {
    const length = op === "erase" ? second : third;
    this.on.flash(op, address, length);
    let whole = length;
    if (this.cut && --this.cut === 0) {
      this.stopped = true;
      whole = this.torn ? length >> 1 : 0;
    }
    if (op === "erase") {
      this.flash.fill(0xff, address, address + whole);
      this.rp.clock.tick((whole / 4096) * ERASE_NS);
    } else {
      // NOR flash can only clear bits
      for (let i = 0; i < whole; i++) this.flash[address + i] &= this.rp.readUint8(second + i);
      this.rp.clock.tick((whole / 256) * PROGRAM_NS);
    }
    this.cache?.flush(); // on a real Pico the caller does it
    if (address < FS_OFFSET) this.translator.forget();
  }

  // ---- running ----

  /** Run for `nanos` nanoseconds, until done() (called every 2000 instructions), or until the power
   * is cut. */
  run(nanos, done) {
    const end = this.nanos + nanos;
    // less than 1 ns may be lost in rounding and never pass
    while (end - this.nanos >= 1 && !this.stopped) {
      const { core, clock } = this.rp;
      for (let i = 0; i < 2000 && !this.stopped;) {
        if (core.waiting) {
          i++;
          const idle = clock.nextAlarm ? clock.nanosToNextAlarm : end - this.nanos;
          if (idle > 20000 && done()) return; // about to sleep
          if (this.nanos + idle > end) {
            clock.tick(Math.max(0, end - this.nanos));
            break;
          }
          clock.tick(idle);
        } else i += core.step(2000 - i);
        if (this.resetCause !== null) {
          this.reset(this.resetCause);
          break;
        }
      }
      if (done()) return;
    }
  }

  // ---- USB ----

  connectUsb(rp) {
    const cdc = (this.cdc = new USBCDC(rp.usbCtrl));
    this.usbReady = false;
    this.wanted = 0;
    cdc.onDeviceConnected = () => {
      this.usbReady = true;
      this.pump();
    };
    // rp2040js answers empty OUT transfers with endless empty packets that keep the CPU awake
    rp.usbCtrl.onEndpointRead = (endpoint, size) => {
      if (endpoint === cdc.outEndpoint) {
        this.wanted = size;
        this.pump();
      }
    };
    cdc.onSerialData = (data) => this.on.usb(data);
    // a packet waits in its buffer, marked as available, until the host takes it
    this.waitingPackets = [];
    const taken = rp.usbCtrl.indicateBufferReady.bind(rp.usbCtrl);
    rp.usbCtrl.indicateBufferReady = (endpoint, out) => {
      if (!this.holdsBack || endpoint !== cdc.inEndpoint || out) {
        taken(endpoint, out);
        return;
      }
      const at = EP0_IN_BUFFER_CONTROL + 8 * endpoint;
      const mark = rp.usbDPRAMView.getUint32(at, true);
      rp.usbDPRAMView.setUint32(at, mark | USB_AVAILABLE, true);
      this.waitingPackets.push(() => {
        rp.usbDPRAMView.setUint32(at, mark, true);
        taken(endpoint, out);
      });
    };
  }

  /** Let the USB host hold back: 1 takes no more packets, 2 takes one that waits, 0 takes all. */
  holdBack(how) {
    this.holdsBack = how !== 0;
    for (const take of this.waitingPackets.splice(0, [Infinity, 0, 1][how])) take();
  }

  type(bytes) {
    this.typed.push(...bytes);
    this.pump();
  }

  pump() {
    if (!this.wanted || !this.typed.length || !this.usbReady) return;
    const data = Uint8Array.from(this.typed.splice(0, this.wanted));
    this.wanted = 0;
    this.rp.usbCtrl.endpointReadDone(this.cdc.outEndpoint, data);
  }

  // ---- pins ----

  /** The level that an oscilloscope would see on the pin. */
  level(pin) {
    const gpio = this.rp.gpio[pin];
    const value = gpio.value;
    if (value === GPIOPinState.High) return true;
    if (value === GPIOPinState.Low) return false;
    if (this.outside[pin] !== undefined) return this.outside[pin];
    if (value === GPIOPinState.InputPullUp) return true;
    if (value === GPIOPinState.InputPullDown) return false;
    return gpio.rawInputValue; // floating: keeps its last level
  }

  refresh(pin) {
    const gpio = this.rp.gpio[pin];
    const level = this.level(pin);
    if (level === gpio.rawInputValue) return;
    gpio.setInputValue(level);
    this.watchers[pin]?.(level);
  }

  /** Drive a pin from outside: true, false, or undefined to release it. */
  drive(pin, level) {
    this.outside[pin] = level;
    this.refresh(pin);
  }

  /** Take everything off the pins. */
  unwire() {
    this.watchers = [];
    this.outside = [];
    this.stripPin = undefined;
    for (let pin = 0; pin < 30; pin++) this.refresh(pin);
  }

  watch(pin) {
    this.watchers[pin] = (level) => this.on.pin(pin, level);
  }

  connectPins(rp) {
    const { sio } = rp;
    const read = sio.readUint32.bind(sio);
    sio.readUint32 = (offset) => {
      if (offset === GPIO_IN) this.on.look();
      return read(offset);
    };
  }

  connectSpi(rp) {
    const spi = rp.spi[this.spiBus];
    let reply = 0;
    const done = rp.clock.createAlarm(() => spi.completeTransmit(reply));
    spi.onTransmit = (value) => {
      reply = this.on.spi(value & 0xff);
      done.schedule((spi.dataBits * 1e9) / (spi.clockFrequency || 1e6));
    };
  }

  /** Connect a strip of WS2812 pixels; a frame ends when the pin has been low for LATCH_NS. */
  strip(pin) {
    this.stripPin = pin;
    this.connectStrip(this.rp);
  }

  connectStrip(rp) {
    if (this.stripPin === undefined) return;
    let rise = 0;
    let bits = [];
    const latch = rp.clock.createAlarm(() => {
      const bytes = Buffer.alloc(bits.length >> 3);
      bits.forEach((bit, i) => {
        if (i >> 3 < bytes.length) bytes[i >> 3] |= bit << (7 - (i & 7));
      });
      bits = [];
      if (bytes.length) this.on.frame(bytes);
    });
    this.watchers[this.stripPin] = (level) => {
      latch.cancel();
      if (level) {
        rise = rp.clock.nanos;
        return;
      }
      bits.push(rp.clock.nanos - rise > ONE_NS ? 1 : 0);
      latch.schedule(LATCH_NS);
    };
  }
}

/** Drive each PIO state machine from the emulated clock: rp2040js steps them from setTimeout and
 * ignores CLKDIV. */
function clockPio(pio) {
  const { rp2040 } = pio;
  pio.run = () => {};
  const sms = pio.machines.map((m) => {
    const sm = { busy: false };
    const cyc = () =>
      ((m.clockDivInt || (m.clockDivFrac ? 0 : 65536)) + m.clockDivFrac / 256) *
      (1e9 / rp2040.clkSys);
    sm.kick = (n = 1) => {
      if (!sm.busy && m.enabled && !m.waiting) {
        sm.busy = true;
        alarm.schedule(n * cyc());
      }
    };
    const alarm = rp2040.clock.createAlarm(() => {
      sm.busy = false;
      if (!m.enabled || m.waiting) return;
      const c0 = m.cycles;
      m.step();
      pio.checkChangedPins();
      sm.kick(Math.max(1, m.cycles - c0));
    });
    const checkWait = m.checkWait.bind(m);
    m.checkWait = () => {
      const w = m.waiting;
      const c0 = m.cycles;
      checkWait();
      if (w && !m.waiting) sm.kick(1 + m.cycles - c0);
    };
    return sm;
  });
  const write = pio.writeUint32.bind(pio);
  pio.writeUint32 = (o, v) => {
    write(o, v);
    pio.checkChangedPins();
    if (o === 0) sms.forEach((s) => s.kick());
  };
}

/** A random bit of the ROSC (constant in rp2040js) and the flash chip's unique id (zeros there). */
function stubSilicon(rp) {
  const rosc = rp.peripherals[0x40060];
  const ssi = rp.peripherals[0x18000];
  let s = 2654435761;
  let reply = [];
  const rr = rosc.readUint32.bind(rosc);
  const sr = ssi.readUint32.bind(ssi);
  const sw = ssi.writeUint32.bind(ssi);
  rosc.readUint32 = (o) => {
    if (o === 0x18) return 0x80001000; // STATUS: stable, enabled
    if (o !== 0x1c) return rr(o);
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    return (s >>> 7) & 1; // RANDOMBIT
  };
  ssi.writeUint32 = (o, v) => {
    if (o === 0x60 && v === 0x4b && !reply.length) reply = [0, 0, 0, 0, 0, ...UID];
    sw(o, v);
  };
  ssi.readUint32 = (o) => (o === 0x60 && reply.length ? reply.shift() : sr(o));
}

/** rp2040js has one core and no inter-core FIFO. A soft reset resets core 1 and waits for its hello
 * (0), so answer that; what would start core 1 (_thread) throws. */
function stubCore1(rp) {
  let hello = false;
  const { sio } = rp;
  const psm = rp.peripherals[0x40010];
  const r = sio.readUint32.bind(sio);
  const w = sio.writeUint32.bind(sio);
  const pw = psm.writeUint32.bind(psm);
  psm.writeUint32 = (o, v) => {
    const was = psm.frceOff;
    pw(o, v);
    if (was & ~psm.frceOff & 0x10000) hello = true;
  };
  sio.readUint32 = (o) => {
    if (o === 0x50) return 2 | (hello ? 1 : 0);
    if (o === 0x58) {
      hello = false;
      return 0;
    }
    return r(o);
  };
  sio.writeUint32 = (o, v) => {
    if (o === 0x54) throw new Error("core 1 is not emulated (_thread)");
    if (o !== 0x50) w(o, v);
  };
}
