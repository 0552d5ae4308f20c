# SPDX-License-Identifier: MIT
"""The layout of a match's state: each field is declared once, and a change needs a new format
number."""

import json

import pytest
import state_constants

from roundhouse import constants, games, journal
from roundhouse.games import at, fields, houses, saved_state
from roundhouse.games.line_games import at as line_at
from roundhouse.games.match import Match
from roundhouse.games.mexican_train import at as mexican_train_at

ENDED = -fields.ENDED_AT  # bytes at the end of every state


def test_an_option_that_is_called_like_a_field_is_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(state_constants, "FIRMWARE", tmp_path)
    sheets = games.sheets(games.GAMES.index("mexican_train"))
    monkeypatch.setattr(sheets, "OPTIONS", (*sheets.OPTIONS, "doubles X1: no yes: -"))
    assert state_constants.main() == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("DOUBLES has two meanings in mexican_train: ")
    assert err.endswith("Nothing was written.\n") and err.count("\n") == 1
    assert not [*tmp_path.iterdir()]


def test_numbers_that_changed_are_written(tmp_path, monkeypatch, capsys):
    """Only the at.py files whose numbers have changed are written, and their names printed."""
    monkeypatch.setattr(state_constants, "FIRMWARE", tmp_path)
    for path in state_constants.tables():
        path.parent.mkdir(parents=True, exist_ok=True)
    assert state_constants.main() == 0
    assert capsys.readouterr().out.count("new numbers") == len(state_constants.tables())
    assert state_constants.main() == 0 and capsys.readouterr().out == ""
    monkeypatch.setattr(fields, "TURN", 250)
    sheets = games.sheets(games.GAMES.index("line_games"))
    monkeypatch.setattr(sheets, "OPTIONS", (*sheets.OPTIONS, "new-one X1: no-way 1..9: -"))
    assert state_constants.main() == 0
    assert capsys.readouterr().out.split() == [
        *("games/at.py", "has", "new", "numbers"),
        *("games/line_games/at.py", "has", "new", "numbers"),
    ]
    assert "\nTURN = 250  # the seat to move" in (tmp_path / "games" / "at.py").read_text()
    rows = "NEW_ONE = %d  # X1\nNEW_ONE_NO_WAY = 0\nNEW_ONE_1 = 1\n"
    said = (tmp_path / "games" / "line_games" / "at.py").read_text()
    assert said.endswith(rows % (fields.OPTIONS + len(sheets.OPTIONS) - 1))


def test_each_name_says_what_the_layout_and_the_sheets_say():
    """The at.py files give each name the same value as fields.py."""
    for name, _, _ in fields.SHARED + fields.ENDED:
        for module in (at, mexican_train_at, line_at):
            assert getattr(module, name) == getattr(fields, name)
    for game, module in zip(games.GAMES, (mexican_train_at, line_at)):
        for name, _, _ in fields.OWN[game]:
            word = game.partition("_")[0].upper()
            assert getattr(module, name) == getattr(fields, name)
            assert getattr(at, "%s_%s" % (word, name)) == getattr(fields, name)
    assert mexican_train_at.LOCK == fields.OPTIONS + 13 and mexican_train_at.LOCK_YES == 0
    assert bytes([n for game in games.GAMES for n in fields.USES[game]]) == at.USES


def test_fields_follow_one_another_and_then_come_a_games():
    end = 0
    for name, size, says in fields.SHARED:
        assert getattr(fields, name) == end and size > 0 and says
        end += size
    assert end == fields.OPTIONS
    names = [name for name, _, _ in fields.SHARED]
    for number, game in enumerate(games.GAMES):
        rows, own = fields.USES[game]
        sheets = games.sheets(number)
        assert rows == len(sheets.OPTIONS) <= 48 and len(sheets.VARIANTS) <= 32
        assert getattr(fields, fields.OWN[game][0][0]) == fields.OPTIONS + rows
        assert own == sum(size for _, size, _ in fields.OWN[game]) <= 64
        assert fields.OPTIONS + 48 + 64 + ENDED <= 512
        names += [name for name, _, _ in fields.OWN[game]]
    assert len(set(names)) == len(names), "each stands under its name in this module"


@pytest.mark.parametrize("house", range(len(houses.HOUSES)))
def test_what_is_packed_is_all_of_it(house):
    """Packing loses no byte."""
    table = Match(house)
    rows, own = fields.USES[games.GAMES[table.state[fields.GAME]]]
    assert len(table.state) == fields.OPTIONS + rows + own + ENDED and len(table.options) == rows
    for offset in range(fields.NAME, len(table.state)):
        if not fields.OPTIONS <= offset < fields.OPTIONS + rows:
            table.state[offset] = offset * 7 % 251 + 1
    packed = saved_state.pack(table.state)
    assert packed[2:4] == bytes((rows, own))
    assert saved_state.size(packed[:4], constants.FORMAT) == len(packed)
    assert saved_state.unchecked(packed, constants.FORMAT) == table.state


@pytest.mark.parametrize("house", range(len(houses.HOUSES)))
def test_runs_of_zeros_take_no_room(house):
    table = Match(house)
    packed = saved_state.pack(table.state)
    assert len(packed) < 80 and saved_state.unpack(packed, constants.FORMAT) == table.state
    table.state[fields.POINTS : fields.READING] = bytes(fields.READING - fields.POINTS)
    for offset in (fields.POINTS, fields.END, fields.LAID):
        table.state[offset] = 9
        for zeros in range(6):  # also runs too short to be left out
            table.state[offset + zeros + 1] = 8
            found = saved_state.pack(table.state)
            assert saved_state.unchecked(found, constants.FORMAT) == table.state
            table.state[offset + zeros + 1] = 0


def test_a_full_segment_has_at_most_full_bytes():
    for size in range(5, 400, 5):
        room = journal._room(size)
        head = len(journal.segment(1, 0, 1, bytes(size)))
        full = head + room * journal.RECORD
        assert full <= journal.FULL and (room == journal.MOST or full == journal.FULL)


def uses(game, rows, own):
    """Return at.USES of a firmware whose game has other counts of options and own bytes."""
    found = bytearray(at.USES)
    found[2 * game : 2 * game + 2] = bytes((rows, own))
    return bytes(found)


@pytest.mark.parametrize("game", range(len(games.GAMES)))
def test_a_game_that_grew_reads_what_it_kept_before(game, monkeypatch):
    """Options and fields that earlier firmware did not store are read as 0."""
    house = [n for n in range(len(houses.HOUSES)) if houses.identify(n)[0] == game]
    state = bytearray(Match(house[0]).state)
    rows, own = fields.USES[games.GAMES[game]]
    end = fields.OPTIONS + rows
    state[end - 3 : end] = bytes(3)
    state[end:-ENDED] = bytes(range(1, own + 1))
    fewer = state[: end - 3] + state[end : -ENDED - 2] + bytes(range(ENDED))
    monkeypatch.setattr(at, "USES", uses(game, rows - 3, own - 2))
    packed = saved_state.pack(fewer)
    monkeypatch.undo()
    found = saved_state.unchecked(packed, constants.FORMAT)
    state[-ENDED - 2 :] = bytes(2) + bytes(range(ENDED))
    assert found == state


@pytest.mark.parametrize("game", range(len(games.GAMES)))
def test_what_this_firmware_does_not_know_is_newer(game, monkeypatch):
    """A later firmware's file is named so and never taken for damage."""
    house = [n for n in range(len(houses.HOUSES)) if houses.identify(n)[0] == game]
    table = Match(house[0])
    rows, own = fields.USES[games.GAMES[game]]
    end = fields.OPTIONS + rows

    def wrong(state, more_rows=0, more_own=0):
        monkeypatch.setattr(at, "USES", uses(game, rows + more_rows, own + more_own) + b"\4\4")
        packed = saved_state.pack(state)
        monkeypatch.undo()
        return journal.Segment(journal.segment(1, 0, 1, packed), 1, Match()).wrong

    assert wrong(table.state) == 0
    assert wrong(table.state[:end] + b"\0" + table.state[end:], 1) == 0, "a row that is 0"
    assert wrong(table.state[:end] + b"\1" + table.state[end:], 1) == journal.NEWER
    assert wrong(table.state[:-ENDED] + b"\0" + table.state[-ENDED:], 0, 1) == journal.NEWER
    for offset in (fields.GAME, fields.SHEET, fields.OPTIONS, end - 1):
        state = bytearray(table.state)
        state[offset] = len(games.GAMES) if offset == fields.GAME else 99
        assert wrong(state) == journal.NEWER


def test_another_length_than_a_state_says_is_damage():
    state = Match().state
    packed = saved_state.pack(state)
    for bent in (
        bytes((packed[0] + 1,)) + packed[1:],  # into what fills it up
        packed[:4] + bytes((packed[4] + 1,)) + packed[5:-1] + b"\1",
        packed[:4] + bytes((255, 0)) * 3,  # beyond the state's end
    ):
        bent = bent + bytes(saved_state.size(bent[:4], constants.FORMAT) - len(bent))
        data = journal.segment(1, 0, 1, bent)
        assert journal.Segment(data, 1, Match()).wrong == journal.DAMAGED


def test_nothing_that_is_kept_means_something_else():
    assert state_constants.recorded() == state_constants.meaning(), "make recordings"


def test_what_a_released_format_means_is_recorded_for_good():
    there = sorted(int(path.stem) for path in state_constants.FORMATS.glob("*.json"))
    assert there == list(range(4, constants.FORMAT + 1)), "2 and 3 are older than this"


def test_a_change_of_what_is_kept_is_named():
    was = state_constants.meaning()
    changed = state_constants.changed
    assert changed(was, state_constants.meaning()) == []
    for name, change in (
        ("fields", lambda of: of.insert(5, ["NEW", 1])),
        ("kinds of input", lambda of: of.update(TAP=1)),
        ("phases", lambda of: of.append("new")),
        ("options of line_games", lambda of: of.insert(0, ["new X1", "a b"])),
        ("options of line_games", lambda of: of[0].__setitem__(1, "new words")),
        ("variant words of mexican_train", lambda of: of.pop(2)),
        ("fields of line_games", lambda of: of[1].__setitem__(1, 3)),
    ):
        now = json.loads(json.dumps(was))
        change(now[name])
        assert changed(was, now) == [name], "not " + name
    for name, more in (
        ("options of line_games", ["new X1", "a b"]),
        ("variant words of line_games", "new"),
        ("houses of mexican_train", "new"),
    ):
        now = json.loads(json.dumps(was))
        now[name].append(more)
        assert changed(was, now) == [], "it comes last"
    now["options of line_games"][0][1] += " more"
    assert changed(was, now) == []


def test_a_change_is_refused_and_the_remedy_said(tmp_path, monkeypatch, capsys):
    """A change of the layout, unlike an addition at the end, is refused until FORMAT changes."""
    monkeypatch.setattr(state_constants, "FORMATS", tmp_path)
    assert state_constants.record() == 0
    file = tmp_path / ("%d.json" % constants.FORMAT)
    whole = json.loads(file.read_text())
    assert whole == state_constants.meaning()
    file.write_text(json.dumps({**whole, "games": whole["games"][:1]}))
    assert state_constants.record() == 0 and json.loads(file.read_text()) == whole
    changed = json.dumps({**whole, "phases": ["lobby"]})
    file.write_text(changed)
    assert state_constants.record() == 1
    said = capsys.readouterr().err
    assert said.startswith("A kept match would mean something else: phases.")
    assert "Raise FORMAT in constants.py" in said and file.read_text() == changed
    monkeypatch.setattr(constants, "FORMAT", constants.FORMAT + 1)
    assert state_constants.record() == 0
    assert (tmp_path / ("%d.json" % constants.FORMAT)).exists()
