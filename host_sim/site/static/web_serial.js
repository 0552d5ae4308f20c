// SPDX-License-Identifier: MIT
// A real hub's console over Web Serial: opened by a click, and again when it is plugged in again.
const BOARDS = [{ usbVendorId: 0x2e8a }]; // Raspberry's: a Pico that runs MicroPython

export class Cable {
  static there = "serial" in navigator;

  // say: gets {opened: true}, {bytes} and {closed: true}
  constructor(say) {
    this.say = say;
    this.port = this.reader = null;
    this.wanted = false;
    this.written = Promise.resolve();
    if (Cable.there)
      navigator.serial.addEventListener("connect", ({ target }) => {
        if (this.wanted && !this.port) this.listen(target).catch(() => {});
      });
  }

  // From a click: the port that was allowed before, or the one that is chosen now.
  async plug() {
    if (this.port) return;
    const [known, ...others] = await navigator.serial.getPorts();
    const port = known && !others.length ? known : await this.choose();
    if (!port) return;
    this.wanted = true;
    await this.listen(port);
  }

  async choose() {
    try {
      return await navigator.serial.requestPort({ filters: BOARDS });
    } catch (error) {
      if (error.name === "NotFoundError") return null; // nothing was chosen
      throw error;
    }
  }

  async listen(port) {
    this.port = port;
    try {
      await port.open({ baudRate: 115200, bufferSize: 65536 });
    } catch (error) {
      this.port = null;
      throw error;
    }
    this.say({ opened: true });
    while (this.wanted && port.readable) await this.read(port); // a stream ends at every flaw
    await port.close().catch(() => {});
    this.port = null;
    this.say({ closed: true });
  }

  async read(port) {
    this.reader = port.readable.getReader();
    try {
      for (;;) {
        const { value, done } = await this.reader.read();
        if (done) return;
        this.say({ bytes: value });
      }
    } catch {
      // a byte that was damaged, or the cable is gone: then there is no stream any more
    } finally {
      this.reader.releaseLock();
      this.reader = null;
    }
  }

  write(text) {
    const bytes = new TextEncoder().encode(text);
    this.written = this.written.then(() => this.put(bytes)).catch(() => {});
  }

  async put(bytes) {
    const writer = this.port?.writable?.getWriter();
    if (!writer) return;
    try {
      await writer.write(bytes);
    } finally {
      writer.releaseLock();
    }
  }

  close() {
    this.wanted = false;
    this.reader?.cancel().catch(() => {});
  }
}
