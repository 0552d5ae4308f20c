# SPDX-License-Identifier: MIT
"""Line games as a whole: promises on random inputs, evenings beside a hub, figures of matches."""

import collections
import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_sim.checks import line_soak_evening, referee_soak
from host_sim.checks.line_soak_evening import RefereeHub
from host_sim.games import house_info
from host_sim.games.line_games import figures as line_figures
from host_sim.games.line_games import sheets as line_sheets
from host_sim.games.line_games.referee import Referee as LineReferee
from roundhouse import tiles
from roundhouse.constants import E
from roundhouse.games import houses

# a house, the set, stations, and numbers from which inputs are made
TABLES = st.tuples(
    st.sampled_from(
        [*line_sheets.HOUSES, "classic two-ends", "matador every-double", "matador ten"]
        + ["tiddle-a-wink every-double", "draw one-end", "classic first-double tie-each"]
    ),
    st.sampled_from((6, 9)),
    st.sampled_from((4, 10)),
    st.integers(0, 2**32),
)


class Table:
    """A dealt table on which anything is tried: mostly what is honest, and all the rest."""

    def __init__(self, house, set_, stations, seed):
        self.random = random.Random(seed)
        self.referee = LineReferee(house, set_, (1, 2, 4), stations)
        self.past = []
        self.act(lambda r: r.press(E))

    def deal(self):
        r = self.referee
        stock = [tile for tile in range(tiles.size(r.set)) if tile not in r.laid]
        self.random.shuffle(stock)
        r.deal({seat: [stock.pop() for _ in range(r.counts[seat])] for seat in r.seats}, stock)

    def act(self, act):
        """Do something; what is refused must change nothing."""
        before = self.referee.clone()
        verdict = act(self.referee)
        if verdict == "ok":
            self.past.append(before)
            return
        for picture in (before, after := self.referee.clone()):
            picture.asked = None
            picture.moved_to(None)
        assert before.state() == after.state()

    def step(self):
        """One input by chance."""
        r, chance = self.referee, self.random
        if r.phase == "engine":
            self.deal()
        if r.phase == "play" and chance.random() < 0.6:
            moves = r.moves()
            if moves:
                slot, tile = chance.choice(moves)
                self.act(lambda r: r.tap(slot, tile))
            else:
                self.act(lambda r: r.press(r.turn))
            return
        slot = chance.choice((E, *r.slots))
        tile = chance.randrange(tiles.size(r.set) + 2)
        if r.phase == "engine" and chance.random() < 0.8:
            slot, tile = r.highest() or (slot, tile)
        inputs = [lambda r: r.press(slot), lambda r: r.draw(slot)]
        owner = slot if r.phase == "engine" else r.turn
        elsewhere = [hand for seat, hand in r.hands.items() if seat != owner] + [r.stock]
        if r.phase == "scoring" or not any(tile in held for held in elsewhere):
            inputs += [lambda r: r.tap(slot, tile), lambda r: r.tap(slot, tile, override=True)]
        self.act(chance.choice(inputs))
        if self.referee.phase == "play" and not any(self.referee.hands.values()):
            self.deal()  # begun from the lobby


def tables(given_table, steps):
    """Yield the table after every step."""
    table = Table(*given_table)
    for _ in range(steps):
        yield table
        table.step()


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_every_tile_exists_once_and_lines_are_chains(given_table):
    for table in tables(given_table, 60):
        if table.referee.phase == "play":
            assert table.referee.wrong_tiles() is None


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_playable_is_where_some_tile_would_be_accepted(given_table):
    """But for lines whose number is used up, and for sides that only seem to be free."""
    for table in tables(given_table, 50):
        r = table.referee
        if r.phase != "play":
            assert not r.view()["playable"]
            continue
        outside = set(range(tiles.size(r.set))) - r.laid
        for slot in r.slots:
            takes = any(r.why_not(slot, tile) == "ok" for tile in outside)
            if slot not in r.playable():
                assert not takes
            elif not takes:
                numbers = set(r.lines.ends(slot) if slot in r.lines.begun else r.lines.sides)
                for number in numbers:
                    joining = {t for t in range(tiles.size(r.set)) if r.lines.joins(t, number)}
                    assert joining <= r.laid


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_somebody_can_always_do_something(given_table):
    for table in tables(given_table, 50):
        r = table.referee
        button = r.turn if r.phase == "play" else E
        assert len(r.seats) < 2 or r.clone().press(button) == "ok"


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_taking_back_restores(given_table):
    """The pictures kept are as they were when they were taken: nothing is shared with later."""
    kept = []
    for table in tables(given_table, 40):
        while len(kept) < len(table.past):
            kept.append(str(table.past[len(kept)].state()))
    past = [str(picture.state()) for picture in table.past]
    assert kept == past[: len(kept)]


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_what_is_shown_agrees_with_itself(given_table):
    for table in tables(given_table, 60):
        r, view = table.referee, table.referee.view()
        playing = r.phase == "play"
        assert (view["turn"] in r.seats) == playing
        assert view["doubles"] == [] and set(view["open"]) <= set(view["playable"])
        assert sum(view["sides"].values()) >= (r.lines.room if view["sides"] else 0)
        for ends in view["ends"].values():
            assert isinstance(ends, int) or (len(ends) == 2 and ends[0] > ends[1])
        assert (view["by"] is None) or view["did"]


# ---- evenings and figures ----


@pytest.mark.slow
def test_evenings_agree_and_leave_no_option_idle():
    tally = collections.Counter()
    for evening in line_soak_evening.evenings():
        decided, _, wrong = referee_soak.play((RefereeHub, *evening))
        assert wrong is None, wrong
        tally += decided
    idle = [
        (option, word)
        for option, values in line_sheets.VALUES.items()
        for word in values
        if not tally["lines", option, word]
    ]
    assert not idle


@pytest.mark.parametrize("house", line_sheets.HOUSES)
def test_the_referees_sheets_and_the_hubs_have_the_same_numbers(house):
    """The referee reads the rules for itself; where the two differ, one of them misread."""
    index = houses.HOUSES.index(house)
    assert house_info.own_set(index) == line_sheets.OWN_SET.get(house, 12)
    assert {option: tuple(values) for option, _, values, _ in houses.table(index)} == (
        line_sheets.VALUES
    )
    for words in [[house]] + [[house, variant] for variant in line_sheets.VARIANTS]:
        preset = house_info.in_words(index, houses.preset(*houses.parse(words)))
        assert dict(preset) == line_sheets.options_of(words), words
    for set_ in line_sheets.SETS:
        most = line_sheets.most_seats(house, set_)
        assert house_info.most_seats(index, set_) == most
        for seats in range(2, most + 1):
            options = line_sheets.options_of([house])
            size = line_sheets.hand_size(house, options, set_, seats)
            assert house_info.hand_size(index, set_, seats) == size, (set_, seats)


@pytest.mark.slow
def test_figures_are_those_of_the_rules():
    """Rounds a match, out or blocked, tiles laid, drawn and passes a round, as the rules have
    them for heavy tiles first; here for a few matches, so roughly."""
    for house, matches, *wanted in (
        ("classic", 40, 8.6, 100, 20.0, 4.5, 0.0),
        ("matador", 150, 2.2, 28, 23.5, 17.9, 5.4),
        ("tiddle-a-wink", 40, 5.1, 80, 23.9, 0.0, 15.2),
    ):
        count = line_figures.figures(house, matches)
        per_round = count["rounds"]
        seen = [per_round / count["matches"], 100 * count["out"] / per_round]
        seen += [count[word] / per_round for word in ("laid", "drew", "passed")]
        assert seen == pytest.approx(wanted, rel=0.3, abs=0.2), (house, seen)


class Fewer(LineReferee):
    def hand_size(self):
        return super().hand_size() - 1


class Forgetful(LineReferee):
    def _moved(self):
        pass


class Generous(LineReferee):
    def _why_not_there(self, slot, tile):
        verdict = super()._why_not_there(slot, tile)
        return "no-match" if verdict == "closed" else verdict


class Stubborn(LineReferee):
    def moved_to(self, did):
        self.by, self.did = None, did


@pytest.mark.parametrize("broken", [Fewer, Forgetful, Generous, Stubborn])
def test_a_hub_that_differs_is_noticed(broken):
    class Hub(RefereeHub):
        Referee = broken

    evenings = [(Hub, "classic two-ends", 9, 3, 10, 3, seed) for seed in range(8)]
    stories = [referee_soak.play(evening)[2] for evening in evenings]
    assert any(stories)
    assert "the hub" in next(filter(None, stories))


def test_figures_print_a_row_a_house():
    out = io.StringIO()
    line_figures.table(matches=20, houses=("classic", "matador", "tiddle-a-wink"), out=out)
    rows = out.getvalue().splitlines()
    assert [row.split()[0] for row in rows] == ["classic", "matador", "tiddle-a-wink"]
    assert "out 100 %" in rows[0] and "lines at most  2" in rows[1] and "drawn  0.0" in rows[2]
