# SPDX-License-Identifier: MIT
from collections.abc import Iterator, Sequence
from typing import Any

from roundhouse.console import Console
from roundhouse.drivers.buttons import Buttons
from roundhouse.drivers.piezo import Piezo
from roundhouse.drivers.presence import Readers
from roundhouse.drivers.strip import Strip
from roundhouse.feedback import Feedback
from roundhouse.games.match import Match
from roundhouse.journal import Journal
from roundhouse.lights import Lights

class Hub:
    table: Match
    slots: Sequence[int]
    reader: Readers
    buttons: Buttons
    lights: Lights
    strip: Strip
    journal: Journal
    console: Console
    time: Any
    random: Any
    feedback: Feedback
    no_memory: bool
    def __init__(
        self,
        *,
        table: Match,
        slots: Sequence[int],
        reader: Readers,
        buttons: Buttons,
        lights: Lights,
        strip: Strip,
        journal: Journal,
        console: Console,
        time: Any,
        random: Any,
        piezo: Piezo | None,
        config: tuple[str, bytes],
    ) -> None: ...
    def night(self, minutes: int, brightness: int) -> None: ...
    def step(self) -> bool: ...
    def scan(self) -> bool: ...
    def input(self, kind: int, slot: int, value: int, text: Any, where: int) -> None: ...
    def press(self, slot: int, text: str, where: int) -> None: ...
    def totals(self, text: str, where: int) -> None: ...
    def take_back(self, text: str, where: int) -> None: ...
    def show_again(self, letter: str, slot: int) -> None: ...
    def read_line(self) -> None: ...
    def put_input(
        self,
        text: str,
        verdict: int,
        by: int = 0,
        did: str | None = None,
        more: str = "",
        why: str = "",
    ) -> None: ...
    def put_state(self, text: str, trains: bool = False, more: str = "") -> None: ...
    def put_line(self, line: str) -> None: ...
    def refuse(self, text: str, verdict: int, where: int) -> None: ...
    def accept(self, text: str, where: int) -> None: ...
    def answer(self, where: int, letter: str) -> None: ...
    def start_job(self, steps: Iterator[None]) -> None: ...
    def confirmed(self, what: Any, within_ms: int) -> bool: ...
    def start_test(self) -> None: ...
