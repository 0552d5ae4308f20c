# SPDX-License-Identifier: MIT
"""A state that no match can have is reported as damaged, even if its checksum is correct.

An accepted state can be shown and exported, and its match continues.
"""

import functools
import json
import random
import signal

import pytest
from test_journal_on_flash import FOLDER
from test_rules_kept import Files, InMemory

from host_sim.board.hub import match_export
from roundhouse import console, constants, games, journal, line_keys, position, tiles
from roundhouse.games import fields, houses, saved_state
from roundhouse.lights import Lights
from roundhouse.palettes import PALETTES

EDGES = (0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 18, 19, 31, 64, 127, 128, 190, 254, 255)
NAMES = (b"m\xfcller", b"\xff", b"a b", b"\n", "x" * 15 + "\u00fc", b"\0x", b"ours", b"\xc3\xbc")


@functools.lru_cache
def played():
    found = []
    for house in range(len(houses.HOUSES)):
        k = InMemory()
        assert k.do(constants.RULES, house) == constants.OK
        chance = random.Random(house)
        for seat in (1, 4, 10):
            k.do(constants.PRESS, seat)
        for _ in range(60):
            found.append(k.state)
            slot, kind, value = chance.randint(0, constants.M), constants.PRESS, 0
            if k.table.phase == constants.PLAY and chance.random() < 0.2:
                slot = k.table.turn
            elif chance.random() < 0.8:
                kind, value = constants.TAP, chance.randrange(tiles.size(12))
            k.do(kind, slot, value)
    return found


def fields_of(game):
    """Return [(offset, number of bytes), ...] for all fields of a game's states."""
    names = [*fields.SHARED, *fields.OWN[game], *fields.ENDED]
    return [(getattr(fields, name), size) for name, size, _ in names]


def drawn(chance):
    """Return a packed state with a few random bytes changed."""
    state = bytearray(chance.choice(played()))
    game = state[fields.GAME]
    places = fields_of(games.GAMES[game])
    options = fields.OPTIONS + fields.USES[games.GAMES[game]][0]
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        at, size = chance.choice(places)
        at += chance.randrange(size) % -at if at < 0 else chance.randrange(size)
        how = chance.random()
        if how < 0.1:
            at = chance.randrange(fields.OPTIONS, options)
        elif how < 0.3:
            at = chance.choice((fields.PHASE, fields.SEATS, fields.TURN, fields.GAME, fields.SET))
        elif how < 0.4:
            name = chance.choice(NAMES)
            name = name.encode() if isinstance(name, str) else name
            state[fields.NAME : fields.PHASE] = (name + bytes(16))[:16]
            continue
        state[at] = chance.choice((*EDGES, chance.randrange(256)))
    named, state[fields.GAME] = state[fields.GAME], game
    packed = saved_state.pack(bytes(state))
    if named != game and packed[4] == 0 and packed[5] > fields.GAME:
        packed = packed[: 6 + fields.GAME] + bytes((named,)) + packed[7 + fields.GAME :]
    return packed


def kept(packed, live=b""):
    """Return (table, segment). The journal of the table has only this segment, with the state
    `packed` and the inputs `live`."""
    data = journal.segment(1, 0, 1, packed, live)
    return InMemory(Files({FOLDER + "/00000001.rhj": data})), data


def use(k, data, chance):
    """Show and export the state of a table, and continue the match."""
    table = k.table
    for how in range(12):
        lights = Lights((*constants.SEATS, constants.M, constants.E), PALETTES["standard"])
        lights.show(table)
        lights.update(1000)
        about = line_keys.about(table) + line_keys.changed(table, b"\xff")
        line = console.input_line("state", 0, 0, "showed", table, lights.lamps, 0, about)
        json.loads(line if isinstance(line, str) else "".join(line))
        if how in (0, 11):
            try:
                position.lines(table, k.journal, lambda: None)
            except ValueError as error:  # as the console says it
                assert str(error) == "segment 0 cannot be read"
        kind = chance.choice((0, 0, 0, 0, 1, 2, 2, 2, 2, *range(7, 14)))
        slot, value = chance.randint(0, constants.M), chance.randrange(tiles.size(table.set))
        if kind in (constants.JOIN, constants.LEAVE, constants.HAND, constants.SCORE):
            slot = max(1, slot % constants.M)
        if table.turn and chance.random() < 0.5:
            slot = table.turn
        k.do(kind, slot, value)
        if how % 4 == 3:
            k.journal.take_back()
    match_export.replay({1: data}, whole=False)
    match_export.replay(dict(k.journal.segments()), whole=False)


def hangs(*_):
    raise AssertionError("a state holds the hub for ever")


@pytest.mark.parametrize("seed", range(8))
def test_a_state_is_damage_or_can_be_used(seed):
    before = signal.signal(signal.SIGALRM, hangs)
    chance = random.Random(seed)
    taken = 0
    try:
        for n in range(250):
            packed = drawn(chance)
            signal.alarm(20)
            k, data = kept(packed)
            if k.resumed < 0:
                assert k.journal.trouble in (
                    "segment 1 is damaged; its inputs are lost",
                    "segment 1 is of a newer firmware; a new match begins beside it",
                ), n
                continue
            taken += 1
            assert not k.journal.trouble
            use(k, data, chance)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert 20 < taken < 230


def test_every_state_of_a_match_is_taken():
    for state in played():
        assert saved_state.unpack(saved_state.pack(state), constants.FORMAT) == state


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (fields.SEATS, b"\0\0"),  # without seats
        (fields.PHASE, b"\x09"),
        (fields.TURN, b"\x09"),  # a seat that does not play
        (fields.NAME, b"m\xfcller"),
        (fields.NAME, b"a b"),
        (fields.SET, b"\x0b"),
        (fields.OPENING_TILE, b"\xff"),
        (fields.END + 1, b"\x13"),
        (fields.DOUBLES, b"\x10"),
        (fields.READING, bytes([constants.FORMAT + 1])),
        (fields.KEPT, b"\x02"),  # a seat that plays
        (fields.KEPT + 1, b"\x80"),  # there is no seat 15
    ],
)
def test_what_no_match_has_is_damage(at, value):
    k = InMemory()
    k.begin()
    state = bytearray(k.state)
    state[fields.OPEN_DOUBLES] = at == fields.DOUBLES
    state[at : at + len(value)] = value
    hub, _ = kept(saved_state.pack(bytes(state)))
    assert hub.journal.trouble == "segment 1 is damaged; its inputs are lost"
    assert (hub.resumed, hub.table.phase) == (-1, constants.LOBBY)


@pytest.mark.parametrize(("owed", "taken"), [(0, True), (1, True), (2, True), (3, False)])
def test_a_double_asks_for_a_third_tile_at_most(owed, taken):
    k = InMemory()
    k.begin()
    state = bytearray(k.state)
    assert state[fields.PHASE] == constants.PLAY
    state[fields.OWN_DOUBLES] = state[fields.OPEN_DOUBLES] = state[fields.DOUBLES] = 1
    state[fields.END + 1] = 3
    state[fields.OWED] = owed
    hub, _ = kept(saved_state.pack(bytes(state)))
    assert (hub.resumed >= 0) == taken


def test_the_most_that_can_be_typed_is_kept():
    """The highest points that can be typed do not count as damage."""
    k = InMemory()
    house = next(n for n, name in enumerate(houses.HOUSES) if name == "tiddle-a-wink")
    assert k.do(constants.RULES, house) == constants.OK
    assert k.do(constants.SET, 0, 18) == constants.OK
    for seat in constants.SEATS[:10]:
        assert k.do(constants.PRESS, seat) == constants.OK
    assert k.do(constants.TAP, 1, tiles.double(18)) == constants.OK
    assert k.do(constants.PRESS, constants.E) == constants.OK
    for seat in constants.SEATS[:10]:
        assert k.table.phase == constants.SCORING
        assert k.do(constants.SCORE, seat, 3420) == constants.OK
        k.journal.go_on(k.state)
        again = k.again()
        assert (again.state, again.journal.trouble) == (k.state, "")
