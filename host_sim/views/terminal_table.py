# SPDX-License-Identifier: MIT
"""The table in a terminal: one view of console lines, whoever says them.

The stations stand around the hub as on the table, clockwise from the upper right; each has its
four lamps, in colour and movement, and its train grows away from the hub. The view never decides
anything: it draws what table_state made of the lines, and asks for `state` when it comes late.
"""

import time
from math import sqrt

from rich.text import Text
from textual.app import App
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Footer, RichLog, Static

from host_sim.views import lamp_text
from host_sim.views.table_state import TableState
from roundhouse import lamps, words

FRAMES = 10  # a second
DARK = "grey35"
WOOD = "#3a2d24"
NARROWEST = 14  # columns from the hub's middle to its rim
ROW = "%-8s%4s%7s"
RING = words.SLOTS[1:]  # clockwise; M has a place among the stations
PAIRS = tuple(zip((*reversed(RING[6:]), ""), RING[:6]))  # left and right, from the top


def lamp(k, letter, tick, most, colour=True):
    """Return a lamp as rich Text: its glyph, in its colour at this moment."""
    if letter == ".":
        return Text(lamp_text.glyph(k, letter), DARK if colour else "")
    lit = lamp_text.level(k, letter, tick, most)
    glyph = lamp_text.glyph(k, letter)
    if not colour:
        return Text(glyph, "bold" if lit > 127 else "")
    share = 0.25 + 0.75 * lit / 255
    red, green, blue = (int(part * share) for part in lamp_text.hue(k, letter))
    return Text(glyph, "bold #%02x%02x%02x" % (red, green, blue))


def face(inner, outer, left):
    """Return a tile's two numbers in reading order, its inner one towards the hub."""
    return "[%d|%d]" % ((outer, inner) if left else (inner, outer))


def train(tiles, end, width, left):
    """Return a train as text of at most `width` columns, folded where it is long."""
    ends = "" if end is None else str(end)
    if isinstance(end, list):
        ends = "/".join(map(str, end))
    faces = [face(a, b, left) for a, b in tiles]
    mark = (" ◂" if left else "▸ ") if ends else ""

    def whole(shown, folded):
        parts = list(shown)
        if folded:
            parts.insert(len(parts) > 1, "+%d" % folded)
        words = parts + ([ends + mark if left else mark + ends] if ends else [])
        return "".join(reversed(words)) if left else "".join(words)

    shown, folded = list(faces), 0
    while len(whole(shown, folded)) > width and len(shown) > 1:
        shown.pop(len(shown) > 2)
        folded += 1
    text = whole(shown, folded)
    return text[-width:] if left else text[:width]


def blocks(tiles, end, width, left):
    """Return a train's three lines, with real faces; a long one is folded in its middle."""
    fits = max(1, (width - 9) // 7)
    folded = max(0, len(tiles) - fits)
    shown = list(tiles) if not folded else [*tiles[:1], None, *tiles[folded + 1 :]]
    if folded and fits == 1:
        shown = [None, tiles[-1]]
    lines = ["", "", ""]
    for tile in reversed(shown) if left else shown:
        parts = ("", "+%d" % folded, "")
        if tile:
            a, b = reversed(tile) if left else tile
            parts = ("╭──┬──╮", "│%2d│%-2d│" % (a, b), "╰──┴──╯")
        size = max(map(len, parts))
        lines = [line + part.center(size) for line, part in zip(lines, parts)]
    ends = "" if end is None else "/".join(map(str, end if isinstance(end, list) else [end]))
    if ends:
        mark = "%s ◂" % ends if left else "▸ %s" % ends
        blank = " " * len(mark)
        sides = (blank, mark, blank)
        lines = [side + line if left else line + side for side, line in zip(sides, lines)]
    return [(line + " ")[-width:] if left else (" " + line)[:width] for line in lines]


class HubPicture(Static):
    """The hub and the trains around it."""

    class Chosen(Message):
        """A slot was clicked, or its train. slot: its name."""

        def __init__(self, slot):
            super().__init__()
            self.slot = slot

    def __init__(self, seen, colour=True):
        super().__init__(id="hub")
        self.seen = seen
        self.colour = colour
        self.at = {}  # line of the screen -> row of PAIRS

    def on_click(self, event):
        """A click on a station or its train chooses the slot."""
        near = [y for y in (event.y, event.y - 1, event.y + 1) if y in self.at]
        if near:
            slot = PAIRS[self.at[near[0]]][event.x > self.size.width // 2]
            if slot:
                self.post_message(self.Chosen(slot))

    def cell(self, slot, tick, most, left):
        """Lamps and name of a slot; the turn lamp towards the hub."""
        letters = self.seen.lamps().get(slot)
        if letters is None:
            return Text(" " * 7)
        lit = [lamp(k, letter, tick, most, self.colour) for k, letter in enumerate(letters)]
        name = Text("%2s" % slot, "bold" if letters[0] in "tdTD" else "")
        row = [*reversed(lit), Text(" "), name] if left else [name, Text(" "), *lit]
        return Text.assemble(*row)

    def render(self):
        seen, width, height = self.seen, self.size.width, self.size.height
        if not seen.state:
            return Text("waiting for the hub ...")
        tick = int(time.monotonic() * 1000) >> lamps.TICK_SHIFT
        most = len(seen.state["doubles"])
        middle = self._middle(tick, most)
        count = max(2 * len(PAIRS), height)
        at = {int((row + 0.5) * count / len(PAIRS)): row for row in range(len(PAIRS))}
        self.at = at
        wide = max(NARROWEST, min(34, width // 5))
        lines = [Text() for _ in range(count)]
        tall = count >= 4 * len(PAIRS) and width > 2 * wide + 50
        for y, line in enumerate(lines):
            row, part, near = at.get(y), 1, y
            if row is None and tall:  # above or below a slot's own line
                near = next((n for n in (y - 1, y + 1) if n in at), y)
                part = 1 + y - near
            left, right = PAIRS[at[near]] if near in at else ("", "")
            away = (near - (count - 1) / 2) / (count / 2 + 1)
            half = max(NARROWEST, int(wide * sqrt(max(0, 1 - away * away))))
            arm = max(1, (width - 2 * half - 1) // 2)
            line.append(self._train(left, arm, True, part, tall).rjust(arm))
            line.append(self._across(row, half, tick, most, middle))
            line.append(self._train(right, arm, False, part, tall))
        return Text("\n").join(lines)

    def _across(self, row, half, tick, most, middle):
        """The hub from rim to rim, in one line of the screen."""
        rim = Text(" ") if self.colour else Text("|")
        inside = Text()
        if row is None:
            inside.append(" " * (2 * half - 1))
        else:
            left, right = PAIRS[row]
            room = " " * (half - NARROWEST)
            inside = Text.assemble(
                self.cell(left, tick, most, True),
                room,
                middle[row],
                room,
                self.cell(right, tick, most, False),
            )
        across = Text.assemble(rim, inside, rim)
        if self.colour:
            across.stylize("on " + WOOD)
        return across

    def _train(self, slot, arm, left, part, tall):
        """A train beside its slot; tall: with faces of three lines, of which `part` is meant."""
        if not slot or slot not in self.seen.lamps():
            return ""
        tiles, end = self.seen.train(slot), self.seen.state["ends"].get(slot)
        if tall:
            return blocks(tiles, end, arm - 2, left)[part]
        return train(tiles, end, arm - 1, left)

    def _middle(self, tick, most):
        """The hub's middle, a line a row: round, engine, its lamps."""
        state = self.seen.state
        lit = [
            lamp(k, letter, tick, most, self.colour)
            for k, letter in enumerate(self.seen.lamps()["E"])
        ]
        rows = [
            Text("round %d" % state["round"] if state["round"] else ""),
            Text(self.seen.phase()),
            Text("[%s]" % state["engine"].replace("-", "|") if state["engine"] else "E", "bold"),
            Text.assemble(*lit),
            Text("bone"),
            Text("yard %d" % state["boneyard"]),
        ]
        for row in rows:
            row.align("center", 2 * NARROWEST - 15)
        return rows


class TableScreen(App):
    """The view of a Source."""

    CSS = """
    #hub { width: 1fr; height: 1fr; padding: 0 1; }
    #side { width: 30; padding: 0 1; border-left: solid $primary; }
    #log { height: 7; border-top: solid $primary; }
    .narrow #side { width: 22; }
    """
    BINDINGS = [Binding("q", "quit", "quit")]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, source, names=None, colour=True):
        super().__init__()
        self.source = source
        self.seen = TableState(names)
        self.colour = colour
        self.told = 0
        self.asked_at = 0.0

    def compose(self):
        self.hub = HubPicture(self.seen, self.colour)
        self.side = Static(id="side")
        self.said = RichLog(id="log", wrap=True, max_lines=500)
        self.said.can_focus = False
        yield Vertical(Horizontal(self.hub, self.side), *self.between(), self.said)
        yield Footer()

    def between(self):
        """Return the widgets between table and log."""
        return ()

    def on_mount(self):
        self.title = self.source.title
        self.set_interval(1 / FRAMES, self.tick)
        self.tick()

    def on_resize(self, event):
        self.set_class(event.size.width < 100, "narrow")

    def tick(self):
        """Take what has come, and draw this moment."""
        if self.source.over:
            self.exit()
            return
        for line in self.source.poll():
            self.seen.line(line)
        fresh, self.source.fresh = self.source.fresh, False
        if fresh or self.seen.wants_state and time.monotonic() - self.asked_at > 2:
            self.asked_at = time.monotonic()
            self.source.send("state")
        for sentence in self.seen.log[self.told :]:
            self.said.write(sentence)
        self.told = len(self.seen.log)
        self.hub.refresh()
        self.side.update(self._side())

    def _side(self):
        state = self.seen.state
        out = [Text(self.source.title, "bold"), Text(self.source.status())]
        if state:
            out.append(Text())
            if state["turn"]:
                drawn = ", has drawn" if state["drawn"] else ""
                out.append(Text("%s's turn%s" % (self.seen.seat(state["turn"]), drawn), "bold"))
                out.append(Text("may play: " + " ".join(state["playable"])))
            if state["doubles"]:
                out.append(Text("doubles: " + " ".join(state["doubles"])))
            if state["open"]:
                out.append(Text("open: " + " ".join(state["open"])))
            out.append(Text("\n" + ROW % ("seat", "tile", "points"), "underline"))
            for seat, count in state["hands"].items():
                row = ROW % (self.seen.seat(seat)[:8], count, state["scores"].get(seat, ""))
                out.append(Text(row, "bold" if seat == str(state["turn"]) else ""))
            if state["winner"]:
                who = " and ".join(self.seen.seat(n) for n in state["winner"])
                out.append(Text("won by %s" % who, "bold"))
        for slot, part in self.seen.faults.items():
            out.append(Text("%s: %s faulty" % (self.seen.place(slot), part), "bold"))
        return Text("\n").join(out)


class Replay(TableScreen):
    """The view of a Tape, with its keys."""

    BINDINGS = [
        Binding("space", "play", "play"),
        Binding("right", "step(1)", "on"),
        Binding("left", "step(-1)", "back"),
        Binding("n,pagedown", "round(1)", "next round"),
        Binding("p,pageup", "round(-1)", "round before"),
        Binding("plus,equals_sign", "speed(0.5)", "faster"),
        Binding("minus", "speed(2)", "slower"),
    ]

    def action_play(self):
        self.source.runs = not self.source.runs
        self.tick()

    def action_step(self, count):
        self.source.step(count)
        self.tick()

    def action_round(self, way):
        self.source.round(way)
        self.tick()

    def action_speed(self, factor):
        self.source.pause = max(0.05, min(8, self.source.pause * factor))
        self.tick()
