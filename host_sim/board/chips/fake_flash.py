# SPDX-License-Identifier: MIT
"""A Pico's flash and the file system on it: LittleFS in MicroPython's geometry, in RAM.

Erase and program operations are counted. They can also be recorded, made to fail, or interrupted
by a power cut.
"""

from collections.abc import Callable
from typing import Any, Self

from littlefs import LittleFS, LittleFSError

from host_sim.board.chips.flash_image import BLOCK, BLOCKS, GEOMETRY, Context


class _Context(Context):
    def __init__(self, flash: "Flash", image: bytearray) -> None:
        super().__init__(buffer=image)
        self.flash = flash

    def prog(self, cfg: Any, block: int, off: int, data: bytes) -> int:
        return self.flash.operation(self.buffer, block * BLOCK + off, bytes(data))

    def erase(self, cfg: Any, block: int) -> int:
        return self.flash.operation(self.buffer, block * BLOCK, None)


class Flash:
    """One flash chip with a file system on it. It has open() and the functions of `os` that a Pico
    has.

    image: the bytes of the flash, or None for a new file system

    erases, programs: the numbers of operations so far
    record: None, or a list that collects every operation as (address, data); data is None for an
        erase operation
    off: None, or the flash's content at the power cut (see `cut`)
    going: a function called at the power cut
    """

    def __init__(self, image: bytes | None = None, blocks: int = BLOCKS) -> None:
        self.erases = self.programs = 0
        self.record: list[tuple[int, bytes | None]] | None = None
        self.fails = False
        self.off: bytearray | None = None
        self.going: Callable[[], None] = lambda: None
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
    def image(self) -> bytearray:
        return self.fs.context.buffer

    def cut(self, operation: int, torn: bool = False) -> None:
        """Cut the power at a later operation.

        operation: 1 for the next operation; 0 for no power cut
        torn: whether to cut halfway through the operation, instead of before it
        """
        self._left, self._torn, self.off = operation, torn, None

    def operation(self, buffer: bytearray, address: int, data: bytes | None) -> int:
        """Erase a block if data is None, otherwise program the data. Return 0, or LittleFS's error
        number."""
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

    # ---- as in MicroPython's rp2.Flash ----

    @property
    def flash(self) -> "Flash":
        return self

    def readblocks(self, block: int, buffer: bytearray, offset: int) -> None:
        at = BLOCK * block + offset
        buffer[:] = self.image[at : at + len(buffer)]

    def ioctl(self, operation: int, argument: int) -> int:
        return len(self.image) // BLOCK if operation == 4 else 0

    # ---- as in MicroPython's os and io ----

    def open(self, path: str, mode: str) -> "_File":
        return _File(self, self.call(self.fs.open, path, mode, 0))

    def listdir(self, path: str = "/") -> list[str]:
        return self.call(self.fs.listdir, path)

    def mkdir(self, path: str) -> None:
        self.call(self.fs.mkdir, path)

    def remove(self, path: str) -> None:
        self.call(self.fs.remove, path)

    def rename(self, path: str, new_path: str) -> None:
        self.call(self.fs.rename, path, new_path)

    def call(self, method: Callable[..., Any], *args: Any) -> Any:
        """Call a method of LittleFS; raise OSError as MicroPython does.

        After a failed write, the file system is mounted again as soon as no file is open. Without
        this, LittleFS would stop at an assertion.
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
    def __init__(self, flash: Flash, raw: Any) -> None:
        self._flash = flash
        self._raw = raw
        flash._open += 1

    def read(self) -> bytes:
        return self._flash.call(self._raw.read)

    def write(self, data: bytes) -> None:
        return self._flash.call(self._raw.write, bytes(data))

    def flush(self) -> None:
        self._flash.call(self._raw.flush)

    def close(self) -> None:
        if self._raw:
            raw, self._raw = self._raw, None
            try:
                self._flash.call(raw.close)
            except OSError:
                setattr(raw, "__IOBase_closed", True)  # else it closes itself again when freed
                raise
            finally:
                self._flash._open -= 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def apply(buffer: bytearray, address: int, data: bytes | None, size: int) -> None:
    """Change a buffer as a flash operation would: erase or program `size` bytes at the address.

    To erase, `data` is None.
    """
    if data is None:
        buffer[address : address + size] = b"\xff" * size
    else:
        old = int.from_bytes(buffer[address : address + size])
        buffer[address : address + size] = (old & int.from_bytes(data[:size])).to_bytes(size)
