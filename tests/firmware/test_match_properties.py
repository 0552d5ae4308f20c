# SPDX-License-Identifier: MIT
"""Properties that hold for any inputs in any house of any game."""

import tempfile

from hypothesis import given, settings
from hypothesis import strategies as st

from roundhouse import constants, games, line_keys, tiles
from roundhouse.drivers import files
from roundhouse.games import fields, houses
from roundhouse.games.match import Match
from roundhouse.journal import Journal


def masks_of(house):
    """Return masks of variants: several masks without variants, one for each variant alone, and
    two with several variants."""
    return [0] * 5 + [1 << bit for bit in range(len(houses.variants(house)))] + [0x5D, 0x2E]


RULES = st.builds(
    lambda rules, set_, seats: (*rules, set_, seats),
    st.sampled_from(range(len(houses.HOUSES))).flatmap(
        lambda house: st.tuples(st.just(house), st.sampled_from(masks_of(house)))
    ),
    st.sampled_from(tiles.SETS),
    st.sets(st.integers(1, 10), min_size=2, max_size=6),
)
SLOT = st.integers(0, constants.M)
SEAT = st.integers(1, 10)
LAY = st.tuples(st.just("lay"), st.integers(0, 10**6))
INPUT = st.one_of(
    LAY,
    st.tuples(st.just("turn press")),
    st.tuples(st.just(constants.TAP), SLOT, st.integers(0, 189)),
    st.tuples(st.just(constants.TAP), SLOT, st.integers(0, 65535).map(lambda n: n & 0xFF00 | 90)),
    st.tuples(st.just(constants.OVERRIDE), SLOT, st.integers(0, 189)),
    st.tuples(st.just(constants.PRESS), SLOT, st.just(0)),
    st.tuples(st.just(constants.DRAW), SLOT, st.just(0)),
    st.tuples(
        st.sampled_from((constants.JOIN, constants.LEAVE, constants.TURN, constants.MARKER)),
        SEAT,
        st.just(0),
    ),
    st.tuples(st.just(constants.HAND), SEAT, st.integers(0, 190)),
    st.tuples(st.just(constants.BONEYARD), st.just(0), st.integers(0, 190)),
    st.tuples(st.just(constants.SCORE), SEAT, st.integers(0, 3420)),
    st.tuples(st.just(constants.FORGET), st.just(0), st.just(0)),
)


def start(rules):
    house, variants, set_, seats = rules
    t = Match(house, variants, set_)
    for seat in sorted(seats):
        t.press(seat)
    if t.phase == constants.LOBBY:
        t.press(constants.E)
        t.tap(min(seats), tiles.double(set_))
    return t


def matching(t):
    """Return (slot, tile) for every tap that the core would accept now."""
    found = []
    before = bytes(t.state)
    for slot in range(1, constants.SLOT_COUNT):
        for tile in range(tiles.size(t.set)):
            if t.is_laid(tile) or not t.playable >> slot & 1:
                continue
            if t.game.may_lay(t, slot, tile) == constants.OK:
                found.append((slot, tile))
    assert bytes(t.state) == before, "asking changes nothing"
    return found


def carry_out(t, step):
    """Apply one random step to the table; return its verdict, or None if the step is impossible
    now."""
    if step[0] == "lay":
        moves = matching(t) if t.phase == constants.PLAY else []
        return t.tap(*moves[step[1] % len(moves)]) if moves else None
    if step[0] == "turn press":
        return t.press(t.turn) if t.turn else None
    return t.apply(*step)


@settings(max_examples=150)
@given(RULES, st.lists(INPUT, max_size=30))
def test_any_input_has_a_verdict_and_a_refused_one_changes_nothing(rules, steps):
    t = start(rules)
    for step in steps:
        before = bytes(t.state)
        asked = (t.playable, t.due, t.open_mask, t.inviting, t.sides)
        verdict = carry_out(t, step)
        assert verdict is None or 0 <= verdict < len(constants.VERDICTS)
        if verdict:
            assert bytes(t.state) == before
            assert (t.playable, t.due, t.open_mask, t.inviting, t.sides) == asked
        else:
            assert t.did if verdict == constants.OK else verdict is None
            assert verdict is None or not t.by or t.did
        check(t)


def check(t):
    uses = sum(fields.USES[games.GAMES[t.state[fields.GAME]]])
    assert len(t.state) == fields.OPTIONS + uses - fields.ENDED_AT
    if t.phase != constants.PLAY:
        assert (t.turn, t.open_mask, t.playable, t.open_double(0), t.due) == (0, 0, 0, -1, -1)
        return
    assert t.joined >> t.turn & 1
    assert t.playable
    seen = []
    while t.open_double(len(seen)) >= 0:
        slot = t.open_double(len(seen))
        assert slot not in seen
        assert t.begun >> slot & 1
        assert t.is_laid(tiles.double(t.end(slot)))
        seen.append(slot)
        assert t.rank(slot) == len(seen)
    if t.due >= 0:
        assert t.due in seen
        assert t.playable >> t.due & 1
    for slot in range(1, constants.SLOT_COUNT):
        if not t.begun >> slot & 1:
            assert t.end(slot) == (constants.NONE if is_line_game(t) else tiles.HIGH[t.opening])
    if is_line_game(t):
        check_line_game(t)
    check_somebody_can_act(t)
    used = [0] * 19
    for tile in range(190):
        if t.is_laid(tile):
            used[tiles.HIGH[tile]] += 1
            used[tiles.LOW[tile]] += tiles.HIGH[tile] != tiles.LOW[tile]
    assert bytes(used) == bytes(t.state[fields.USED : fields.USED + 19])


def is_line_game(t):
    return t.sides is not None


def check_line_game(t):
    s = t.state
    assert t.open_mask == t.begun
    assert (t.due, t.open_double(0)) == (-1, -1)
    room = s[fields.ROOM]
    places = [s[fields.PLACES + n] for n in range(19)]
    assert max(places) <= 4 and not any(places[t.set + 1 :])
    assert sum(places) >= room, "places are an upper bound, room is exact"
    assert t.playable == (t.slots if room else t.begun)
    shown = [(n, places[n]) for n in range(18, -1, -1) if places[n]]
    assert t.sides == (shown if room and t.slots & ~t.begun else [])


def check_somebody_can_act(t):
    """Check that the seat to move can press or lay a tile."""
    state, asked = bytes(t.state), t.asked
    if t.press(t.turn) != constants.OK:
        assert matching(t), "neither a press nor a tap"
    t.restore(state)
    t.asked = asked
    if t.inviting:
        assert t.inviting == 1 << constants.E and not matching(t)
    elif is_line_game(t):
        assert matching(t) or max(t.state[fields.END2 : fields.END2 + 12]) == constants.NONE


@settings(max_examples=60)
@given(RULES, st.lists(st.one_of(LAY, st.just(("turn press",))), max_size=60))
def test_every_tile_is_somewhere(rules, steps):
    """After presses and matching taps, the engine, trains, hands and boneyard add up to the
    set."""
    t = start(rules)
    if t.phase != constants.PLAY:
        return
    for step in steps:
        ends = {slot: t.end(slot) for slot in range(1, constants.SLOT_COUNT)}
        if is_line_game(t):
            ends = {
                slot: (t.end(slot), t.second_end(slot)) for slot in range(1, constants.SLOT_COUNT)
            }
        before = {tile for tile in range(190) if t.is_laid(tile)}
        if carry_out(t, step) is None or t.phase != constants.PLAY:
            break
        seats = [n for n in constants.SEATS if t.joined >> n & 1]
        lie = {tile for tile in range(190) if t.is_laid(tile)}
        assert len(lie) + t.boneyard + sum(map(t.hand, seats)) == tiles.size(t.set)
        for tile in lie - before:  # every train is a chain
            both = {tiles.HIGH[tile], tiles.LOW[tile]}
            if is_line_game(t):
                check_joined(t, tile, ends)
                continue
            moved = [n for n in ends if t.end(n) != ends[n]]
            if len(both) == 2 and dict(line_keys.options(t))["enforce"] == "all":
                assert len(moved) == 1
                assert {ends[moved[0]], t.end(moved[0])} == both


def check_joined(t, tile, before):
    """Check that a tile touches the end that it joined, and that the tile's other half is free."""
    high, low = tiles.HIGH[tile], tiles.LOW[tile]
    moved = [n for n in before if (t.end(n), t.second_end(n)) != before[n]]
    for slot in moved:
        left = {t.end(slot), t.second_end(slot)} - {constants.NONE}
        assert left and left <= {high, low}
        if before[slot][0] == constants.NONE:
            continue  # it began a line
        touched = {high + low - half for half in left}
        sums = dict(line_keys.options(t))["join"] == "sum"
        total = 10 if sums and dict(line_keys.options(t))["total"] == "ten" else t.set + 1
        if sums and (not tile or (low and high + low == total)):
            assert left == {high, low}
            continue
        wanted = {total - half for half in touched} if sums else touched
        assert wanted <= set(before[slot])


@settings(max_examples=80)
@given(RULES, st.lists(INPUT, max_size=40))
def test_a_state_is_all_there_is(rules, steps):
    """A Match that restores the state of another Match answers every question in the same way."""
    t = start(rules)
    other = Match(rules[0] * 7 % len(houses.HOUSES), 0, 18)
    other.tap(1, 5)
    for step in steps:
        carry_out(t, step)
        state = bytes(t.state)
        other.restore(state)
        assert bytes(other.state) == state
        assert questions(other) == questions(t)
        verdict, again = t.apply(constants.PRESS, t.turn), other.apply(constants.PRESS, t.turn)
        assert t.turn or verdict == again
        t.restore(state)
    assert bytes(t.state[: fields.PHASE]) == bytes(start(rules).state[: fields.PHASE]) or steps


def questions(t):
    """Return all values that lights, console and hub ask of a match."""
    slots = range(1, constants.SLOT_COUNT)
    return (
        (t.game, t.phase, t.round, t.set, t.options, t.rules, t.variants, t.opening, t.boneyard),
        (t.turn, t.drawn, t.joined, t.begun, t.open_mask, t.playable, t.inviting, t.sides, t.due),
        (
            t.to_count,
            t.winners,
            t.out,
            t.catchable,
            t.most_win,
            line_keys.game(t),
            line_keys.house(t),
        ),
        [(t.end(n), t.second_end(n), t.rank(n)) for n in slots],
        [(t.hand(n), t.counted(n), t.points(n), t.total(n)) for n in slots],
        [t.fits(tile) for tile in range(0, tiles.size(t.set), 7)],
    )


@settings(max_examples=80)
@given(RULES, st.lists(INPUT, max_size=25))
def test_playable_is_what_would_be_accepted(rules, steps):
    """A slot that is not playable accepts no tile. A playable slot accepts a tile, unless the
    rules refuse every remaining tile with the slot's number."""
    t = start(rules)
    for step in steps:
        carry_out(t, step)
    if (
        t.phase != constants.PLAY
        or not is_line_game(t)
        and dict(line_keys.options(t))["enforce"] == "tiles"
    ):
        return
    accepted = {slot for slot, _ in matching(t)}
    for slot in range(1, constants.SLOT_COUNT):
        if t.playable >> slot & 1:
            if slot in accepted or t.second_end(slot) != constants.NONE:
                continue
            if is_line_game(t):  # its number may be used up, or that of all free places
                assert t.begun >> slot & 1 or t.state[fields.ROOM]
                continue
            free = [
                tile
                for tile in range(tiles.size(t.set))
                if not t.is_laid(tile) and t.end(slot) in (tiles.HIGH[tile], tiles.LOW[tile])
            ]
            doubles = [tile for tile in free if tiles.HIGH[tile] == tiles.LOW[tile]]
            elsewhere = t.due >= 0 and slot != t.due
            assert free == doubles or elsewhere
        else:
            before = bytes(t.state)
            for tile in range(tiles.size(t.set)):
                assert t.tap(slot, tile) != constants.OK
            assert bytes(t.state) == before


@settings(max_examples=25)
@given(RULES, st.lists(INPUT, max_size=60))
def test_taking_back_everything_and_forward_again(rules, steps):
    """Taking back every input, to the empty lobby, and redoing them all gives the same states."""
    house, variants, set_, seats = rules
    t = Match()
    states = [bytes(t.state)]
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(files, folder, t)
        journal.resume()

        def take(kind, slot=0, value=0):
            was = t.phase
            verdict = t.apply(kind, slot, value)
            if not verdict:
                journal.record(kind, slot, value, t.phase == constants.LOBBY != was)
                states.append(bytes(t.state))

        take(constants.RULES, house, variants)
        take(constants.SET, 0, set_)
        for seat in sorted(seats):
            take(constants.PRESS, seat)
        take(constants.PRESS, constants.E)
        take(constants.TAP, min(seats), tiles.double(set_))
        for step in steps:
            if step[0] == "lay":
                moves = matching(t) if t.phase == constants.PLAY else []
                if moves:
                    take(constants.TAP, *moves[step[1] % len(moves)])
            elif step[0] == "turn press":
                take(constants.PRESS, t.turn)
            else:
                take(*step)
        for state in states[-2::-1]:
            assert journal.take_back() is not None
            assert bytes(t.state) == state
        assert journal.take_back() is None
        for state in states[1:]:
            assert journal.redo() is not None
            assert bytes(t.state) == state
        journal.close()
