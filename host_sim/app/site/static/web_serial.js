// SPDX-License-Identifier: MIT
// A real hub's console over Web Serial: opened by a click, and again whenever it is plugged in.
const BOARDS = [{ usbVendorId: 0x2e8a }]; // Raspberry Pi: a Pico that runs MicroPython

export class SerialConnection {
  static isSupported = "serial" in navigator;

  /** onEvent: called with {opened: true}, {bytes} and {closed: true}. */
  constructor(onEvent) {
    this.onEvent = onEvent;
    this.port = null;
    this.reader = null;
    this.wanted = false;
    this.written = Promise.resolve();
    if (SerialConnection.isSupported)
      navigator.serial.addEventListener("connect", ({ target }) => {
        if (this.wanted && !this.port) this.listen(target).catch(() => {});
      });
  }

  /** Open the only port that was allowed before, or let the user choose one. Needs a click. */
  async open() {
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
    this.onEvent({ opened: true });
    while (this.wanted && port.readable) await this.read(port); // an error ends a stream
    await port.close().catch(() => {});
    this.port = null;
    this.onEvent({ closed: true });
  }

  async read(port) {
    this.reader = port.readable.getReader();
    try {
      for (;;) {
        const { value, done } = await this.reader.read();
        if (done) return;
        this.onEvent({ bytes: value });
      }
    } catch {
      // a damaged byte: there is a new stream; a pulled cable: there is none
    } finally {
      this.reader.releaseLock();
      this.reader = null;
    }
  }

  write(text) {
    const bytes = new TextEncoder().encode(text);
    this.written = this.written.then(() => this.writeBytes(bytes)).catch(() => {});
  }

  async writeBytes(bytes) {
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
    this.written.then(() => this.reader?.cancel()).catch(() => {});
  }
}
