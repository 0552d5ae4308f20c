# SPDX-License-Identifier: MIT
"""The strip never draws more current than the budget, and a lit lamp stays lit."""

from hypothesis import given, settings
from hypothesis import strategies as st

from roundhouse.drivers.strip import Strip


class Wire:
    """The part of MicroPython's NeoPixel that the strip uses. `sent` is what was written."""

    def __init__(self, n):
        self.n = n
        self.buf = bytearray(3 * n)
        self.sent = []

    def write(self):
        self.sent.append(bytes(self.buf))


def strip(n, milliamps, brightness=255):
    return Strip(Wire(n), milliamps, brightness)


def send(a, rgb):
    a.show(bytearray(rgb))
    return a._pixels.sent[-1]


def current(grb):
    """Return the current in mA that a frame of WS2812B pixels draws."""
    return len(grb) // 3 + 20 * sum(grb) / 255


def test_pixels_with_another_order_get_their_colours_in_it():
    a = Strip(Wire(2), 1000, 255, order=(2, 1, 0))  # BGR
    assert send(a, [1, 2, 3, 40, 50, 60]) == bytes([3, 2, 1, 60, 50, 40])


frames = st.integers(1, 20).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(
            st.one_of(
                st.binary(min_size=3 * n, max_size=3 * n),
                st.just(b"\xff" * (3 * n)),
                st.just(b"\x01" * (3 * n)),
            ),
            min_size=1,
            max_size=6,
        ),
    )
)


@settings(max_examples=300)
@given(frames, st.integers(0, 1400), st.integers(0, 255))
def test_never_over_the_budget(frames, milliamps, brightness):
    n, frames = frames
    a = strip(n, milliamps, brightness)
    for rgb in frames:
        grb = send(a, rgb)
        assert current(grb) <= max(milliamps, n), (grb, milliamps)
        if milliamps <= n:
            assert not any(grb)


@settings(max_examples=200)
@given(st.binary(min_size=24, max_size=24), st.integers(1, 255))
def test_a_lit_byte_stays_lit_and_a_dark_one_dark(rgb, brightness):
    grb = send(strip(8, 10000, brightness), rgb)
    for i in range(0, 24, 3):
        g, r, b = grb[i : i + 3]
        for sent, wanted in ((r, rgb[i]), (g, rgb[i + 1]), (b, rgb[i + 2])):
            assert (sent > 0) == (wanted > 0)
            assert abs(sent - wanted * brightness / 255) <= 1.1


def test_full_brightness_changes_nothing():
    rgb = bytes(range(240))
    grb = send(strip(80, 10000), rgb)
    assert [grb[1::3], grb[0::3], grb[2::3]] == [rgb[0::3], rgb[1::3], rgb[2::3]]


def test_brightness_is_changed_at_any_time():
    a = strip(1, 1000)
    assert send(a, b"\x64\0\0") == b"\0\x64\0"
    a.brightness = 51
    assert send(a, b"\x64\0\0") == b"\0\x14\0"
    a.brightness = 0
    assert send(a, b"\x64\0\0") == b"\0\0\0"


def test_the_budget_is_used():
    # 48 pixels idle at 48 mA; 452 mA carry bytes up to 5763 in all.
    grb = send(strip(48, 500), b"\xff" * 144)
    assert 480 <= current(grb) <= 500
    assert len(set(grb)) == 1


def test_far_too_small_a_budget_keeps_the_brightest():
    # Room for bytes of 25 in all, and 36 bytes want light.
    grb = send(strip(12, 14), (b"\xff" + b"\x08" * 2) * 12)
    assert current(grb) <= 14
    assert set(grb[1::3]) == {1} and not any(grb[0::3])
    assert not any(send(strip(12, 12), b"\xff" * 36))
    assert not any(send(strip(12, 0), b"\xff" * 36))


def test_same_bytes_are_not_sent_again_but_refreshed():
    a = strip(4, 1000)
    rgb = bytearray(12)
    a.show(rgb)
    assert len(a._pixels.sent) == 1
    rgb[5] = 9
    a.show(rgb)
    assert len(a._pixels.sent) == 2
    for _ in range(a.REFRESH - 1):
        a.show(rgb)
    assert len(a._pixels.sent) == 2
    a.show(rgb)
    assert len(a._pixels.sent) == 3


def test_an_unchanged_frame_costs_nothing_until_the_refresh():
    a = strip(4, 1000)
    rgb = bytearray(b"\x05" * 12)
    a.show(rgb)
    a._fill = lambda rgb: 1 / 0
    for _ in range(a.REFRESH - 1):
        a.show(rgb, False)
    del a._fill
    a.brightness = 51
    a.show(rgb, False)
    assert a._pixels.sent[1:] == [b"\x01" * 12]


def test_a_pulse_does_not_make_a_steady_lamp_flicker():
    a = strip(12, 40)
    steady = b"\0\x80\0"
    bright, dark = b"\xff" * 12, b"\0" * 12
    levels = set()
    for i in range(120):
        send(a, steady + (bright if i % 20 < 8 else dark) + b"\0" * 21)
        levels.add(a._pixels.buf[0])
    assert len(levels) == 1, levels
    # Once nothing needs it any more, the lamp gets its level back.
    for _ in range(2 * a.HOLD + a.REFRESH):
        send(a, steady + b"\0" * 33)
    assert a._pixels.buf[0] == 0x80


def test_only_what_is_said_to_have_changed_is_looked_at():
    a = strip(8, 1000)
    rgb = bytearray(24)
    a.show(rgb)
    rgb[0] = rgb[12] = 9
    a.show(rgb, 0b10)
    assert a._pixels.sent[-1] == bytes(13) + b"\x09" + bytes(10), "green first; pixel 4 alone"
    a.show(rgb, 0b01)
    assert a._pixels.sent[-1] == b"\0\x09" + bytes(11) + b"\x09" + bytes(10)


def test_with_less_than_one_for_each_byte_it_rounds_down():
    a = strip(4, 5)  # 12 for 12 bytes
    assert send(a, b"\xc3" * 12) == bytes(12), "4095 of 4096 each"
