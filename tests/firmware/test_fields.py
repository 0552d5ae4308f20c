# SPDX-License-Identifier: MIT
"""The layout of a match's state: declared once, the same in every module, and never changed."""

import ast
import json

import pytest
import state_constants

from roundhouse import constants, games, journal
from roundhouse.games import fields, houses, saved_state
from roundhouse.games.match import Match

ENDED = -fields.ENDED_AT  # bytes at the end of every state


def test_no_module_has_a_number_of_a_field_beside_them():
    """A constant with the name of a field is defined only between the two comments."""
    own = {path: state_constants.known(state_constants.game_of(path)) for path in modules()}
    for path, known in own.items():
        tree = ast.parse(state_constants.BLOCK.sub("", path.read_text()))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        written = {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        assert not written & known.keys(), path
        assert not names & {name[1:] for name, _, _ in fields.SHARED} - vars(constants).keys(), (
            path
        )


def modules():
    return sorted((state_constants.FIRMWARE / "games").glob("**/*.py"))


@pytest.mark.parametrize(
    "change, said",
    [
        ((" s[_TURN]", " s[_TRUN]"), "no field, option or word is called _TRUN"),
        (("_LOCK_YES", "_LOCK_PERHAPS"), "_LOCK_PERHAPS"),
        (("_LOCK]", "_ROOM]"), "_ROOM"),  # another game's
    ],
)
def test_a_name_that_nothing_declares_is_named(tmp_path, change, said):
    source = state_constants.FIRMWARE / "games" / "mexican_train" / "play.py"
    path = tmp_path / "mexican_train" / source.name
    path.parent.mkdir()
    path.write_text(source.read_text().replace(*change))
    with pytest.raises(ValueError, match=said):
        state_constants.fresh(path)


def test_an_option_that_is_called_like_a_field_is_a_sentence(tmp_path, monkeypatch, capsys):
    """No module is written, not even those that come before the one with the option."""
    for name in ("line_games", "mexican_train"):
        source = state_constants.FIRMWARE / "games" / name / "play.py"
        path = tmp_path / name / "play.py"
        path.parent.mkdir()
        path.write_text(source.read_text())
    monkeypatch.setattr(state_constants, "FIRMWARE", tmp_path)
    monkeypatch.setattr(fields, "TURN", fields.TURN + 1)  # there is something to write
    sheets = games.sheets(games.GAMES.index("mexican_train"))
    monkeypatch.setattr(sheets, "OPTIONS", (*sheets.OPTIONS, "doubles X1: no yes: -"))
    before = [path.read_bytes() for path in sorted(tmp_path.glob("*/*"))]
    assert state_constants.main() == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("_DOUBLES has two meanings in mexican_train: ")
    assert err.endswith("Nothing was written.\n") and err.count("\n") == 1
    assert [path.read_bytes() for path in sorted(tmp_path.glob("*/*"))] == before


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
    """Packing loses no byte. A segment has room for at least 45 inputs and always has the same
    size."""
    table = Match(house)
    rows, own = fields.USES[games.GAMES[table.state[fields.GAME]]]
    assert len(table.state) == fields.OPTIONS + rows + own + ENDED and len(table.options) == rows
    for at in range(fields.SHEET, len(table.state)):
        table.state[at] = at * 7 % 251 + 1
    packed = saved_state.pack(table.state)
    assert packed[:2] == bytes((rows, own | 128))
    assert saved_state.size(packed[:2], constants.FORMAT) == len(packed)
    assert saved_state.unchecked(packed, constants.FORMAT) == table.state
    inputs, rest = divmod(journal.FULL - len(journal.segment(1, 0, 1, packed)), journal.RECORD)
    assert inputs >= 36 and rest == 0


@pytest.mark.parametrize("house", range(len(houses.HOUSES)))
def test_what_is_zero_at_the_end_takes_no_room(house):
    """Not stored are options at the end that have their first value, and the fields about the end
    of a round while no round has ended."""
    table = Match(house)
    rows, own = fields.USES[games.GAMES[table.state[fields.GAME]]]
    packed = saved_state.pack(table.state)
    assert packed[0] <= rows and packed[1] == own
    assert not any(table.state[fields.OPTIONS + packed[0] : fields.OPTIONS + rows])
    assert saved_state.unpack(packed, constants.FORMAT) == table.state
    inputs, rest = divmod(journal.FULL - len(journal.segment(1, 0, 1, packed)), journal.RECORD)
    assert inputs >= 45 and rest == 0


@pytest.mark.parametrize("game", games.GAMES)
def test_a_game_that_grew_reads_what_it_kept_before(game):
    """Rows and fields that were added at the end since then are read as 0: the first word, or
    nothing."""
    house = [
        number
        for number in range(len(houses.HOUSES))
        if houses.identify(number)[0] == games.GAMES.index(game)
    ]
    table = Match(house[0])
    state = bytearray(table.state)
    rows, own = fields.USES[game]
    end = fields.OPTIONS
    state[end:] = bytes(range(1, rows + own + 1))
    fewer = (
        bytes((rows - 3, own - 2))
        + state[: end + rows - 3]
        + state[end + rows : end + rows + own - 2]
    )
    found = saved_state.unchecked(bytes(fewer), constants.FORMAT)
    assert found[: end + rows - 3] == state[: end + rows - 3]
    assert found[end + rows - 3 : end + rows] == bytes(3)
    assert found[end + rows : -2 - ENDED] == state[end + rows : -2]
    assert found[-2 - ENDED :] == bytes(2 + ENDED)


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
    """A change is refused until the format has a new number. An addition at the end is
    recorded."""
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
