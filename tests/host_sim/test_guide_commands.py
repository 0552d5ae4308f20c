# SPDX-License-Identifier: MIT
"""The commands of the build guide, read from GUIDE.md and run in its order on `make pico`."""

import ast
import re
import shutil
import subprocess

import pytest

from hardware import guide_tables
from host_sim.__main__ import main
from host_sim.board.chips import flash_image
from host_sim.board.chips.ntag import NTAG213
from host_sim.board.hub.simulated_hub import configured, uid
from host_sim.board.pico import build_firmware
from host_sim.board.pico.emulator import IMAGE
from host_sim.board.pico.pty_port import NewPico
from host_sim.commands import selftest, tags
from host_sim.commands import type as prompt
from host_sim.lab import smoke_scripts
from host_sim.maker import usb_hub

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (on Debian)"
    ),
    pytest.mark.skipif(not shutil.which("make"), reason="needs make"),
]
ROOT = guide_tables.FILE.parents[1]
GUIDE = guide_tables.FILE.read_text()
OF_COMPUTER = {"make hardware", "make release"}  # no Pico is asked
STATIONS = {"hub12": 4, "breadboard": 3}  # where the guide says: as many as you build

TYPED_AT_TAGS = {  # part of the question, with "_" for a blank -> what is typed
    "lay_a_tag": ["", "q"],
    "written_and_read": "",
    "the_tag_on": "q",
    "are_written": "",
    "permanently": "no",
}


EVENING = "An evening's build"
SLOTS = guide_tables.EVENING
SECTIONS = (EVENING, 2, 6, 7, 10, 11)
MATCH = smoke_scripts.SCRIPTS / "match" / "an-evenings-build.table"


def section(name):
    """Return the text of a section. name: its number, or its heading if it has none."""
    head = "%d\\. " % name if isinstance(name, int) else name
    return re.search(r"^## %s.*?(?=^## |\Z)" % head, GUIDE, re.M | re.S)[0]


def commands(number):
    """Return a section's commands for a Pico, each once, in the order of the text; without those
    that a table names as a remedy."""
    text = re.sub(r"(?m)^\|.*\n", "", section(number))
    spans = (" ".join(span.split()) for span in re.findall(r"`(make [^`]+)`", text))
    return [*dict.fromkeys(span for span in spans if span not in OF_COMPUTER)]


def settings(number):
    """Return the settings that a section tells to write into config.py."""
    spans = re.findall(r"`([A-Z_]+) = ([^`\n]+)`", section(number))
    found = {name: ast.literal_eval(value) for name, value in spans if name != "STATIONS"}
    number = dict(spans).get("STATIONS")
    return {**found, "STATIONS": int(number) if number else STATIONS[found["WIRING"]]}


def recipe(command, port):
    """Return the words after `host_sim` that make would run for a command."""
    words = [*command.split(), "PORT=" + port]
    said = subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, capture_output=True, text=True)
    (line,) = re.findall(r"-m host_sim (.+)", said.stdout)
    return line.split()


class Maker:
    """A maker, who types at `make pico` what the guide says, and runs its commands beside it.

    steps: a generator of the lines to type
    tries: what the maker does in a self-test
    ran: the commands that were run
    """

    def __init__(self, monkeypatch, capsys, tmp_path):
        self.board = None
        self.patch, self.capsys = monkeypatch, capsys
        self.ran, self.answers, self.tries = [], {}, self.press_and_hold
        self.config = build_firmware.config_source()
        firmware = build_firmware.firmware()
        # what takes long to copy and is the same in every flash
        there = {name: firmware[name] for name in firmware if "/" in name and "/games/" in name}

        class Board(NewPico):
            def _image(board):
                return flash_image.pack(there)

        def new_pico(config, paced, **more):
            self.board = Board(config, **more)
            return self.board

        monkeypatch.setattr("host_sim.board.pico.pty_port.NewPico", new_pico)
        monkeypatch.setattr(
            build_firmware, "firmware", lambda: {**firmware, "config.py": self.config}
        )
        monkeypatch.setattr(build_firmware, "config_source", lambda: self.config)
        monkeypatch.setattr(build_firmware, "ROOT", tmp_path)
        monkeypatch.setattr(usb_hub, "ANSWER_S", 300)  # an emulated hub on a busy machine is slow
        monkeypatch.setattr("builtins.input", self.typed)
        results, check = selftest.print_results, tags.check_set

        def test(hub):
            self.tries()
            return results(hub)

        def checked(*words):
            self.lift_and_lay()
            self.press_and_hold()
            return check(*words)

        monkeypatch.setattr(selftest, "print_results", test)
        monkeypatch.setattr(tags, "check_set", checked)

    def works(self, steps):
        self.steps = steps(self)
        assert main(["pico"]) == 0

    def typed(self, question):
        if question.startswith("roundhouse> "):
            line = next(self.steps, None)
            if line is None:
                raise EOFError
            return line
        for words, answer in self.answers.items():
            if words in question:
                return answer.pop(0) if isinstance(answer, list) else answer
        raise AssertionError(question)

    def press_and_hold(self):
        """Press E's button after a while, then hold it, which ends the self-test."""
        with self.board.lock:
            for ms, do in (
                (3000, self.board.press_down),
                (3200, self.board.press_up),
                (6000, self.board.press_down),
                (8000, self.board.press_up),
            ):
                self.board.later(ms, lambda do=do: do("E"))

    def press_and_lay_all(self):
        """Press the button of each slot of an evening's build, and lay an empty tag there."""
        board = self.board
        with board.lock:
            for n, slot in enumerate(SLOTS):
                tag = NTAG213(uid("at " + slot))
                board.later(3000 + 400 * n, lambda slot=slot: board.press_down(slot))
                board.later(3200 + 400 * n, lambda slot=slot: board.press_up(slot))
                board.later(4500, lambda slot=slot, tag=tag: board.put(tag, slot))

    def lift_and_lay(self):
        """Lift the tag on E and lay it down again, before `press_and_hold` ends the self-test."""
        board = self.board
        with board.lock:
            ((tag,),) = board.tags.values()
            board.later(500, lambda: board.remove("E"))
            board.later(4000, lambda: board.put(tag, "E"))

    def edits(self, values):
        """Write settings into firmware/config.py, in their own lines."""
        text = build_firmware.config_source().decode()
        for name, value in values.items():
            text, count = re.subn(r"(?m)^%s = .*$" % name, "%s = %r" % (name, value), text)
            assert count == 1, name
        self.config = text.encode()

    def runs(self, command, **answers):
        """Run a command of the guide, and return what it printed. answers: what is typed."""
        self.answers = {
            words.replace("_", " "): [*answer] if isinstance(answer, list) else answer
            for words, answer in answers.items()
        }
        self.capsys.readouterr()
        count = len(self.board.inputs)
        status = main(recipe(command, self.board.port_name))
        if command.startswith("make flash"):
            self.board.wait_for(lambda: len(self.board.inputs) > count)
            self.end_line()
        self.ran.append(command)
        said = self.capsys.readouterr().out
        assert status == 0 or "readers that do not answer" in said or "CHECK" in command, said
        return said

    def end_line(self):
        """End the line that mpremote's last byte may have begun on a busy machine. A real Pico is
        off the USB while it restarts, and does not get that byte."""
        with open(self.board.port_name, "wb", buffering=0) as port:
            port.write(b"\n")
        end = self.board.clock.us + 500_000
        self.board.wait_for(lambda: self.board.clock.us > end)

    def writes_tags(self, numbers):
        """Run what section 10 says about tags; a tag lies on E."""
        for command in numbers:
            said = self.runs(command, **TYPED_AT_TAGS)
            if command == "make tags":
                assert "1 of 91 have a tag" in said
            elif "CHECK" in command:
                assert re.search(r"^0-0 +1 of 91$", said, re.M), said
            elif "LOCK" in command:
                assert said.startswith("nothing was locked")


def plays(maker):
    """The first moves of a round, and that the hub took them."""
    for line in ("press 1", "press 2", "tap 12-12 1"):
        yield line
        assert maker.board.inputs[-1]["verdict"] == "ok", line


def trial(maker):
    """Section 2: one reader, alone, with a tag on it before there is a hub."""
    yield "put 0-0 E"
    for slot in ("1", "2", "M"):
        yield "fault %s" % slot
    maker.edits(settings(2))
    shown = re.findall(r"^ {7}(slot .*)$", section(2), re.M)
    assert len(shown) == 5
    for command in commands(2):
        said = maker.runs(command, **TYPED_AT_TAGS)
        if command == "make flash CONFIG=1":
            assert "the hub starts" in said
        elif command == "make selftest":
            assert [line for line in shown if line not in said] == [], said
        else:
            assert "1 of 91 have a tag" in said, said
    assert maker.ran == ["make flash CONFIG=1", "make selftest", "make tags"]
    yield "remove E"
    for slot in ("1", "2", "M"):
        yield "repair %s" % slot


def whole_hub12(maker):
    yield from trial(maker)
    maker.edits(settings(6))
    said = maker.runs("make flash")
    assert "CONFIG=1" in said, "it names what the board keeps"
    for number in (6, 7):
        for command in commands(number):
            said = maker.runs(command, which_colours="q")
            if command == "make selftest":
                assert "readers that do not answer: none" in said
    assert len(maker.board.slots) == STATIONS["hub12"] + 2
    yield "put 0-0 E"
    maker.writes_tags(commands(10))
    yield "remove E"
    yield from plays(maker)


def whole_breadboard(maker):
    yield from trial(maker)
    maker.edits(settings(11))
    maker.runs("make flash CONFIG=1")
    assert maker.board.config.WIRING == "breadboard"
    assert len(maker.board.slots) == STATIONS["breadboard"] + 2
    for command in commands(11):
        assert "readers that do not answer: none" in maker.runs(command, which_colours="q")
    yield from plays(maker)


def evening(maker):
    """An evening's build, with a whole match."""
    maker.tries = maker.press_and_lay_all
    maker.edits(settings(EVENING))
    shown = re.findall(r"^ {7}(.*)$", section(EVENING), re.M)
    assert len(shown) == 2 + len(SLOTS)
    for command in commands(EVENING):
        said = maker.runs(command, which_colours="q", **TYPED_AT_TAGS)
        if command == "make flash CONFIG=1":
            assert "the hub starts" in said
        elif command == "make selftest":
            assert "\n".join(shown) in said, said
            assert "slot E" not in said
        elif command == "make tags SET=6 SLOT=M":
            assert "1 of 28 have a tag" in said
        else:
            assert command == "make tags CARDS=1 SLOT=M" and "0 of " in said, said
    assert maker.ran[:2] == ["make flash CONFIG=1", "make selftest"] and len(maker.ran) == 4
    for slot in SLOTS:
        yield "remove %s" % slot
    yield from plays_match(maker)


def plays_match(maker):
    """The lines of a table script, each as the script expects it."""
    maker.capsys.readouterr()
    for raw in MATCH.read_text().splitlines():
        line = raw.split("#")[0].strip()
        if line and line.split()[0] not in ("stations", "absent"):  # the board has them already
            yield line
            said = maker.capsys.readouterr().out
            assert "? " not in said and "error" not in said, (line, said)
    assert maker.board.inputs[-1]["phase"] == "lobby"


@pytest.mark.parametrize(
    "steps",
    [evening, whole_hub12, whole_breadboard],
    ids=["evening", "hub12", "breadboard"],
)
def test_the_guides_commands_lead_from_a_new_pico_to_the_first_move(
    steps, monkeypatch, capsys, tmp_path
):
    maker = Maker(monkeypatch, capsys, tmp_path)
    maker.works(steps)
    assert next(maker.steps, "all was done") == "all was done"


def test_every_command_of_the_guide_is_in_a_section_that_is_run():
    spans = {" ".join(span.split()) for span in re.findall(r"`(make [^`]+)`", GUIDE)}
    run = {command for name in SECTIONS for command in commands(name)}
    assert spans - OF_COMPUTER == run


def test_a_tag_lies_on_a_board_before_a_hub_runs(capsys):
    board = NewPico(configured())
    try:
        assert prompt.by_hand(board, board.lock, ["put", "0-0", "E"]) == prompt.DONE
        assert "no slot" in prompt.by_hand(board, board.lock, ["put", "0-0", "14"])
        assert prompt.by_hand(board, board.lock, ["press", "1"]) == ""
        assert prompt.by_hand(board, board.lock, ["put", "E"]) == ""
        with board.lock:
            assert [len(laid) for laid in board.tags.values()] == [1]
    finally:
        board.close()
