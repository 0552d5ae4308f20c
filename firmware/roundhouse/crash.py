# SPDX-License-Identifier: MIT
"""Reports a crash, a mistake in config.py, or that the hub has stopped. Loaded when needed."""

import io
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    _Lamp = Callable[[int, tuple[int, int, int]], object]


STOPPED = '\n{"stopped": "by Ctrl-C; Ctrl-D or a reset starts the hub again"}'
LIGHTS = 28  # the strip's pin where config.py does not set it
_NOT_TEXT = (  # how other files begin, in lower case
    (b"<", "a web page (HTML), not the file shown on it"),
    (b"{\\rtf", "a formatted text (RTF)"),
    (b"pk\x03\x04", "a document of a word processor"),
    (b"%pdf", "a PDF"),
)
_SMALL = ("true", "false", "none")


def trace(error: BaseException) -> str:
    out = io.StringIO()
    sys.print_exception(error, out)
    return out.getvalue()


def report(error: BaseException, lamp: "_Lamp", pin: int) -> None:
    """Print an exception, save it in crash.txt, and light the pixel on `pin` by lamp(pin, rgb).

    If this raises MemoryError, the file is unchanged.
    """
    from roundhouse import console

    text = "%s: %s" % (type(error).__name__, error)
    print()  # the hub's last line may be incomplete
    print(console.error(text + "; the hub starts again, crash.txt has where it happened"))
    lamp(pin, (60, 0, 0))
    text = trace(error)[-480:]
    try:
        with open("crash.txt", "w") as file:
            file.write(text)
    except OSError:
        pass  # the flash itself may have failed


def place(error: BaseException, text: str | None = None, path: str = "config.py") -> str:
    """Return a one-line text for an exception, such as "config.py, line 12: SyntaxError: ...".

    text: the exception's traceback; if None, this function makes it.
    """
    odd = encoding(path)
    if odd:  # then the traceback may not even be text
        return "config.py: " + odd
    where = ""
    number = 0
    for line in (text or trace(error)).split("\n"):
        if 'File "config.py", line ' in line:
            number = int(line.split("line ")[1].split(",")[0])
            where = ", line %d" % number
    code = _line(path, number) if number else ""
    odd = _odd_letter(code) or _slip(error, code)
    if odd:
        return "config.py%s: %s" % (where, odd)
    if isinstance(error, SystemExit):
        return "config.py%s: sys.exit() would end the hub; take it out" % where
    return "config.py%s: %s: %s" % (where, type(error).__name__, error)


def encoding(path: str = "config.py") -> str:
    """Return what is wrong with a file's encoding, and the remedy; "" if nothing is."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return ""
    begin = data[:64].lstrip().lower()
    if data and not data.strip(b"\0"):
        return "it is all zeros, as after a power cut while it was copied; copy it again"
    for sign, what in _NOT_TEXT:
        if begin.startswith(sign):
            return "it is %s; save it as plain text" % what
    if data[:3] == b"\xef\xbb\xbf":
        return "a byte-order mark, which some editors add unseen; save it as UTF-8 without BOM"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or 0 in data[:4]:
        return "it is saved as UTF-16; save it as UTF-8 without BOM"
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            line.decode()
        except ValueError:  # UnicodeError is one
            return "line %d is not UTF-8; save the file as UTF-8 without BOM" % number
    return ""


def _line(path: str, number: int) -> str:
    """Return a line of a file without its comment, or "" if it cannot be read. number: counted
    from 1."""
    try:
        with open(path, "rb") as file:
            return file.read().split(b"\n")[number - 1].split(b"#")[0].decode()
    except (OSError, ValueError, IndexError):
        return ""


def _slip(error: BaseException, code: str) -> str:
    """Return a text about a common slip in a line of code and the remedy; "" if it is another
    mistake. error: what the line raised."""
    if isinstance(error, NameError):
        name, _, rest = code.partition("=")
        name = name.strip()
        if rest[:1] == "=":
            return "a setting has one =, as in %s = ..." % name
        word = str(error).split("'")[1] if "'" in str(error) else "it"
        if word.lower() in _SMALL:
            return "%s is written %s" % (word, word[0].upper() + word[1:].lower())
        return '%s: text needs quotes, as in %s = "%s"' % (word, name or "HOUSE", word)
    if isinstance(error, IndentationError):
        return "a setting begins its line; take out the spaces before it"
    return ""


def _odd_letter(code: str) -> str:
    """Return a text that names a wrong character in a line of code and the remedy; "" if all
    characters are right."""
    for letter in code:
        n = ord(letter)
        if 0x2018 <= n <= 0x201F or n in (0xAB, 0xBB, 0x2039, 0x203A):
            return "curly quotes; type straight ones, \" or '"
        if 0x2010 <= n <= 0x2015 or n == 0x2212:
            return "a long dash; type -"
        if 0xFF01 <= n <= 0xFF5E or n in (0x3001, 0x3002):
            return "a wide letter of another keyboard; type it as in English"
        if (
            n < 32
            and n not in (9, 13)
            or 0x2000 <= n <= 0x202F
            or n in (0xA0, 0xAD, 0x3000, 0xFEFF)
        ):
            return "a letter that cannot be seen, such as a no-break space; type the line again"
    return ""


def blink(text: str, lamp: "_Lamp") -> None:
    """Print an error and blink the first pixel red, three times and a pause, forever. No lamp of
    a match moves so. lamp: a function lamp(pin, rgb)."""
    from roundhouse import console

    text = "".join([letter if " " <= letter <= "~" else "?" for letter in text])
    while True:
        print(console.error(text))
        for dark_ms in 2 * (150, 150, 1250):
            lamp(LIGHTS, (40, 0, 0))
            time.sleep_ms(150)
            lamp(LIGHTS, (0, 0, 0))
            time.sleep_ms(dark_ms)


def stop(config: "Any") -> None:
    """Darken all lamps, silence the piezo and print that the hub has stopped.

    config: the module config.py, or None if it is not loaded yet.
    """
    import machine
    import neopixel

    pin, pixels = (config.PINS["lights"], 4 * len(config.SLOTS)) if config else (LIGHTS, 48)
    neopixel.NeoPixel(machine.Pin(pin), pixels).write()
    if config and config.SOUND:
        machine.Pin(config.PINS["piezo"], machine.Pin.OUT, value=0)
    print(STOPPED)


def setting(name: str, value: object, names: "Sequence[str]") -> str:
    """Return the error text for a setting that does not exist. names: the settings that exist."""
    odd = _odd_letter(name)
    if odd:
        return "config.py: %s: %s" % (name, odd)
    if isinstance(value, type(sys)):
        return "config.py: import %s: it needs no module; take the line out" % name
    return (
        "config.py: there is no setting %s; did you mean %s? (A name of your own begins with _)"
        % (name, nearest(name, names))
    )


def nearest(word: str, names: "Sequence[str]") -> str:
    """Return the item of `names` with the smallest edit distance to a word."""
    best = names[0]
    fewest = 99
    for name in names:
        row = list(range(len(name) + 1))
        for letter in word.upper():
            before = row
            row = [before[0] + 1]
            for i in range(len(name)):
                changed = before[i] + (letter != name[i])
                row.append(min(changed, before[i + 1] + 1, row[i] + 1))
        if row[-1] < fewest:
            best, fewest = name, row[-1]
    return best
