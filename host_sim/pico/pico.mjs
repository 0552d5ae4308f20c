// SPDX-License-Identifier: MIT
// A Raspberry Pi Pico that runs an unmodified MicroPython firmware, on top of rp2040js.
// All times are emulated nanoseconds; nothing depends on the wall clock, and every run is the same.
// What rp2040js lacks or has wrong is put right here: PIO on the emulated clock, an idle USB host that eats the CPU, pulls and
// read-back of pins, flash erase and program with their times, watchdog and machine.reset() with files kept. And the flash cache.
import fs from 'node:fs';
import { Core } from './core.mjs';
import { FlashCache } from './flash_cache.mjs';
import { makeStubRom } from './boot_rom.mjs';
import { Translation } from './translation.mjs';

const { RP2040, USBCDC, GPIOPinState, ConsoleLogger, LogLevel } = await import(process.env.RP2040JS);  // where it is installed

export const FS_OFFSET = 0xa0000;
export const FLASH_SIZE = 0x200000;  // the file system of an RPI_PICO: 352 blocks of 4 KiB up to here
const XIP = 0x10000000;
const GPIO_IN = 4;  // of the SIO registers
const UF2_MAGIC = 0x0a324655;
const ERASE_NS = 45e6;  // a sector of 4 KiB
const PROGRAM_NS = 400e3;  // a page of 256 bytes
const ONE_NS = 575;  // a high pulse longer than this is a 1 (WS2812B: 400 or 800 ns)
const LATCH_NS = 50000;  // this long low ends a frame
const UID = [0xe6, 0x61, 0x38, 0x52, 0x83, 0x4b, 0x2a, 0x2f];

export class Pico {
  /** images: files, raw from the start of the flash or UF2.
   *  on: { usb(bytes), spi(byte) -> byte, pin(number, level), look() before the pins are read, frame(bytes, nanos), flash(op, address, length), reset(cause) }; spiBus: 0 or 1
   *  cached: whether a program from flash waits where its cache does not hold it, as on a real one */
  constructor(images, on, spiBus = 0, cached = true) {
    this.on = on;
    this.spiBus = spiBus;
    this.translation = new Translation(FS_OFFSET, cached);
    this.cache = cached ? new FlashCache(this.translation.newer, this.translation.older) : null;
    this.flash = this.translation.flash.fill(0xff);
    for (const file of images) this.load(fs.readFileSync(file));
    this.outside = new Array(30).fill(undefined);  // how a pin is driven from outside: true, false, undefined
    this.watchers = new Array(30).fill(undefined);
    this.before = 0;  // nanoseconds of earlier boots
    this.typed = [];
    this.cut = 0;  // power is cut at this flash operation, counted down
    this.torn = false;  // and in its middle
    this.boot();
  }

  get nanos() { return this.before + this.rp.clock.nanos; }

  load(image) {
    if (image.readUInt32LE(0) !== UF2_MAGIC) { this.flash.set(image, 0); return; }
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
    rp.flash = new Uint8Array(0);  // loading the boot ROM empties the flash
    this.rom = makeStubRom();
    rp.loadBootrom(new Uint32Array(this.rom.rom.buffer, this.rom.rom.byteOffset, this.rom.rom.length / 4));
    rp.flash = this.flash;  // shared with the previous boot: flash survives
    ({ flash16: rp.flash16, flashView: rp.flashView, sram: rp.sram, sramView: rp.sramView } = this.translation);
    if (cause === null) rp.sram.fill(0);  // a watchdog reset keeps it
    rp.core = new Core(rp, this.cache, this.translation);
    rp.core.reset();
    this.cache?.flush();
    rp.onBreak = (code) => this.romCall(code);
    if (old) rp.adc.channelValues = old.adc.channelValues;  // what is wired to it stays
    const watchdog = rp.peripherals[0x40058];
    if (cause !== null) {
      watchdog.reason = cause;
      watchdog.scratchData.set(old.peripherals[0x40058].scratchData);
    }
    watchdog.onWatchdogTrigger = () => { watchdog.alarm.enable = false; this.resetCause = watchdog.reason; };
    this.resetCause = null;
    this.stopped = false;  // the power was cut
    rp.gpio.forEach((gpio, pin) => gpio.addListener(() => this.refresh(pin)));
    for (let pin = 0; pin < 30; pin++) this.refresh(pin);
    rp.pio.forEach(clockPio);
    stubCore1(rp);
    stubSilicon(rp);
    this.connectUsb(rp);
    this.connectSpi(rp);
    this.connectPins(rp);
    this.connectStrip(rp);
    rp.core.PC = XIP;  // the second-stage boot loader
  }

  /** power cycle (cause null) or watchdog-style reset (1: timer, 2: forced) */
  reset(cause = null) {
    this.before += this.rp.clock.nanos;
    this.typed = [];
    this.boot(cause);
    this.on.reset(cause);
  }

  // ---- flash ----

  romCall(code) {
    const { core } = this.rp, [r0, r1, r2] = core.registers;
    if (core.PC >= 0x4000) throw new Error(`BKPT #${code} at ${(core.PC - 2).toString(16)} (panic?)`);
    this.rom.trap(code, core, this.rp, (op) => this.flashCall(op, r0, r1, r2), core.cycleNanos);
  }

  flashCall(op, address, second, third) {
    const length = op === 'erase' ? second : third;
    this.on.flash(op, address, length);
    let whole = length;
    if (this.cut && --this.cut === 0) { this.stopped = true; whole = this.torn ? length >> 1 : 0; }
    if (op === 'erase') {
      this.flash.fill(0xff, address, address + whole);
      this.rp.clock.tick((whole / 4096) * ERASE_NS);
    } else {
      for (let i = 0; i < whole; i++) this.flash[address + i] &= this.rp.readUint8(second + i);  // NOR only clears bits
      this.rp.clock.tick((whole / 256) * PROGRAM_NS);
    }
    this.cache?.flush();  // as whoever calls it does on a real one
    if (address < FS_OFFSET) this.translation.forget();
  }

  // ---- running ----

  /** run for so many nanoseconds, or until done() (asked every 2000 instructions), or until the power is cut */
  run(nanos, done) {
    const end = this.nanos + nanos;
    while (end - this.nanos >= 1 && !this.stopped) {  // less than that may be lost in rounding, and never pass
      const { core, clock } = this.rp;
      for (let i = 0; i < 2000 && !this.stopped;) {
        if (core.waiting) {
          i++;
          const idle = clock.nextAlarm ? clock.nanosToNextAlarm : end - this.nanos;
          if (idle > 20000 && done()) return;  // about to sleep
          if (this.nanos + idle > end) { clock.tick(Math.max(0, end - this.nanos)); break; }
          clock.tick(idle);
        } else i += core.step(2000 - i);
        if (this.resetCause !== null) { this.reset(this.resetCause); break; }
      }
      if (done()) return;
    }
  }

  // ---- USB ----

  connectUsb(rp) {
    const cdc = (this.cdc = new USBCDC(rp.usbCtrl));
    this.usbReady = false;
    this.wanted = 0;
    cdc.onDeviceConnected = () => { this.usbReady = true; this.pump(); };
    // empty OUT transfers are not answered: rp2040js answers them with endless empty packets that keep the CPU awake
    rp.usbCtrl.onEndpointRead = (endpoint, size) => { if (endpoint === cdc.outEndpoint) { this.wanted = size; this.pump(); } };
    cdc.onSerialData = (data) => this.on.usb(data);
  }

  type(bytes) { this.typed.push(...bytes); this.pump(); }

  pump() {
    if (!this.wanted || !this.typed.length || !this.usbReady) return;
    const data = Uint8Array.from(this.typed.splice(0, this.wanted));
    this.wanted = 0;
    this.rp.usbCtrl.endpointReadDone(this.cdc.outEndpoint, data);
  }

  // ---- pins ----

  /** what an oscilloscope would see on the pin */
  level(pin) {
    const gpio = this.rp.gpio[pin], value = gpio.value;
    if (value === GPIOPinState.High) return true;
    if (value === GPIOPinState.Low) return false;
    if (this.outside[pin] !== undefined) return this.outside[pin];
    if (value === GPIOPinState.InputPullUp) return true;
    if (value === GPIOPinState.InputPullDown) return false;
    return gpio.rawInputValue;  // floating: keeps its last level
  }

  refresh(pin) {
    const gpio = this.rp.gpio[pin], level = this.level(pin);
    if (level === gpio.rawInputValue) return;
    gpio.setInputValue(level);
    this.watchers[pin]?.(level);
  }

  /** drive a pin from outside: true, false, or undefined to let it go */
  drive(pin, level) { this.outside[pin] = level; this.refresh(pin); }

  watch(pin) { this.watchers[pin] = (level) => this.on.pin(pin, level); }

  connectPins(rp) {
    const { sio } = rp, read = sio.readUint32.bind(sio);
    sio.readUint32 = (offset) => { if (offset === GPIO_IN) this.on.look(); return read(offset); };
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

  /** a strip of WS2812 pixels on a pin; a frame ends when the pin has been low for long enough */
  strip(pin) { this.stripPin = pin; this.connectStrip(this.rp); }

  connectStrip(rp) {
    if (this.stripPin === undefined) return;
    let rise = 0, bits = [];
    const latch = rp.clock.createAlarm(() => {
      const bytes = Buffer.alloc(bits.length >> 3);
      bits.forEach((bit, i) => { if (i >> 3 < bytes.length) bytes[i >> 3] |= bit << (7 - (i & 7)); });
      bits = [];
      if (bytes.length) this.on.frame(bytes);
    });
    this.watchers[this.stripPin] = (level) => {
      latch.cancel();
      if (level) { rise = rp.clock.nanos; return; }
      bits.push(rp.clock.nanos - rise > ONE_NS ? 1 : 0);
      latch.schedule(LATCH_NS);
    };
  }
}

/** rp2040js steps PIO from setTimeout with no notion of emulated time and ignores CLKDIV:
 *  drive each state machine from the emulated clock instead. */
function clockPio(pio) {
  const { rp2040 } = pio;
  pio.run = () => {};
  const sms = pio.machines.map((m) => {
    const sm = { busy: false };
    const cyc = () => ((m.clockDivInt || (m.clockDivFrac ? 0 : 65536)) + m.clockDivFrac / 256) * (1e9 / rp2040.clkSys);
    sm.kick = (n = 1) => { if (!sm.busy && m.enabled && !m.waiting) { sm.busy = true; alarm.schedule(n * cyc()); } };
    const alarm = rp2040.clock.createAlarm(() => {
      sm.busy = false;
      if (!m.enabled || m.waiting) return;
      const c0 = m.cycles;
      m.step();
      pio.checkChangedPins();
      sm.kick(Math.max(1, m.cycles - c0));
    });
    const checkWait = m.checkWait.bind(m);
    m.checkWait = () => { const w = m.waiting, c0 = m.cycles; checkWait(); if (w && !m.waiting) sm.kick(1 + m.cycles - c0); };
    return sm;
  });
  const write = pio.writeUint32.bind(pio);
  pio.writeUint32 = (o, v) => { write(o, v); pio.checkChangedPins(); if (o === 0) sms.forEach((s) => s.kick()); };
}

/** ROSC random bit (rp2040js: constant) and the flash chip's unique id (rp2040js: zeros) */
function stubSilicon(rp) {
  const rosc = rp.peripherals[0x40060], ssi = rp.peripherals[0x18000];
  let s = 2654435761, reply = [];
  const rr = rosc.readUint32.bind(rosc), sr = ssi.readUint32.bind(ssi), sw = ssi.writeUint32.bind(ssi);
  rosc.readUint32 = (o) => {
    if (o === 0x18) return 0x80001000;                             // STATUS: stable, enabled
    if (o !== 0x1c) return rr(o);
    s ^= s << 13; s ^= s >>> 17; s ^= s << 5; return (s >>> 7) & 1; // RANDOMBIT
  };
  ssi.writeUint32 = (o, v) => { if (o === 0x60 && v === 0x4b && !reply.length) reply = [0, 0, 0, 0, 0, ...UID]; sw(o, v); };
  ssi.readUint32 = (o) => (o === 0x60 && reply.length ? reply.shift() : sr(o));
}

/** rp2040js has one core and no inter-core FIFO. Soft reset resets core 1 and waits for its hello (0),
 *  so answer that; anything that would really start core 1 (_thread) throws. */
function stubCore1(rp) {
  let hello = false;
  const { sio } = rp, psm = rp.peripherals[0x40010];
  const r = sio.readUint32.bind(sio), w = sio.writeUint32.bind(sio), pw = psm.writeUint32.bind(psm);
  psm.writeUint32 = (o, v) => { const was = psm.frceOff; pw(o, v); if (was & ~psm.frceOff & 0x10000) hello = true; };
  sio.readUint32 = (o) => {
    if (o === 0x50) return 2 | (hello ? 1 : 0);
    if (o === 0x58) { hello = false; return 0; }
    return r(o);
  };
  sio.writeUint32 = (o, v) => { if (o === 0x54) throw new Error('core 1 is not emulated (_thread)'); if (o !== 0x50) w(o, v); };
}
