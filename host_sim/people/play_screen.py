# SPDX-License-Identifier: MIT
"""Sitting at the simulated table: a start screen, then the view with a hand of tiles below it.

A tile is chosen with the arrow keys or a click and laid with Enter on the train it fits, or with
the name of a train (1..9, 0 for 10, m). What the hub refuses, the log tells why. The match is
saved after every input, and goes on the next time.
"""

import os
import shutil
from pathlib import Path

from rich.text import Text
from textual.app import App
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Footer, Input, Label, Select, Static

from host_sim.people import sheets
from host_sim.people.people_and_bots import STRENGTHS, Sitting, SittingSource
from host_sim.views.terminal_table import TableScreen
from roundhouse import tiles
from roundhouse.games import houses

HOUSES = {
    "puremco": "the common sheet: a double is covered by anyone in turn, three tiles with two",
    "jassshop": "the engine is in a hand; own train first; a double must be closed by all",
    "quebec": "one tile a turn, drawn doubles go on; open doubles lock the table",
    "goliath": "bonus tracks in the empty stations; notice and penalty",
    "original": "the highest double dealt begins; a double only with its second tile",
    "free": "nothing but real tiles is enforced: press when you are done",
    "classic": "equal halves touch, every double has four sides; draw until able",
    "matador": "halves that touch make ten; Matadors go anywhere; draw until able",
    "tiddle-a-wink": "two ends, no drawing; a double lets you go on",
    "draw": "two ends, draw until able",
    "block": "two ends, no drawing",
}
OWN = 0  # the set of whatever house is chosen
TUTORIAL = (
    "Welcome. Your tiles are below; the hub in the middle knows the rules. Press space to draw "
    "when nothing fits, Enter to lay the chosen tile.",
    "Choose a tile with the arrow keys (or click it). Tiles that fit are marked with a dot. Press "
    "Enter to lay it where it fits.",
    "Good. Where several trains fit, press the train's name: 1..9, 0 for 10, m for M. Try a tile "
    "that does not fit: the hub refuses it and the log says why.",
    "Press u to take the last input back: that is a button held for a second.",
    "Somebody forgot to tap, and the next tile is booked on them? Take back, tap the forgotten "
    "tile, tap the other one again:  u  [12|5]  [12|4]. The log names whom a tile was booked on. "
    "Lay a tile to go on.",
    "At the real table you tap the tile's tag on the station, then lay it. That is all: have fun.",
)


class Hand(Static):
    """The tiles of whoever's turn it is, one of them chosen."""

    def __init__(self, app):
        super().__init__(id="hand")
        self.play = app
        self.places = []  # (first column, row, index) of every tile drawn

    def render(self):
        play = self.play
        seat, hand = play.seat(), play.hand()
        if seat is None:
            return Text("... " if not play.over() else "the match is over: n begins another")
        fits = {tile for tile, _ in play.sitting.hints(seat)}
        out, column, row = Text("seat %d  " % seat, "bold"), 8, 0
        self.places = []
        for n, tile in enumerate(hand):
            mark = "·" if tile in fits else " "
            words = "%s[%s]" % (mark, tiles.text(tile).replace("-", "|"))
            if column + len(words) > self.size.width:
                out.append("\n        ")
                column, row = 8, row + 1
            self.places.append((column, row, n, len(words)))
            out.append(words, "reverse bold" if n == play.chosen else "")
            column += len(words)
        return out

    def on_click(self, event):
        for column, row, n, width in self.places:
            if event.y == row and column <= event.x < column + width:
                again = n == self.play.chosen
                self.play.chosen = n
                if again:
                    self.play.action_lay("")
                self.refresh()


class Play(TableScreen):
    """The view of a Sitting with somebody at it."""

    CSS = (
        TableScreen.CSS
        + """
    #hand { height: auto; min-height: 2; max-height: 5; padding: 0 1; background: $boost; }
    #tutor { height: auto; padding: 0 1; background: $warning 30%; display: none; }
    """
    )
    BINDINGS = [
        Binding("left", "choose(-1)", "tile", show=False),
        Binding("right", "choose(1)", "tile", show=False),
        Binding("enter", "lay('')", "lay"),
        *(Binding(str(n % 10), "lay('%d')" % n, show=False) for n in range(1, 11)),
        Binding("m", "lay('M')", "on M"),
        Binding("space", "press", "draw/pass"),
        Binding("u", "take_back", "take back"),
        Binding("o", "override", "override"),
        Binding("h", "hint", "hint"),
        Binding("plus,equals_sign", "speed(0.5)", "faster", show=False),
        Binding("minus", "speed(2)", "slower", show=False),
        Binding("n", "anew", "new match"),
    ]

    def __init__(self, sitting, colour=True, tutorial=False):
        super().__init__(SittingSource(sitting), colour=colour)
        self.sitting = sitting
        self.chosen = 0
        self.overrides = False
        self.lesson = 0 if tutorial else None
        self.anew = False  # it ended with the wish for another match

    def between(self):
        self.below = Hand(self)
        self.tutor = Static(id="tutor")
        return self.tutor, self.below

    def on_mount(self):
        super().on_mount()
        self.teach()

    def teach(self, done=None):
        """Show the lesson, or the next one when this one is done."""
        if self.lesson is None:
            return
        if done == self.lesson:
            self.lesson += 1
        self.tutor.styles.display = "block" if self.lesson < len(TUTORIAL) else "none"
        if self.lesson < len(TUTORIAL):
            step = "%d of %d  " % (self.lesson + 1, len(TUTORIAL))
            self.tutor.update(step + TUTORIAL[self.lesson])

    def seat(self):
        return self.sitting.waits_for()

    def hand(self):
        return sorted(self.sitting.hands.get(self.seat(), ()))

    def over(self):
        return self.sitting.line["phase"] == "finished"

    def tick(self):
        super().tick()
        self.chosen = max(0, min(self.chosen, len(self.hand()) - 1))
        self.below.refresh()

    def on_hub_picture_chosen(self, event):
        """A click on the hub is a key too."""
        self.action_lay(event.slot)

    # ---- keys ----

    def action_choose(self, way):
        if self.hand():
            self.chosen = (self.chosen + way) % len(self.hand())
            self.teach(0)
        self.below.refresh()

    def action_lay(self, slot):
        """Lay the chosen tile: on the slot named, or where it fits if that is one place."""
        seat, hand = self.seat(), self.hand()
        if seat is None or not hand:
            return
        tile = hand[self.chosen]
        if not slot:
            fits = [where for t, where in self.sitting.hints(seat) if t == tile]
            if len(fits) > 1:
                self.said.write("%s fits on %s: say which" % (tiles.text(tile), " ".join(fits)))
                return
            slot = fits[0] if fits else str(seat)
        if slot not in self.seen.lamps():
            return
        overrides, self.overrides = self.overrides, False
        if self.sitting.person_lays(tile, slot, overrides):
            self.teach(4 if self.lesson == 4 else 1)
        else:
            self.teach(2)
        self.tick()

    def action_press(self):
        if self.seat() is not None:
            self.sitting.person_presses(self.seat())
            self.tick()

    def action_take_back(self):
        """One input, and what bots did since: back to where somebody has the turn."""
        if not self.sitting.take_back():
            self.said.write("there is nothing to take back in this round")
        while self.seat() is None and self.sitting.take_back():
            pass
        self.teach(3)
        self.tick()

    def action_override(self):
        self.overrides = not self.overrides
        self.said.write(
            "the next tile counts although the rules refuse it"
            if self.overrides
            else "the rules decide again"
        )

    def action_hint(self):
        seat = self.seat()
        if seat is None:
            return
        moves = self.sitting.hints(seat)
        if moves:
            tile, slot = max(moves, key=lambda move: self.sitting.worth(seat, move))
            self.said.write("hint: %s on %s" % (tiles.text(tile), self.seen.place(slot)))
        else:
            self.said.write("hint: nothing fits; space draws, then passes")

    def action_speed(self, factor):
        self.source.pause = max(0.05, min(4, self.source.pause * factor))

    def action_anew(self):
        self.anew = True
        self.exit()


class Start(App):
    """What to play: every choice explained in a line. Ends with a Sitting, or None."""

    CSS = """
    #form { padding: 1 2; }
    Label { margin-top: 1; }
    Select, Input { width: 76; max-width: 100%; }
    Button { margin-right: 2; }
    #buttons { height: auto; margin-top: 1; }
    """
    BINDINGS = [Binding("q", "quit", "quit")]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, folder, house="puremco", set_=None):
        super().__init__()
        self.folder = Path(folder)
        self.house, self.set = house, set_
        self.kept = Sitting.resume(self.folder)
        self.teaches = False

    def compose(self):
        with VerticalScroll(id="form"):
            yield Static(Text("Roundhouse: a dominoes table", "bold"))
            with Horizontal(id="buttons"):
                if self.kept:
                    yield Button("go on with the match", id="resume", variant="success")
                yield Button("play", id="play", variant="primary")
                yield Button("learn it in two minutes", id="tutorial")
            yield Label("House: whose rules; the hub knows them all")
            known = [("%s: %s" % pair, pair[0]) for pair in HOUSES.items()]
            if self.house not in HOUSES:  # with variants, as on the command line
                known.append((self.house, self.house))
            yield Select(known, value=self.house, allow_blank=False, id="house")
            yield Label("Set: the highest number of your box")
            yield Select(
                [
                    ("the game's own", OWN),
                    *(("double %d" % n, n) for n in tiles.SETS),
                ],
                value=self.set or OWN,
                allow_blank=False,
                id="set",
            )
            yield Label("Players at the table, bots included")
            yield Select(
                [("%d players" % n, n) for n in range(2, 11)],
                value=3,
                allow_blank=False,
                id="players",
            )
            yield Label("Seats somebody sits at; bots have the others")
            yield Input("1", id="people")
            yield Label("Bots: easy ones lay anything, sharp ones plan their train")
            yield Select(
                [(word, word) for word in STRENGTHS],
                value="good",
                allow_blank=False,
                id="strength",
            )
            yield Label("Seed: the same number deals the same hands")
            yield Input("", placeholder="any", id="seed")
            yield Label("", id="wrong")
        yield Footer()

    def on_button_pressed(self, event):
        if event.button.id == "resume":
            self.exit(self.kept)
            return
        self.teaches = event.button.id == "tutorial"
        try:
            sitting = self._begin()
        except ValueError as error:
            self.query_one("#wrong", Label).update(str(error))
            return
        self.exit(sitting)

    def _begin(self):
        if self.teaches:
            return begin(self.folder, "puremco", 6, 2, "1", "easy", "3")
        names = ("house", "set", "players", "people", "strength", "seed")
        return begin(self.folder, *[self.query_one("#" + name).value for name in names])


def begin(folder, house, set_, players, people, strength, seed):
    """Return a new Sitting; ValueError says what is wrong with a choice. set_: or OWN."""
    seats = tuple(range(1, players + 1))
    index = houses.parse(house.split())[0]
    set_ = set_ or sheets.own_set(index)
    if players > sheets.most_seats(index, set_):
        most = sheets.most_seats(index, set_)
        raise ValueError("%s with double %d seats at most %d" % (house, set_, most))
    try:
        sit = {int(word) for word in people.replace(",", " ").split()}
    except ValueError:
        raise ValueError("seats are numbers: 1 3") from None
    if not sit <= set(seats):
        raise ValueError("seats are 1..%d" % players)
    if seed and not seed.isdigit():
        raise ValueError("a seed is a number")
    seed = int(seed) if seed else int.from_bytes(os.urandom(2), "big")
    shutil.rmtree(folder, ignore_errors=True)
    return Sitting(folder, seats, sit, house, set_, seed, strength)
