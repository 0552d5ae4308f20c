# SPDX-License-Identifier: MIT
"""All states of the page, made by seeds: the first match in which one comes up."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hub_actions import quick_hub

from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.shown_tables import LiveTable, PlayedTable
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.session.invitations import Invitations
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.match_store import MatchStore
from host_sim.board.hub.simulated_hub import configured
from host_sim.table.streams import HubStream

NAMES = {
    1: "Großmutter",
    2: "Mamie Lucie",
    3: "Zoe",
    4: "שירה",
    5: "Bartholomäus der",  # 16 letters, the most
    6: "🦊 Fuchs",
    7: "Ana",
    8: "Ulla",
}
MORE_NAMES = {
    **NAMES,
    9: "Maximiliane",
    10: "Ida",
    11: "Wilhelmina",
    12: "Jo-Anne",
    13: "Christopher Lee",
    14: "Ben",
}
FOURTEEN: dict[str, Any] = {"set_": 18, "seats": tuple(MORE_NAMES)}
SEEDS = range(1, 60)
MOST_MOVES = 400


class State(NamedTuple):
    """A state of the page.

    turns: whether it says whose turn it is
    like: the state from which it is one step away; what is in both keeps its place
    """

    make: Callable[[Path], ViewerPage]
    turns: bool = True
    like: str = ""


STATES: dict[str, State] = {}


def state(
    name: str, turns: bool = True, like: str = ""
) -> Callable[[Callable[[Path], ViewerPage]], Callable[[Path], ViewerPage]]:
    def add(make: Callable[[Path], ViewerPage]) -> Callable[[Path], ViewerPage]:
        STATES[name] = State(make, turns, like)
        return make

    return add


def started(folder: Path, seed: int, **match: Any) -> App:
    app = App(store=MatchStore(folder / str(seed)), seed=seed)
    wanted = {"house": "puremco", "set_": 9, "seats": (1, 2, 3), "people": (1,), **match}
    app.start_match(names={seat: MORE_NAMES[seat] for seat in wanted["seats"]}, **wanted)
    return app


def played(app: App) -> PlayedTable:
    assert isinstance(app.table, PlayedTable)
    return app.table


def bots_move(app: App) -> str:
    """Let bots play until a person is to act; return for what the session then waits."""
    table = played(app)
    while table.session.waits_for().kind in ("bot", "table"):
        table.apply(MatchSession.act)
    return table.session.waits_for().kind


def person_moves(app: App) -> None:
    """Let a bot make the move of the person to move."""

    def move(session: MatchSession) -> None:
        seat = session.waits_for().seat
        assert seat
        session.stand_up(seat)
        session.act()
        session.sit_down(seat)

    played(app).apply(move)


Wanted = Callable[[App, ViewerPage], object]


def own_turn_when(folder: Path, wanted: Wanted, **match: Any) -> ViewerPage:
    """Return the owner's page at the first own turn at which `wanted` holds, over all seeds."""
    for seed in SEEDS:
        app = started(folder, seed, **match)
        page = ViewerPage(app, Rights(True, "own"))
        for _ in range(MOST_MOVES):
            kind = bots_move(app)
            if kind == "person" and wanted(app, page):
                return page
            if kind not in ("person", "knock"):
                break
            person_moves(app)
    raise LookupError("no seed has it")


def meaning(app: App) -> str | None:
    return played(app).player_view.button(1)


def fits(app: App) -> Mapping[str, Sequence[str]]:
    return played(app).player_view.fits(1)


def open_doubles(app: App) -> Sequence[str]:
    return (app.table.model.state or {}).get("doubles", ())


def tiles_laid(app: App) -> int:
    return sum(len(train) for train in app.table.model.trains.values())


def done(page: ViewerPage, *words: str) -> ViewerPage:
    for one in words:
        page.viewer.clicks.event_s += 10
        assert page.handle({"do": one, "at": 1000 * page.viewer.clicks.event_s}), one
    return page


def own_turn(folder: Path, **match: Any) -> ViewerPage:
    return own_turn_when(folder, lambda app, page: fits(app) and tiles_laid(app) > 8, **match)


@state("own turn")
def _(folder: Path) -> ViewerPage:
    return own_turn(folder)


@state("chosen tile", like="own turn")
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder)
    return done(page, "pick " + next(iter(page.viewer.player_view.fits(1))))


@state("refused", like="own turn")
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder)
    view = page.viewer.player_view
    tile = next(tile for tile in view.hand(1) if tile not in view.fits(1))
    return done(page, "drop %s 2" % tile)


@state("hint", like="own turn")
def _(folder: Path) -> ViewerPage:
    return done(own_turn(folder), "hint")


@state("others' turn", like="own turn")
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder)
    person_moves(page.viewer.app)
    return page


@state("take back", like="others' turn")
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder)
    tile, slots = next(iter(page.viewer.player_view.fits(1).items()))
    return done(page, "drop %s %s" % (tile, slots[0]))


@state("put back", like="own turn")
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder)
    for _ in range(3):
        person_moves(page.viewer.app)
        bots_move(page.viewer.app)
    page.viewer.follow()
    page.handle({"do": "back"})
    if page.viewer.dialog.words:
        done(page, "back sure")
    return page


@state("must draw")
def _(folder: Path) -> ViewerPage:
    return own_turn_when(folder, lambda app, page: meaning(app) == "draw" and not fits(app))


@state("has drawn", like="must draw")
def _(folder: Path) -> ViewerPage:
    page = own_turn_when(folder, lambda app, page: meaning(app) == "draw" and not fits(app))
    return done(page, "button")


@state("may not draw")
def _(folder: Path) -> ViewerPage:
    return own_turn_when(folder, lambda app, page: meaning(app) == "pass" and not fits(app))


@state("closing a double")
def _(folder: Path) -> ViewerPage:
    return own_turn_when(folder, lambda app, page: open_doubles(app) and fits(app))


@state("eight players")
def _(folder: Path) -> ViewerPage:
    return own_turn_when(
        folder,
        lambda app, page: tiles_laid(app) > 20,
        set_=12,
        seats=tuple(NAMES),
        people=(1,),
    )


@state("fourteen players")
def _(folder: Path) -> ViewerPage:
    return own_turn_when(folder, lambda app, page: tiles_laid(app) > 60, **FOURTEEN)


@state("a line game")
def _(folder: Path) -> ViewerPage:
    return own_turn_when(
        folder, lambda app, page: tiles_laid(app) > 6, house="matador", set_=6, seats=(1, 2, 3)
    )


@state("hands lie open")
def _(folder: Path) -> ViewerPage:
    return own_turn(folder, open_hands=True)


@state("hands lie open to eight players")
def _(folder: Path) -> ViewerPage:
    return own_turn(folder, open_hands=True, set_=12, seats=tuple(NAMES))


@state("a watcher of open hands")
def _(folder: Path) -> ViewerPage:
    app = own_turn(folder, open_hands=True).viewer.app
    return ViewerPage(app, Rights(False, "phone"))


@state("dialog: open hands", turns=False)
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder, open_hands=True, set_=12, seats=tuple(NAMES))
    return done(page, "open hands")


def at_one_screen(folder: Path) -> ViewerPage:
    app = started(folder, 1, seats=(1, 2, 3, 4), people=(1, 2, 3, 4))
    bots_move(app)
    return ViewerPage(app, Rights(True, "own"))


@state("four at one screen")
def _(folder: Path) -> ViewerPage:
    return done(at_one_screen(folder), "curtain")


@state("curtain", turns=False, like="four at one screen")
def _(folder: Path) -> ViewerPage:
    return at_one_screen(folder)


def ended(folder: Path, until: tuple[str, ...], **match: Any) -> ViewerPage:
    app = started(folder, 2, people=(), **match)
    for _ in range(20 * MOST_MOVES):
        kind = bots_move(app)
        if kind in until:
            break
        played(app).apply(MatchSession.next_round if kind == "round" else MatchSession.act)
    page = ViewerPage(app, Rights(True, "own"))
    played(app).apply(lambda session: session.sit_down(1))
    return page


@state("round result", turns=False)
def _(folder: Path) -> ViewerPage:
    return ended(folder, ("round",))


@state("round result of eight", turns=False)
def _(folder: Path) -> ViewerPage:
    return ended(folder, ("round",), set_=12, seats=tuple(NAMES))


@state("round result of fourteen", turns=False)
def _(folder: Path) -> ViewerPage:
    return ended(folder, ("round",), **FOURTEEN)


@state("match result", turns=False)
def _(folder: Path) -> ViewerPage:
    return ended(folder, ("over",), set_=6)


@state("round over, looked at", turns=False)
def _(folder: Path) -> ViewerPage:
    return done(ended(folder, ("round",)), "close")


@state("lesson")
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder)
    done(page, "learn")
    bots_move(page.viewer.app)
    return page


@state("look-back", turns=False)
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder)
    app = page.viewer.app
    old = app.match_id
    app.start_match(house="puremco", set_=6, seats=(1, 2), people=(1,), names=NAMES)
    return done(page, "look-back " + old, *8 * ["recording on"])


@state("watcher")
def _(folder: Path) -> ViewerPage:
    return ViewerPage(own_turn(folder).viewer.app, Rights(False, "phone"))


@state("phone away")
def _(folder: Path) -> ViewerPage:
    app = started(folder, 1, people=(1,))
    page = ViewerPage(app, Rights(True, "own"))
    seated = ViewerPage(app, Rights(False, "two"))
    assert seated.handle({"do": "take-seat 2", "fields": {"name": NAMES[5]}})
    app.present = frozenset(["own"])
    app.is_room_let_in = True
    for _ in range(MOST_MOVES):
        bots_move(app)
        if played(app).session.waits_for().seat == 2:
            break
        person_moves(app)
    return page


def real_hub(folder: Path, *inputs: str) -> ViewerPage:
    source = HubStream()
    app = App(LiveTable(source), MatchStore(folder / "hub"))
    board = quick_hub(configured(SET=6))
    source.opened("COM3")
    lines = [board.command("state"), *(board.press(seat) for seat in inputs)]
    for line in lines:
        source.received(json.dumps(line).encode() + b"\n")
    app.step()
    return ViewerPage(app, Rights(True, "own"))


@state("lobby of a real hub")
def _(folder: Path) -> ViewerPage:
    return real_hub(folder, "1", "2", "3")


@state("dialog: a real hub", turns=False)
def _(folder: Path) -> ViewerPage:
    return done(real_hub(folder, "1", "2"), "open menu")


@state("dialog: new match", turns=False)
def _(folder: Path) -> ViewerPage:
    return ViewerPage(App(store=MatchStore(folder / "none"), seed=1), Rights(True, "own"))


def with_dialog(*words: str) -> Callable[[Path], ViewerPage]:
    def make(folder: Path) -> ViewerPage:
        return done(own_turn(folder), *words)

    return make


for _name, _words in {
    "menu": ("open menu",),
    "comfort": ("open comfort",),
    "rules": ("open legend",),
    "seats": ("open seats",),
    "own sheet": ("open own",),
    "evenings": ("open evenings",),
    "matches": ("open matches",),
}.items():
    STATES["dialog: " + _name] = State(with_dialog(*_words), False)


@state("dialog: phones", turns=False)
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder)
    page.viewer.app.is_room_let_in = True
    page.viewer.app.room_url = "http://192.168.178.117:8000/"
    return done(page, "open phones")


@state("dialog: invite", turns=False)
def _(folder: Path) -> ViewerPage:
    page = own_turn(folder)
    app = page.viewer.app
    app.open_outside("https://dominoes.example/")
    app.invitations = Invitations(None)
    app.invitations.invite(app.match_id, 0, NAMES[5])
    page.handle({"do": "invite", "fields": {"seat": "2", "name": NAMES[3]}})
    return page


def on_television(page: ViewerPage) -> ViewerPage:
    page.viewer.app.room_url = "http://192.0.2.17:8000/"
    return ViewerPage(page.viewer.app, Rights(False, "", television=True))


EIGHT: dict[str, Any] = {"set_": 12, "seats": tuple(NAMES)}


def in_the_room(folder: Path, **match: Any) -> App:
    """Return an App after a round of people, all but one with phones."""
    app = ended(folder, ("round",), **match).viewer.app
    for seat in match["seats"][1:]:
        phone = ViewerPage(app, Rights(False, "phone %d" % seat))
        assert phone.handle({"do": "take-seat %d" % seat, "fields": {"name": MORE_NAMES[seat]}})
    return app


@state("television")
def _(folder: Path) -> ViewerPage:
    return on_television(own_turn(folder))


@state("television: hands lie open")
def _(folder: Path) -> ViewerPage:
    return on_television(own_turn(folder, open_hands=True))


@state("television: a result", turns=False)
def _(folder: Path) -> ViewerPage:
    return on_television(ViewerPage(in_the_room(folder, **EIGHT), Rights(True, "own")))


@state("television: a result of fourteen", turns=False)
def _(folder: Path) -> ViewerPage:
    return on_television(ViewerPage(in_the_room(folder, **FOURTEEN), Rights(True, "own")))


def in_the_second_round(folder: Path, **match: Any) -> ViewerPage:
    app = in_the_room(folder, **match)
    played(app).apply(MatchSession.next_round)
    while tiles_laid(app) < 60:
        if bots_move(app) in ("person", "knock"):
            person_moves(app)
    return on_television(ViewerPage(app, Rights(True, "own")))


@state("television: eight players")
def _(folder: Path) -> ViewerPage:
    return in_the_second_round(folder, **EIGHT)


@state("television: fourteen players")
def _(folder: Path) -> ViewerPage:
    return in_the_second_round(folder, **FOURTEEN)


@state("television: fourteen players join")
def _(folder: Path) -> ViewerPage:
    app = own_turn(folder, people=(1, 2, 14), **FOURTEEN).viewer.app
    return on_television(ViewerPage(app, Rights(True, "own")))
