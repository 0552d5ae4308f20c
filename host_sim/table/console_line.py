# SPDX-License-Identifier: MIT
"""The type of a line of the hub's console."""

from typing import TypedDict


class ConsoleLine(TypedDict, total=False):
    """A line of the hub's console: the JSON object that the hub prints.

    The firmware's REFERENCE explains the keys; `table.schema` has the ranges of the values. Views
    use only lines that `schema.known` has returned.
    """

    # every line about an input
    input: str
    verdict: str | None  # None if a table script's input got no line
    by: int | None
    did: str | None
    phase: str
    round: int
    engine: str | None
    turn: int | None
    drawn: bool
    open: list[str]
    doubles: list[str]
    playable: list[str]
    ends: dict[str, int | list[int]]  # two numbers if either may be the end
    hands: dict[str, int | None]  # None: the hub does not count them
    boneyard: int | None  # likewise
    scores: dict[str, int | float]
    winner: list[int] | None
    lamps: str

    # some lines about an input
    why: str  # if the verdict is `unreadable`
    text: str  # if `why` is `text`
    wrong: str  # what is wrong with this text, if it is a card
    sides: dict[str, int]  # in line games
    gain: int  # if the input earned points at once
    game: str  # of `power-up`, `house`, `set`, `state`, `export` and `position`
    house: str  # with `game`
    set: int  # with `game`
    stations: list[str]  # with `game`, if a station before the last is missing
    trains: dict[str, list[str]]  # of `state`, `export` and `position`
    rules: dict[str, str]  # of `house`
    config: str  # of `power-up`, `state`, `export` and `position`, if config.py has other rules
    version: str  # of `power-up`
    n: int  # not printed by this firmware

    # health of a slot, and the self-test
    slot: str
    reader: str
    button: str
    register: str  # with `reader`, if a faulty reader still answers
    pixels: list[str]  # with `reader`, if a reader does not answer
    tag: str  # of the self-test and of `read`
    uid: str  # with `tag`
    selftest: str
    readers: list[str]  # of the end of the self-test
    buttons: list[str]  # with `readers`
    tags: list[str]  # with `readers`
    vsys: float  # of `state` and of the end of the self-test

    # other lines
    segment: int  # of `export`, with `data`
    data: str
    script: str  # of `position`
    help: list[str]  # of `help`
    lock: str  # of `lock`, until it is typed again; with `slot` and `sure`
    sure: str
    error: str
    warning: str
    remark: str  # at power-up
    dropped: int
    stopped: str

    # added by `schema.known`: the words that it does not know
    unknown: list[str]
