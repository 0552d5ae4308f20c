# SPDX-License-Identifier: MIT
"""What stands where in a match's state: declared once, the same everywhere, and kept for good."""

import ast
import json

import firmware_numbers
import pytest

from roundhouse import games, words
from roundhouse.games import fields, houses
from roundhouse.games.match import Match


def test_every_module_has_the_numbers_of_the_declaration():
    for path in firmware_numbers.modules():
        assert firmware_numbers.fresh(path) == path.read_text(), "make numbers"


def test_no_module_has_a_number_of_a_field_beside_them():
    """What is called as a field is, is a constant between the two comments alone."""
    own = {path: firmware_numbers.known(firmware_numbers.game_of(path)) for path in modules()}
    for path, known in own.items():
        tree = ast.parse(firmware_numbers.BLOCK.sub("", path.read_text()))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        written = {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        assert not written & known.keys(), path
        assert not names & {name[1:] for name, _, _ in fields.SHARED} - vars(words).keys(), path


def modules():
    return sorted((firmware_numbers.FIRMWARE / "games").glob("*.py"))


@pytest.mark.parametrize(
    "change, said",
    [
        ((" s[_TURN]", " s[_TRUN]"), "no field, option or word is called _TRUN"),
        (("_LOCK_YES", "_LOCK_PERHAPS"), "_LOCK_PERHAPS"),
        (("_LOCK]", "_ROOM]"), "_ROOM"),  # another game's
    ],
)
def test_a_name_that_nothing_declares_is_named(tmp_path, change, said):
    source = firmware_numbers.FIRMWARE / "games" / "mexican_train.py"
    (tmp_path / "games").mkdir()
    path = tmp_path / "games" / source.name
    path.write_text(source.read_text().replace(*change))
    with pytest.raises(ValueError, match=said):
        firmware_numbers.fresh(path)


def test_a_name_with_two_meanings_is_named(monkeypatch):
    shared = (*fields.SHARED, ("LOCK", 1, "another lock"))
    monkeypatch.setattr(fields, "SHARED", shared)
    monkeypatch.setattr(fields, "LOCK", 1, raising=False)
    with pytest.raises(ValueError, match="_LOCK has two meanings in mexican_train"):
        firmware_numbers.known("mexican_train")


def test_numbers_that_changed_are_written(tmp_path, monkeypatch, capsys):
    """A field put before the others moves them all, and only the block is another one."""
    source = firmware_numbers.FIRMWARE / "games" / "lines.py"
    (tmp_path / "games").mkdir()
    path = tmp_path / "games" / source.name
    path.write_text(source.read_text())
    monkeypatch.setattr(firmware_numbers, "FIRMWARE", tmp_path)
    monkeypatch.setattr(firmware_numbers, "ROOT", tmp_path)
    assert firmware_numbers.main() == 0 and capsys.readouterr().out == ""
    monkeypatch.setattr(fields, "TURN", fields.TURN + 1)
    assert firmware_numbers.main() == 0
    assert capsys.readouterr().out == "games/lines.py has new numbers\n"
    now = path.read_text()
    assert "_TURN = const(%d)" % fields.TURN in now
    assert firmware_numbers.BLOCK.sub("", now) == firmware_numbers.BLOCK.sub(
        "", source.read_text()
    )


def test_fields_follow_one_another_and_a_game_keeps_to_its_own():
    end = 0
    for name, size, says in fields.SHARED:
        assert getattr(fields, name) == end and size > 0 and says
        end += size
    assert end == fields.SIZE == len(Match().state) <= 512
    names = [name for name, _, _ in fields.SHARED]
    for game, (own, size) in fields.OWN.items():
        assert game in games.GAMES and size <= fields.HANDS - fields.OF_GAME == 64
        assert getattr(fields, own[0][0]) == fields.OF_GAME
        names += [name for name, _, _ in own]
    assert len(set(names)) == len(names), "each stands under its name in this module"
    assert fields.SHEET - fields.OPTIONS == 48 and fields.OPTIONS - fields.VARIANTS == 4
    for number in range(len(games.GAMES)):
        assert len(games.sheets(number).OPTIONS) <= 48
        assert len(games.sheets(number).VARIANTS) <= 32


@pytest.mark.parametrize("house", range(len(houses.HOUSES)))
def test_what_is_packed_is_all_of_it(house):
    """All bytes that a game may use come back; a segment has room for 45 inputs and more."""
    table = Match(house)
    rows, own = len(table.options), fields.OWN[games.GAMES[table.state[fields.GAME]]][1]
    for at in range(fields.SHEET, fields.SIZE):
        if not fields.OF_GAME + own <= at < fields.HANDS:
            table.state[at] = at * 7 % 251 + 1
    packed = table.packed(table.state)
    assert packed[:2] == bytes((rows, own))
    assert table.packed_size(packed[:2], words.FORMAT) == len(packed)
    assert table.unpacked(packed, words.FORMAT) == table.state
    assert (496 - 17 - len(packed) - 2) // 5 >= 45


def test_a_row_that_a_newer_sheet_has_says_its_first_word():
    """A match that was kept when its game had fewer option rows plays as its first words say."""
    table = Match()
    packed = table.packed(table.state)
    rows, own = packed[:2]
    fewer = bytes((rows - 3, own)) + packed[2 : 2 + fields.OPTIONS + rows - 3]
    fewer += packed[2 + fields.OPTIONS + rows :]
    state = table.unpacked(fewer, words.FORMAT)
    last = fields.OPTIONS + rows
    assert state[: last - 3] == bytes(table.state[: last - 3])
    assert state[last - 3 : last] == bytes(3) and state[last:] == bytes(table.state[last:])


def test_nothing_that_is_kept_means_something_else():
    assert firmware_numbers.recorded() == firmware_numbers.meaning(), "make numbers"


def test_what_a_released_format_means_is_recorded_for_good():
    there = sorted(int(path.stem) for path in firmware_numbers.FORMATS.glob("*.json"))
    assert there == list(range(4, words.FORMAT + 1)), "2 and 3 are older than this"


def test_a_change_of_what_is_kept_is_named():
    was = firmware_numbers.meaning()
    changed = firmware_numbers.changed
    assert changed(was, firmware_numbers.meaning()) == []
    for name, change in (
        ("fields", lambda of: of.insert(5, ["NEW", 1])),
        ("kinds of input", lambda of: of.update(TAP=1)),
        ("phases", lambda of: of.append("new")),
        ("options of lines", lambda of: of.insert(0, ["new X1", "a b"])),
        ("options of lines", lambda of: of[0].__setitem__(1, "new words")),
        ("variant words of mexican_train", lambda of: of.pop(2)),
        ("fields of lines", lambda of: of[1].__setitem__(1, 3)),
    ):
        now = json.loads(json.dumps(was))
        change(now[name])
        assert changed(was, now) == [name], "not " + name
    for name, more in (
        ("options of lines", ["new X1", "a b"]),
        ("variant words of lines", "new"),
        ("houses of mexican_train", "new"),
    ):
        now = json.loads(json.dumps(was))
        now[name].append(more)
        assert changed(was, now) == [], "it comes last"
    now["options of lines"][0][1] += " more"
    assert changed(was, now) == []


def test_a_change_is_refused_and_the_remedy_said(tmp_path, monkeypatch, capsys):
    """Until the format has another number; what only comes last is written down."""
    monkeypatch.setattr(firmware_numbers, "FORMATS", tmp_path)
    monkeypatch.setattr(firmware_numbers, "modules", list)
    assert firmware_numbers.main() == 0
    file = tmp_path / ("%d.json" % words.FORMAT)
    whole = json.loads(file.read_text())
    assert whole == firmware_numbers.meaning()
    file.write_text(json.dumps({**whole, "games": whole["games"][:1]}))
    assert firmware_numbers.main() == 0 and json.loads(file.read_text()) == whole
    changed = json.dumps({**whole, "phases": ["lobby"]})
    file.write_text(changed)
    assert firmware_numbers.main() == 1
    said = capsys.readouterr().err
    assert said.startswith("A kept match would mean something else: phases.")
    assert "Raise FORMAT in words.py" in said and file.read_text() == changed
    monkeypatch.setattr(words, "FORMAT", words.FORMAT + 1)
    assert firmware_numbers.main() == 0
    assert (tmp_path / ("%d.json" % words.FORMAT)).exists()
