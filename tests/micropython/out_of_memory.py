# SPDX-License-Identifier: MIT
"""The whole hub on a heap that has so many bytes left and no more, on the MicroPython VM.

Each case is one input from one position. It is made with ever less heap, so that in the end each
of its allocations has been the first to fail. While Python code runs this VM collects no garbage;
on a board an allocation collects it before it fails. So boot's loop is left where the board
would have collected, after a pass that asks for it and in a pause, and taken up again.
"""

import builtins
import gc
import json
import os
import sys

import fake_board
from fake_board import WDT, clock, port

from roundhouse import constants, forget, journal
from roundhouse.drivers import files
from roundhouse.games.match import Match
from roundhouse.lights import Lights
from roundhouse.palettes import PALETTES

boot = fake_board.install()
FOLDER = boot.JOURNAL
COPY = "copy"
CRASH = "crash.txt"
PASSES = 24  # of the loop: an export of some segments
SHOWN = 20  # failures that are printed
PIECES = 9999
ROUNDS = 16  # of run, until a hub has to work again
say = print  # what a sweep prints itself
START, TIDY, LOAD = boot.start, boot.tidy, boot.load


class Bench:
    """One hub on the bench, and what became of it. hub: None where it has crashed."""

    def __init__(self):
        self.hub = None
        self.reader = None
        self.untidy = False
        self.escaped = None  # what came out of boot: then there is no hub any more
        self.said = None  # the last text that boot printed
        self.prints = 0
        self.ballast = [None] * PIECES  # what fills the heap; a stale pointer holds one of them
        self.filled = 0
        self.config = None
        boot.start = self.start
        boot.tidy = self.tidy
        builtins.print = self.print
        boot.chance = self.chance
        clock.sleep = self.sleep
        self.watchdog = WDT()

    # what boot calls

    def start(self, config):
        if not self.hub:
            self.hub = START(config)
            self.reader = fake_board.Reader(self.hub.reader)
        if self.untidy:
            self.untidy = False
            TIDY(self.hub)
        return self.hub

    def tidy(self, hub):
        if not self.hub:  # it is the start's
            TIDY(hub)
            return
        self.untidy = True
        raise fake_board.ENDED

    def print(self, text=None):
        port.write(b"\n")  # it ends what is half out
        if text:
            self.said = text
            self.prints += 1

    @staticmethod
    def chance():
        return 77

    def sleep(self, seconds):
        self.hub = None
        raise fake_board.ENDED

    # what a case does

    def run(self, passes=PASSES):
        """Let the hub run, until it has made so many passes, tidies up or pauses."""
        WDT.left = passes
        try:
            boot.run(self.config, self.watchdog)
        except fake_board.Ended:
            pass
        except Exception as error:
            self.escaped = error

    def main(self, passes=PASSES):
        """The same from main.py on."""
        if not self.hub:
            self.forget_modules()
        WDT.left = passes
        try:
            boot.main()
        except fake_board.Ended:
            pass
        except Exception as error:
            self.escaped = error

    @staticmethod
    def forget_modules():
        """Nothing but boot has been imported, as after a reset."""
        for name in list(sys.modules):
            if name.startswith("roundhouse") and name != boot.__name__ or name == "config":
                sys.modules.pop(name, None)

    def settle(self, run):
        """Run with enough memory, until nothing is left to do."""
        for _ in range(ROUNDS):
            run()
            done = WDT.left < 0
            gc.collect()
            yield
            if done:
                return
        raise AssertionError("it never comes to rest: %s" % (self.escaped or self.said))

    def do(self, what):
        """Prepare an input, which the next pass takes: a console's line, or `tap TEXT SLOT`."""
        if not what.startswith("tap "):
            port.type(what)
            return
        text, _, slot = what[4:].rpartition(" ")
        from roundhouse import tag_writer

        place = self.hub.slots.index(constants.slot_number(slot))
        self.reader.put(place, b"\xe1\x10\xff\x00" + tag_writer.message(text))
        forget("tag_writer", "drivers.held_tag")

    def say(self, what):
        """Make an input with enough memory; return its line."""
        self.forget()
        self.do(what)
        yield from self.settle(self.run)
        for line in self.told():
            if line.get("input") == what:
                return line
        raise AssertionError("nothing answers " + what)

    def starve(self, blocks):
        """Leave so many blocks of 16 bytes, in one piece."""
        gc.collect()
        yield
        gc.collect()
        yield
        reserve = bytearray(16 * blocks) if blocks else None
        size = 1 << 16
        while size:
            try:
                self.ballast[self.filled] = bytearray(size) if size >= 16 else object()
                self.filled += 1
            except MemoryError:
                size >>= 1
        del reserve
        gc.collect()
        yield

    def feed(self):
        """Give the memory back."""
        for i in range(self.filled):
            self.ballast[i] = None
        self.filled = 0
        gc.collect()
        yield

    def erase(self):
        """An empty flash."""
        if self.hub:
            self.hub.journal.close()
        self.hub = None
        self.untidy = False
        clock.us = 0  # it stays a small int, which takes no memory
        if FOLDER in os.listdir():
            empty(FOLDER)
            os.rmdir(FOLDER)
        if CRASH in os.listdir():
            os.remove(CRASH)

    def load(self, kept):
        """A flash with these files, and a hub that has resumed from it."""
        self.erase()
        os.mkdir(FOLDER)
        for name, data in kept.items():
            with open(FOLDER + "/" + name, "wb") as file:
                file.write(data)
        yield from self.settle(self.run)
        self.forget()

    def forget(self):
        """What was said until now does not count."""
        port.lines()
        self.said = None
        self.prints = 0

    # what must hold

    def told(self):
        """Return the lines that came, as objects."""
        lines = []
        for line in port.lines():
            try:
                lines += [json.loads(line)] if line else []
            except ValueError:
                assert self.prints, "a bent line: " + line  # cut off where the hub crashed
        if self.said:
            lines.append(json.loads(self.said))
        return lines

    def same(self):
        """The table is what a hub that is switched on now would resume; return its state."""
        table = Match(slots=self.hub.table.slots)
        if COPY not in os.listdir():
            os.mkdir(COPY)
        empty(COPY)
        for name, data in flash().items():
            with open(COPY + "/" + name, "wb") as file:
                file.write(data)
        fresh = journal.Journal(files, COPY, table)
        fresh.resume()
        assert not fresh.trouble, fresh.trouble
        assert fresh.match == self.hub.journal.match, "the match's number"
        assert list(fresh.inputs()) == list(self.hub.journal.inputs()), "the inputs"
        fresh.close()
        assert table.state == self.hub.table.state, "the state"
        return bytes(table.state)

    def lamps(self):
        """Once the answers are over the lamps are the table's."""
        lights = Lights(self.hub.slots, PALETTES["standard"])
        lights.show(self.hub.table)
        lights.letters(0)
        clock.us += 10_000_000
        self.hub.lights.letters(clock.ticks_ms())
        shown, meant = bytes(self.hub.lights.lamps), bytes(lights.lamps)
        assert shown == meant, "lamps %s, the table has %s" % (shown, meant)


def empty(folder):
    for name in os.listdir(folder):
        os.remove(folder + "/" + name)


def flash():
    """Return {name: bytes} of the journal."""
    found = {}
    for name in os.listdir(FOLDER):
        with open(FOLDER + "/" + name, "rb") as file:
            found[name] = file.read()
    return found


# ---- cases: what leads to a position, what is done there, and what must work after it ----

ROUND = ("join 1", "join 2", "tap 12-12 2")
LAID = ROUND + ("tap 12-5 2",)
NEARLY_FULL = LAID + 43 * ("hand 1 9",)
CASES = {
    "tap": (ROUND, "tap 12-5 2"),
    "refused": (LAID, "tap 12-5 1"),
    "last-tile": (ROUND + ("hand 2 1",), "tap 12-5 2"),
    "round-over": (LAID, "next"),
    "press": (LAID, "tap seat 1 1"),
    "totals": (LAID, "tap totals 3"),
    "undo": (LAID, "undo"),
    "redo": (LAID + ("undo",), "redo"),
    "correction": (LAID, "hand 1 9"),
    "house": (("join 1", "set 9"), "house matador"),
    "undo-house": (("set 9", "house matador"), "undo"),
    "redo-house": (("set 9", "house matador", "undo"), "redo"),
    "state": (LAID, "state"),
    "export": (NEARLY_FULL + ("hand 2 9",), "export"),
    "segment": (NEARLY_FULL, "hand 2 9"),
    "undo-segment": (NEARLY_FULL + ("hand 2 9",), "undo"),
    "new-match": (("join 1", "join 2", "next", "next"), "next"),
    "sound": (LAID, "sound off"),
    "power-up": (LAID, "power-up"),
    "new-flash": ((), "power-up"),
}
AFTER = "join 4"  # works in every phase but one, in which the new match is cleared


class Case:
    """An input from a position: what the hub says and keeps where there is memory enough."""

    def __init__(self, bench, name):
        self.name = name
        self.before, self.input = CASES[name]
        self.bench = bench
        self.run = bench.main if self.input == "power-up" else bench.run

    def learn(self):
        """See it once with enough memory; count the blocks it takes."""
        bench = self.bench
        bench.erase()
        yield from bench.settle(bench.run)
        for what in self.before:
            line = yield from bench.say(what)
            assert line["verdict"] == "ok", (self.name, line)
        bench.hub.journal.close()
        self.flash = flash() if self.before else {}
        yield from bench.load(self.flash)
        self.was = bench.same()
        self.prepare()
        gc.collect()
        yield
        before = gc.mem_alloc()
        self.run()
        self.blocks = (gc.mem_alloc() - before) // 16 + 8
        yield from bench.settle(self.run)
        self.line = [line for line in bench.told() if line.get("input") == self.input][0]
        self.becomes = bench.same()

    def prepare(self):
        """Everything is ready for the input."""
        bench = self.bench
        if self.input != "power-up":
            bench.do(self.input)
            return
        bench.hub.journal.close()
        bench.hub = None
        bench.forget_modules()
        if not self.before:
            bench.erase()

    def starve(self, blocks, passes):
        """Make the input with so many blocks left, for so many runs of the loop; return whether
        the hub went without memory, or what is wrong, as text."""
        bench = self.bench
        bench.escaped = None
        yield from bench.load(self.flash)
        self.prepare()
        yield from bench.starve(blocks)
        for _ in range(passes):
            self.run()
            gc.collect()
            yield
        yield from bench.feed()
        try:
            assert not bench.escaped, "power_up ended with %r" % bench.escaped
            yield from bench.settle(self.run)
            went = self.judge(bench.told(), passes)
            line = yield from bench.say("next" if self.name == "new-match" and went else AFTER)
            assert line["verdict"] == "ok", line
            bench.same()
            bench.lamps()
        except AssertionError as error:
            return "%s with %d blocks for %d runs: %s" % (self.name, blocks, passes, error)
        return went

    def judge(self, lines, passes):
        """What was said, kept and shown is one and the same."""
        bench = self.bench
        now = bench.same()
        assert now == self.was or now == self.becomes, "half an input is kept"
        bench.lamps()
        kept = flash()
        for name in self.flash:
            assert name in kept, name + " is gone"
            assert kept[name][: len(self.flash[name])] == self.flash[name], name + " is changed"
        answers = [line for line in lines if line.get("input") == self.input]
        errors = [line["error"] for line in lines if "error" in line]
        assert len(answers) < 2, lines
        if answers and answers[0]["verdict"] == self.line["verdict"]:
            assert now == self.becomes, "an acknowledged input is lost"
        else:
            assert errors or answers and answers[0]["verdict"] == "fault", lines
        for error in errors:
            assert "memory" in error.lower(), error
        if passes == 1:
            assert len(errors) <= 1, errors
        return len(errors) > 0


def sweep(names, every, few):
    """Make each of the named inputs again and again, `every` blocks less each time; 0: with so few
    amounts of memory. Says a line for each case; raises where something was wrong."""
    bench = Bench()
    bench.config = LOAD()
    wrong = 0
    yield
    for name in names:
        case = Case(bench, name)
        yield from case.learn()
        short = runs = 0
        less = every or case.blocks // few
        for blocks in range(case.blocks - 1 - less // 2, -1, -less):
            for passes in (1, 4):
                went = yield from case.starve(blocks, passes)
                runs += 1
                if isinstance(went, str):
                    wrong += 1
                    if wrong <= SHOWN:
                        say(went)
                else:
                    short += went
        say("%s: %d blocks, %d runs, %d without memory" % (name, case.blocks, runs, short))
    assert not wrong, "%d are wrong" % wrong
