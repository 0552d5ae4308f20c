# SPDX-License-Identifier: MIT
"""Requests that the page sends to the console of a watched hub, and the hub's answers to them."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from host_sim.table.console_line import ConsoleLine

# part of an error that the hub prints -> the key of our sentence
ERRORS = {
    "no tag;": "no_tag",
    "more than one tag": "two_tags",
    "the tag is locked": "tag_locked",
    "the tag has a password": "tag_password",
    "a MIFARE Classic": "mifare_classic",
    "not an NTAG": "not_ntag",
    "the tag refused": "tag_refused",
    "the tag left": "tag_left",
    "does not fit this tag": "text_too_long",
    "the reader does not answer": "reader_fault",
    "this hub has no slot": "no_slot",
}
LONGEST = 16384  # characters of a config.py
PARTS = ("reader", "button", "tag")  # the parts of a slot that are tested
OK = "ok"
FAULT = "fault"
UNTESTED = ""
BROKEN = (FAULT, "stuck", "loose", "?")  # as the hub prints a part that does not work

Sentence = tuple[str, dict[str, Any]]  # (key, {placeholder: value})


class Console(Protocol):
    """The methods of a hub's console that HubClient calls."""

    def send(self, line: str) -> None:
        """Send a line of text to the hub's console."""

    def run(self, program: str, done: Callable[[bytes | None], object]) -> None:
        """Stop the hub's program and run another program on its board."""

    def start_again(self) -> None:
        """Start the hub's program again if it was stopped."""


class ConfigFile(NamedTuple):
    """The config.py of a hub whose program is stopped.

    text: None until the file is read
    wrong: what is wrong with the text, or ""
    """

    text: str | None = None
    wrong: str = ""


class HubClient:
    """Sends requests to one hub and receives the answers.

    answer: the sentence about the last request, or None
    results: {slot: {part: OK, FAULT or UNTESTED}} of the last self-test
    config: the ConfigFile while the hub's owner changes config.py, or None
    editor: the viewer who does that
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        # (line, answer if accepted, key of the answer if not)
        self._requests: list[tuple[str, Sentence, str]] = []
        # (lines, receiver)
        self._export: tuple[list[ConsoleLine], Callable[[str], None]] | None = None
        self.answer: Sentence | None = None
        self.results: dict[str, dict[str, str]] = {}
        self.is_testing = False
        self.config: ConfigFile | None = None
        self.editor: object = None

    def send(
        self, line: str, accepted: str, refused: str = "real_hub.not_now", **values: Any
    ) -> None:
        """Send a line to the hub's console.

        accepted: the key of the sentence if the hub accepts the line
        refused: the key of the sentence if the hub refuses the line
        values: for the placeholders in `accepted`
        """
        if self._is_stopped():
            return
        self.answer = ("real_hub.waits", {})
        self._requests.append((line, (accepted, values), refused))
        self._console.send(line)

    def export(self, save: Callable[[str], None]) -> None:
        """Ask the hub for an export of its match. save: called with the text when all of it has
        arrived."""
        if self._is_stopped():
            return
        self._export = ([], save)
        self.answer = ("real_hub.waits", {})
        self._console.send("export")

    def begin_test(self, slots: Iterable[str]) -> None:
        if self._is_stopped():
            return
        self.answer = None
        self.results = {slot: dict.fromkeys(PARTS, UNTESTED) for slot in slots}
        self.is_testing = True
        self._console.send("selftest")

    def end_test(self) -> None:
        if self.is_testing:
            self._console.send("selftest end")

    def read_config(self, program: str, changed: Callable[[], object]) -> None:
        """Stop the hub and read its config.py.

        program: the program for the board, which prints the file in hex, or `none` without one
        changed: called when the text has arrived or the read has failed
        """

        def done(output: bytes | None) -> None:
            try:
                printed = (output or b"?").decode().strip()
                data = b"" if printed == "none" else bytes.fromhex(printed)
            except ValueError:  # the program failed, or the board printed something else, too
                self._give_up_config()
            else:
                self._show_config(data)
            changed()

        self.answer, self.config = None, ConfigFile()
        self._console.run(program, done)

    def _show_config(self, data: bytes) -> None:
        """Show a config.py to be changed. One that could not be written back as it is stays as it
        is, and the hub starts again."""
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            self.leave_config()
            self.answer = ("hub_config.not_utf8", {"line": 1 + data[: error.start].count(b"\n")})
            return
        if len(text) > LONGEST:
            self.leave_config()
            self.answer = ("hub_config.too_long", {"count": len(text), "most": LONGEST})
            return
        self.config = ConfigFile(text)

    def write_config(self, program: str, changed: Callable[[], object]) -> None:
        """Write the hub's config.py, and then start the hub again.

        changed: called when writing has succeeded or failed
        """

        def done(output: bytes | None) -> None:
            if output is None:
                self._give_up_config()
            else:
                self.leave_config()
                self.answer = ("hub_config.written", {})
            changed()

        self._console.run(program, done)

    def leave_config(self) -> None:
        """Start the hub again without changing its config.py."""
        self.answer, self.config, self.editor = None, None, None
        self._console.start_again()

    def start(self) -> None:
        """Start the hub's program, which another program stopped."""
        self._console.start_again()

    def _is_stopped(self) -> bool:
        """Return whether the hub's program is stopped to change its config.py; if so, set
        `answer`."""
        if self.config:
            self.answer = ("hub_config.how", {})
        return self.config is not None

    def _give_up_config(self) -> None:
        self.leave_config()
        self.answer = ("hub_config.failed", {})

    def disconnect(self) -> None:
        """Drop all requests that have not been answered, because the hub was unplugged."""
        if self._requests or self._export or self.is_testing or self.config:
            self.answer = ("real_hub.was_lost", {})
        self._requests, self._export, self.is_testing = [], None, False
        self.config, self.editor = None, None

    def receive(self, line: ConsoleLine) -> bool:
        """Process a line from the hub; return True if it only answers a request and is not part of
        the story."""
        if "segment" in line:
            if self._export:
                self._export[0].append(line)
            return True
        if "selftest" in line or "tag" in line or (self.is_testing and "slot" in line):
            self._take_test(line)
            return True
        if line.get("input") == "export" and self._export:
            lines, save = self._export
            self._export, self.answer = None, ("real_hub.saved", {})
            save("".join(json.dumps(one) + "\n" for one in [*lines, line]))
            return False
        return self._take_answer(line)

    def _take_answer(self, line: ConsoleLine) -> bool:
        if not self._requests or not {"error", "input"} & set(line):
            return False
        request, accepted, refused = self._requests[0]
        if "error" in line:
            keys = [key for part, key in ERRORS.items() if part in line["error"]]
            self.answer = ("real_hub." + (keys or ["did_not"])[0], {})
            self._requests.clear()
            return True
        if line["input"] == request:
            del self._requests[0]
            if line["verdict"] != "ok":
                self.answer = (refused, {})
                self._requests.clear()
            elif not self._requests:
                self.answer = accepted
        return False

    def _take_test(self, line: ConsoleLine) -> None:
        if "slot" in line:
            parts = self.results.setdefault(line["slot"], dict.fromkeys(PARTS, UNTESTED))
            said: Mapping[str, object] = line
            for part in set(PARTS) & set(line):
                parts[part] = FAULT if said[part] in BROKEN else OK
            return
        self.is_testing = line["selftest"] == "begin"  # started at the hub or by this page
        readers = line.get("readers")
        for slot, parts in self.results.items():
            if isinstance(readers, list) and slot in readers:
                parts["reader"] = FAULT
