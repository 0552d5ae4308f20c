# SPDX-License-Identifier: MIT
"""The strip: sends frames of R, G, B bytes to addressable pixels, within a current budget.

A WS2812B pixel draws about 1 mA by itself and 20 mA for each colour at full level (WS2812B
datasheet): I = 1 mA * n + 20 mA * sum(bytes) / 255. If a frame would exceed the budget, the whole
frame is scaled down. Full scale returns only after HOLD frames in a row within the budget, because
otherwise a pulsing lamp would make steady lamps flicker.

The budget follows the supply. If VSYS, after the Pico's diode, falls below 4.3 V, the budget is
lowered by two eighths; after each minute above 4.5 V it is raised by one eighth.

A byte that is not zero is sent as 1 or more at any brightness, if the budget allows it. If the n
dark pixels alone use up the budget (milliamps <= n), every frame is dark.
"""

from roundhouse.drivers import const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


PIXEL_MA = 1
LEVEL_MA = 20
_ONE = 4096  # the scale that changes nothing
FULL = 8  # eighths

_READINGS = const(4)
# Four readings of VSYS / 3, 65535 for 3.3 V each.
_LOW = const(113858)  # 4.3 V
_WELL = const(119155)  # 4.5 V
_NOBODY = const(79436)  # 3.0 V: USB is never that low, so this Pico does not measure VSYS
_PATIENCE = const(15)  # HOLDs, with 20 ms per call: a minute


class Strip:
    """One strip with a current budget.

    pixels: an object like MicroPython's NeoPixel: `n`, `buf` (three bytes a pixel), `write()`.
    milliamps: the current that the whole strip may draw.
    brightness: 0 (dark) .. 255, may change at any time.
    supply: a machine.ADC that measures VSYS / 3, or None.
    order: the colours of a pixel's bytes, in the order sent: 0 red, 1 green, 2 blue.

    share: how many eighths of the budget may be drawn now.
    """

    share: int

    REFRESH = 40  # calls after which the same bytes are sent again: a glitch heals
    HOLD = 200  # calls for which a scale is kept

    def __init__(
        self,
        pixels: "Any",
        milliamps: int,
        brightness: int = 64,
        supply: "Any" = None,
        order: "Sequence[int]" = (1, 0, 2),
    ) -> None:
        self._pixels = pixels
        self._buf = pixels.buf
        self._order = order
        n = pixels.n
        self._rgb: bytearray | None = None  # the frame's buffer
        self._sums = [0] * ((n + 3) // 4)  # of each four pixels, and of all
        self._total = 0
        self._sent_scale = -1
        self._milliamps = milliamps
        self.supply = supply
        self._well = 0  # HOLDs above 4.5 V
        self._allow(FULL)
        self.brightness = brightness
        self._scale = _ONE  # the budget's
        self._needed = _ONE  # the smallest scale in this hold
        self._held = 0
        self._unsent = self.REFRESH

    def show(self, rgb: bytearray, changed: int = -1) -> None:
        """Send a frame if a byte of it has changed, and at every REFRESH-th call.

        rgb: R, G, B (0..255) for each of the n pixels. Pass the same buffer each time; in a new
            one all pixels count as changed.
        changed: a mask; bit k must be set if any of pixels 4 * k to 4 * k + 3 has changed since
            the last call.
        """
        self._unsent += 1
        self._held += 1
        refresh = self._unsent >= self.REFRESH
        if (changed or refresh) and self._fill(rgb, changed) or refresh:
            self._unsent = 0
            self._pixels.write()

    def _allow(self, share: int) -> None:
        self.share = share
        n = self._pixels.n
        # The budget as a sum of bytes; more than all bytes at 255 is never needed, and keeps
        # every product below 2**30.
        spare = max(0, self._milliamps * share // FULL - PIXEL_MA * n)
        self._most = min(spare * 255 // LEVEL_MA, 3 * n * 255)

    def _follow(self) -> None:
        """Raise or lower the budget, depending on the supply's voltage."""
        level = 0
        for _ in range(_READINGS):
            level += self.supply.read_u16()
        if _NOBODY < level < _LOW:
            self._well = 0
            self._allow(max(1, self.share - 2))
        elif level > _WELL and self.share < FULL:
            self._well += 1
            if self._well >= _PATIENCE:
                self._well = 0
                self._allow(self.share + 1)

    def spares(self, rgb: bytearray) -> bool:
        """Return whether the budget allows this frame without scaling it down."""
        return (sum(rgb) * self.brightness // 255) + len(rgb) <= self._most

    def _fill(self, rgb: bytearray, changed: int) -> bool:
        """Scale rgb into the pixels' buffer; return whether the buffer changed."""
        changed = self._sum_up(rgb, changed)
        total = self._total
        scale = self.brightness * _ONE // 255
        up = _ONE - 1  # rounds up
        most = self._most
        budget = _ONE
        if (total * scale >> 12) + len(rgb) > most and total:
            lit = 0
            for level in rgb:
                if level:
                    lit += 1
            if most > lit:
                # Rounding up adds less than 1 a byte, so the sum stays within `most`.
                budget = (most - lit) * _ONE // total
            else:
                budget = most * _ONE // total
                up = 0
        if budget < self._needed:
            self._needed = budget
        if self._held >= self.HOLD:
            self._end_hold()
        if budget < self._scale:
            self._scale = budget
        if self._scale < scale:
            scale = self._scale

        if scale + up != self._sent_scale:
            self._sent_scale = scale + up
            changed = -1
        differs = False
        for part in range(len(self._sums)):
            if changed >> part & 1:
                differs = self._fill_part(rgb, part * 12, scale, up) or differs
        return differs

    def _end_hold(self) -> None:
        self._held = 0
        self._scale = self._needed
        self._needed = _ONE
        if self.supply:
            self._follow()

    def _sum_up(self, rgb: bytearray, changed: int) -> int:
        """Update the sums of the bytes of the slots in the mask `changed`, or of all slots if
        `rgb` is a new buffer. Return a mask of the slots whose sums were updated."""
        if rgb is not self._rgb:
            self._rgb = rgb
            changed = -1
        sums = self._sums
        for part in range(len(sums)):
            if changed >> part & 1:
                total = 0
                for i in range(12 * part, min(12 * part + 12, len(rgb))):
                    total += rgb[i]
                self._total += total - sums[part]
                sums[part] = total
        return changed

    def _fill_part(self, rgb: bytearray, start: int, scale: int, up: int) -> bool:
        buf = self._buf
        first, second, third = self._order
        changed = False
        for i in range(start, min(start + 12, len(rgb)), 3):
            a = rgb[i + first]
            b = rgb[i + second]
            c = rgb[i + third]
            if a or b or c:
                a = (a * scale + up) >> 12
                b = (b * scale + up) >> 12
                c = (c * scale + up) >> 12
            if buf[i] != a or buf[i + 1] != b or buf[i + 2] != c:
                buf[i] = a
                buf[i + 1] = b
                buf[i + 2] = c
                changed = True
        return changed
