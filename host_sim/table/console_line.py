# SPDX-License-Identifier: MIT
"""The keys of the hub's console lines: the only table of them.

mypy checks these types, `table.schema` checks the lines of a hub by them, and the tables of keys
in the firmware's REFERENCE have their words.
"""

from typing import Annotated, TypedDict

from roundhouse.constants import MOST_SEATS


class Makes:
    """Marks the key of a kind of lines without an input.

    beside: the other keys that this kind must have
    """

    def __init__(self, *beside: str) -> None:
        self.beside = beside


class EveryInput(TypedDict, total=False):
    """The keys that every line about an input must have."""

    input: Annotated[str, "the input as script line or command; `power-up` once at the start"]
    # None only if a table script's input got no line
    verdict: Annotated[str | None, "`ok`, or [why not](#verdicts)"]
    phase: Annotated[str, "`lobby`, `engine`, `play`, `scoring` or `finished`"]
    round: Annotated[int, "the round's number; 0 in the lobby"]
    engine: Annotated[
        str | None,
        "the opening tile, `null` while it is not on the table; in Matador it may be `9-6`",
    ]
    turn: Annotated[int | None, "the seat whose turn it is, `null` outside `play`"]
    drawn: Annotated[bool, "whether that seat has declared a draw"]
    open: Annotated[
        list[str],
        "trains with a marker, and trains with tiles but no owner; in a line game every line",
    ]
    doubles: Annotated[list[str], "uncovered doubles, in closing order; none in a line game"]
    playable: Annotated[
        list[str],
        "slots where the rules allow a next tile, regardless of the tiles in the hands",
    ]
    ends: Annotated[
        dict[str, int | list[int]],
        "the number at the end of each begun train or line; two of them, higher first, while the"
        " next tile decides",
    ]
    hands: Annotated[dict[str, int | None], "tiles in each seat's hand, as counted"]
    boneyard: Annotated[int | None, "tiles left to draw, as counted"]
    scores: Annotated[dict[str, int | float], "totals of the match; half points as `25.5`"]
    winner: Annotated[list[int] | None, "`null` until `finished`, then the seats"]
    lamps: Annotated[
        str,
        "one [letter](#lamps) per pixel, four per slot: the stations in order, M, E; missing slots"
        " are left out",
    ]


class SomeInputs(TypedDict, total=False):
    """The keys that a line about an input may lack."""

    n: Annotated[int, "[how many changes](#how-many-changes) the journal has had"]
    by: Annotated[
        int | None,
        "the seat that made the input; `null` if no seat did, or if it was refused",
    ]
    did: Annotated[
        str | None, "[what the input was](#what-an-input-was), in a word; `null` when refused"
    ]
    why: Annotated[str, "[why a tag is not read](#why-a-tag-is-not-read)"]
    text: Annotated[str, "the tag's text, if `why` is `text`"]
    wrong: Annotated[str, "what is wrong with this text, if it is a card"]
    sides: Annotated[
        dict[str, int],
        "in line games alone: the numbers at which a line may begin, and how many places each has",
    ]
    gain: Annotated[int, "the points that the input earned at once"]
    game: Annotated[str, "which game is played"]
    house: Annotated[str, "the house, and its variant words"]
    set: Annotated[int, "the highest number of the set"]
    stations: Annotated[list[str], "the stations there are, where one before the last is missing"]
    trains: Annotated[dict[str, list[str]], "the round's tiles, slot by slot"]
    rules: Annotated[dict[str, str], "the options that changed; all of them where the game did"]
    config: Annotated[
        str, "the house of config.py, where the match has another; `changed`: other rules"
    ]
    version: Annotated[str, "of the firmware"]


class OtherLines(TypedDict, total=False):
    """The keys of lines without an input. A line that could be of two kinds is of the first. Keys
    that no kind must have are not checked."""

    slot: Annotated[str, "1 to %d, M or E" % MOST_SEATS]
    reader: Annotated[
        str, Makes("slot"), "how the slot's reader is; in the self-test, its chip's version"
    ]
    register: Annotated[str, "with `reader`, if a faulty reader still answers"]
    pixels: Annotated[list[str], "with `reader`, if a reader does not answer"]
    button: Annotated[str, Makes("slot"), "how the slot's button is"]
    segment: Annotated[int, Makes("data"), "of `export`: the number of a segment of the journal"]
    data: Annotated[str, "its bytes, as hexadecimal digits"]
    script: Annotated[str, Makes(), "a line of the script that `position` prints"]
    dropped: Annotated[int, Makes(), "how many lines were not read in time"]
    error: Annotated[str, Makes(), "bad input, or something wrong at power-up"]
    selftest: Annotated[str, Makes(), "`begin` or `end`"]
    readers: Annotated[list[str], "at the end of the self-test: the slots whose reader failed"]
    buttons: Annotated[list[str], "with `readers`: the slots whose button was not pressed"]
    tags: Annotated[list[str], "with `readers`: the slots where no tag was read"]
    vsys: Annotated[float, "volts behind the Pico's diode, `4.84`"]
    tag: Annotated[str, Makes("slot"), "of the self-test and of `read`: what a tag holds"]
    uid: Annotated[str, "with `tag`: its serial number"]
    warning: Annotated[str, Makes(), "the supply is weak"]
    remark: Annotated[str, Makes(), "at power-up: what config.py lacks"]
    stopped: Annotated[str, Makes(), "what ended the program"]
    lock: Annotated[str, Makes("slot", "sure"), "of `lock`, until it is typed again"]
    sure: Annotated[str, "with `lock`: what to do to go on"]
    help: Annotated[list[str], "of `help`: the commands"]


class ConsoleLine(EveryInput, SomeInputs, OtherLines, total=False):
    """A line of the hub's console: the JSON object that the hub prints.

    Views use only lines that `schema.known` has returned.
    """

    unknown: Annotated[list[str], "added by `schema.known`: the words that it does not know"]
