# SPDX-License-Identifier: MIT
"""A Pico's flash and the file system on it: LittleFS in MicroPython's geometry, in RAM.

Every erase and every program is counted and can be recorded, made to fail, or be the moment in
which the power goes.
"""

from littlefs import LittleFS, LittleFSError, UserContext

from host_sim.chips.flash_image import BLOCK, BLOCKS, GEOMETRY


class _Context(UserContext):
    def __init__(self, flash, image):
        super().__init__(buffer=image)
        self.flash = flash

    def prog(self, cfg, block, off, data):
        return self.flash.operation(self.buffer, block * BLOCK + off, bytes(data))

    def erase(self, cfg, block):
        return self.flash.operation(self.buffer, block * BLOCK, None)


class Flash:
    """One flash chip with a file system on it, which is used like a Pico's: open() and os.

    image: its bytes, or None for a new file system. `erases` and `programs` count. `record`: a
    list that gets (address, data or None for an erase) of every operation. `fails`: True lets
    every operation fail. `cut(n, torn)`: the power goes in the n-th operation from now, before it
    or in its middle; `off` is the flash as it is then, and None before; `going` is called then.
    """

    def __init__(self, image=None, blocks=BLOCKS):
        self.erases = self.programs = 0
        self.record = None
        self.fails = False
        self.off = None
        self.going = lambda: None
        self._left = 0
        self._torn = False
        self._open = 0  # files
        self._unclean = False
        buffer = bytearray(image) if image else bytearray(b"\xff" * BLOCK * blocks)
        geometry = {**GEOMETRY, "block_count": len(buffer) // BLOCK}
        self.fs = LittleFS(
            context=_Context(self, buffer), mount=False, disk_version=0x00020000, **geometry
        )
        if image is None:
            self.fs.format()
        self.fs.mount()

    @property
    def image(self):
        return self.fs.context.buffer

    def cut(self, operation, torn=False):
        self._left, self._torn, self.off = operation, torn, None

    def operation(self, buffer, address, data):
        """Erase a block (data None) or program data: 0, or LittleFS's number of the error."""
        if self.fails:
            return -5  # LFS_ERR_IO
        size = BLOCK if data is None else len(data)
        if self._left:
            self._left -= 1
            if not self._left:
                self.going()
                self.off = bytearray(buffer)
                apply(self.off, address, data, size // 2 if self._torn else 0)
        if self.record is not None:
            self.record.append((address, data))
        if data is None:
            self.erases += 1
        else:
            self.programs += 1
        apply(buffer, address, data, size)
        return 0

    # ---- as in MicroPython's os and io ----

    def open(self, path, mode):
        return _File(self, self.call(self.fs.open, path, mode, 0))

    def listdir(self, path="/"):
        return self.call(self.fs.listdir, path)

    def mkdir(self, path):
        self.call(self.fs.mkdir, path)

    def remove(self, path):
        self.call(self.fs.remove, path)

    def call(self, method, *args):
        """Call LittleFS; say what fails as MicroPython does.

        After an error of a write its cache is not clean: MicroPython's build carries on, this one
        stops at an assertion. Mounting anew cleans it; no file is open then.
        """
        if self._unclean and not self._open:
            self._unclean = False
            self.fs.unmount()
            self.fs.mount()
        try:
            return method(*args)
        except LittleFSError as error:
            self._unclean = True
            raise OSError(-error.code, str(error)) from None


class _File:
    """An open file."""

    def __init__(self, flash, raw):
        self._flash = flash
        self._raw = raw
        flash._open += 1

    def read(self):
        return self._flash.call(self._raw.read)

    def write(self, data):
        return self._flash.call(self._raw.write, bytes(data))

    def flush(self):
        self._flash.call(self._raw.flush)

    def close(self):
        if self._raw:
            raw, self._raw = self._raw, None
            try:
                self._flash.call(raw.close)
            finally:
                self._flash._open -= 1

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()


def apply(buffer, address, data, size):
    """Erase (data None) or program the first `size` bytes at an address."""
    if data is None:
        buffer[address : address + size] = b"\xff" * size
    else:
        part = zip(buffer[address : address + size], data)
        buffer[address : address + size] = bytes([old & new for old, new in part])
