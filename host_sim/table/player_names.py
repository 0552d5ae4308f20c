# SPDX-License-Identifier: MIT
"""Cleans the names of players. Control characters, direction overrides, surrogates and unassigned
characters are removed.

A joiner (U+200C, U+200D) is kept only between two emoji, or between two letters of a script that
uses joiners. The result is in Unicode normalization form C.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import TypeVar

Seat = TypeVar("Seat")

LONGEST = 20  # characters of a name, as a person counts them
MARKS = 4  # on one character; Tibetan needs them
JOINED = 3  # joiners in one emoji; a family of four needs them
RAW = 1000  # code points that are read: normalizing takes time that grows with their square

NON_JOINER, JOINER = "\u200c", "\u200d"
JOINERS = NON_JOINER + JOINER
KEPT = "LMNPS"  # first letters of the categories that stay, beside spaces
# letters, marks and a symbol that are invisible: fillers, inherent vowels, an empty Braille cell
UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
EMOJI_STYLE = "\ufe0f"
TONES = (0x1F3FB, 0x1F3FF)  # skin tones, after a pictograph
FLAGS = (0x1F1E6, 0x1F1FF)  # letters of which two are a flag
PICTOGRAPHS = (  # ranges that contain those that can be joined (UTS #51)
    *((0x2190, 0x21FF), (0x2300, 0x23FF), (0x25A0, 0x27BF), (0x2900, 0x297F), (0x2B00, 0x2BFF)),
    *((0x1F000, 0x1F1E5), (0x1F200, 0x1F3FA), (0x1F400, 0x1FAFF)),
)
# first words of the names of the letters that a joiner joins or keeps apart
SCRIPTS = (
    *("ARABIC", "SYRIAC", "MANDAIC", "NKO", "MONGOLIAN"),
    *("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA"),
    *("MALAYALAM", "SINHALA", "MYANMAR", "KHMER", "BALINESE", "JAVANESE", "SUNDANESE", "CHAKMA"),
)
VIRAMA = 9  # the combining class of the signs that join consonants


def clean_name(text: object) -> str:
    """Return a name without forbidden characters, or ""."""
    if not isinstance(text, str):
        return ""
    text = unicodedata.normalize("NFC", "".join(map(_kept, text[:RAW])))
    text = unicodedata.normalize("NFC", "".join(_attached(text)))
    cut = characters(" ".join(text.split()))[:LONGEST]
    return "".join(cut).rstrip(JOINERS + " ")


def clean_names(names: Mapping[Seat, object]) -> dict[Seat, str]:
    """Return {seat: clean name}; a number tells equal names apart, and empty names are left
    out."""
    cleaned: dict[Seat, str] = {}
    for seat, name in names.items():
        if found := free_name(clean_name(name), cleaned.values()):
            cleaned[seat] = found
    return cleaned


def free_name(name: str, others: Iterable[str]) -> str:
    """Return `name`. If one of `others` is the same, apart from letter case, add a number, like
    `Ana 2`."""
    taken = {other.casefold() for other in others}
    found, number = name, 1
    while found and found.casefold() in taken:
        number += 1
        ending = " %d" % number
        found = "".join(characters(name)[: LONGEST - len(ending)]).rstrip() + ending
    return found


def spelling(name: str) -> str:
    """Return a name without letter case and accents: people may take two names with the same
    spelling for one."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def characters(text: str) -> list[str]:
    """Return a list of the characters that a person counts, nearly as in UAX #29. An emoji
    sequence is one character."""
    found: list[str] = []
    for sign in text:
        if found and _belongs(found[-1], sign):
            found[-1] += sign
        else:
            found.append(sign)
    return found


def printable(text: str) -> str:
    """Return a line of text that is safe to print on a terminal."""
    return "".join(map(_shown, text))


def _shown(sign: str) -> str:
    if sign in JOINERS or sign.isprintable() or unicodedata.category(sign) == "Zs":
        return sign
    return " " if sign.isspace() else ""


def _kept(sign: str) -> str:
    """Return a space for a space of any kind, "" for a forbidden code point, and any other code
    point unchanged."""
    if sign in JOINERS:
        return sign
    if sign.isspace():
        return " "
    return sign if unicodedata.category(sign)[0] in KEPT and sign not in UNSEEN else ""


def _attached(text: str) -> list[str]:
    """Return the code points of a text without loose joiners and marks."""
    out = [" "]
    marks = joins = 0
    joiner = ""
    for sign in text:
        if sign in JOINERS:
            joiner = sign
            continue
        marks = marks + 1 if _is_mark(sign) else 0
        if marks and (marks > MARKS or out[-1] == " "):
            continue
        if joiner and _is_joined(out, joiner, sign, joins):
            out.append(joiner)
            joins += 1
        elif not marks and not _within(sign, TONES):
            joins = 0
        joiner = ""
        out.append(sign)
    return out


def _is_joined(out: list[str], joiner: str, sign: str, joins: int) -> bool:
    """Return whether a joiner is allowed between the last code point of `out` and `sign`."""
    if joiner == JOINER and _is_pictograph(sign):
        before = len(out) - 1
        while before and (out[before] == EMOJI_STYLE or _within(out[before], TONES)):
            before -= 1
        return joins < JOINED and _is_pictograph(out[before])
    script = _script(sign)
    is_letter = not _is_mark(sign) or unicodedata.combining(sign) == VIRAMA
    return bool(script) and is_letter and script == _script(out[-1])


def _script(sign: str) -> str:
    """Return the code point's script, or "" if the script does not use joiners."""
    first = unicodedata.name(sign, "").partition(" ")[0]
    return first if first in SCRIPTS else ""


def _belongs(character: str, sign: str) -> bool:
    """Return whether a code point belongs to the character before it."""
    if sign in JOINERS or _is_mark(sign):
        return True
    if _within(sign, TONES):
        return _is_pictograph(character[-1])
    if _within(sign, FLAGS):
        return len(character) == 1 and _within(character, FLAGS)
    return character[-1] == JOINER and _is_pictograph(sign)


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "M"


def _is_pictograph(sign: str) -> bool:
    return any(_within(sign, block) for block in PICTOGRAPHS)


def _within(sign: str, block: tuple[int, int]) -> bool:
    return block[0] <= ord(sign) <= block[1]
