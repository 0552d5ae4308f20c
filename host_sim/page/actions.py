# SPDX-License-Identifier: MIT
"""What a viewer can do: a word for each, who may, and which key it is.

An action is a function of the PageView, the words behind its own and the fields of a form.
"""

from host_sim.hub import match_export
from host_sim.page import dialogs, downloads, new_match, round_results
from host_sim.page.table_models import PACES
from host_sim.views.i18n import LANGUAGES
from host_sim.views.player_names import clean_name
from roundhouse import constants as slots

ALL, SEATED, OWNER = "all", "seated", "owner"
ACTIONS = {}


def action(word, who, count=0):
    """Register an action: its word, who may do it, and how many words come behind at least."""

    def register(function):
        ACTIONS[word] = (function, who, count)
        return function

    return register


def do(view, text, fields):
    """Do what a click says; return whether it was anything that this viewer may do now."""
    word, *more = text.split() or [""]
    if word not in ACTIONS:
        return False
    function, who, count = ACTIONS[word]
    allowed = who == ALL or view.rights.owner or (who == SEATED and view.seats())
    if who == SEATED and view.table.kind != "play":
        return False
    if not allowed or len(more) < count:
        return False
    try:
        return function(view, more, fields) is not False
    except OSError as error:
        view.tell(error=view.why(error))
        return True


# key -> the words it stands for, while no dialog is open
KEYS = {
    "Enter": "main",
    " ": "button",
    "u": "back",
    "h": "hint",
    "?": "open legend",
    "s": "sound",
    "n": "next",
    "m": "slot M",
    "0": "slot 10",
    "ArrowLeft": "step -1",
    "ArrowRight": "step 1",
    "ArrowUp": "sort",
    "ArrowDown": "sort",
    **{str(n): "slot %d" % n for n in range(1, 10)},
}
REPLAY_KEYS = {
    "ArrowLeft": "tape back",
    "ArrowRight": "tape on",
    "ArrowUp": "tape round-back",
    "ArrowDown": "tape round-on",
    " ": "tape run",
}


def press_key(view, key):
    """Do what a key says."""
    if key == "Escape":
        return do(view, "close", {})
    if dialog_is_open(view):
        return key in ("Enter", "n") and (do(view, "next", {}) or do(view, "close", {}))
    keys = {**KEYS, **REPLAY_KEYS} if view.table.kind == "replay" else KEYS
    return key in keys and do(view, keys[key], {})


def dialog_is_open(view):
    """Return whether something stands before the table."""
    return dialogs.which(view) is not None


# ---- the hand ----


def tile_of(view, text):
    """Return the seat in front, if it holds that tile; else None."""
    seat = view.seat()
    return seat if seat and text in view.table.session.hand(seat) else None


@action("pick", SEATED, 1)
def pick(view, words, fields):
    """A tile is clicked: chosen, or laid where it is chosen already and fits in one place."""
    if not tile_of(view, words[0]):
        return False
    if view.chosen == words[0]:
        return main(view, (), fields)
    view.chosen = words[0]
    return True


@action("step", SEATED, 1)
def step(view, words, fields):
    """The next tile is chosen, or the one before."""
    seat = view.seat()
    hand = view.table.session.hand(seat) if seat else []
    if not hand:
        return False
    way = -1 if words[0] == "-1" else 1
    at = hand.index(view.chosen) + way if view.chosen in hand else (0 if way > 0 else -1)
    view.chosen = hand[at % len(hand)]
    return True


@action("main", SEATED)
def main(view, words, fields):
    """Enter: the next round, or the chosen tile where it fits in one place only."""
    if view.table.session.waits_for().kind == "round":
        return next_round(view, (), {})
    if not view.chosen:
        return False
    fits = view.table.session.fits(view.seat()).get(view.chosen, ())
    return len(fits) == 1 and lay(view, (view.chosen, fits[0]), fields)


@action("slot", SEATED, 1)
def slot(view, words, fields):
    """A place on the table is clicked: the chosen tile is laid there."""
    return bool(view.chosen) and lay(view, (view.chosen, words[0]), fields)


@action("drop", SEATED, 2)
def drop(view, words, fields):
    """A tile was dragged: onto the table, or to another place in the hand."""
    tile, place = words[:2]
    seat = tile_of(view, tile)
    if not seat:
        return False
    if place.startswith("hand:"):
        before = place.removeprefix("hand:")
        hand = view.table.session.hand(seat)
        at = hand.index(before) if before in hand else len(hand)
        view.table.session.move(seat, tile, at)
        view.table.version += 1
        return True
    return lay(view, words, fields)


@action("lay", SEATED, 2)
def lay(view, words, fields):
    """A tile of the hand in front is laid on a slot. The hub says whether it may."""
    return tap(view, *words[:2])


@action("override", SEATED, 2)
def override(view, words, fields):
    """The same, although the rules refuse it: the table is always right."""
    return tap(view, *words[:2], override=True)


def tap(view, tile, where, override=False):
    """Tap a tile of the hand in front on a slot, on their turn; return whether it was tapped."""
    seat = tile_of(view, tile)
    if not seat or where not in slots.SLOTS[1:] or not view.on_turn():
        return False
    return view.table.does(lambda session: session.lays(seat, tile, where, override))


@action("button", SEATED)
def button(view, words, fields):
    """The button of the seat in front: a tile is drawn, passed, a knock."""
    seat = view.seat()
    means = view.table.session.button(seat) if seat else None
    if not means:
        return False
    where = "E" if means == "over" else seat
    return view.table.does(lambda session: session.presses(where))


@action("draw", SEATED)
def draw(view, words, fields):
    """A tile is drawn where the button alone would pass: nothing is enforced there."""
    if not view.on_turn() or not view.table.session.is_free:
        return False
    return view.table.does(lambda session: session.draws(view.seat()))


@action("catch", SEATED)
def catch(view, words, fields):
    """Somebody forgot to knock, and is caught."""
    if view.table.kind != "play" or not view.table.session.catches():
        return False
    return view.table.does(lambda session: session.presses("M"))


@action("back", SEATED)
def back(view, words, fields):
    """Take back one's own last input and what came behind it; the owner's, whoever's came last."""
    session = view.table.session
    seat = view.seat() or view.front
    if not session.undoes(seat):
        return False
    return view.table.does(lambda session: session.take_back(own=seat))


@action("wait", SEATED)
def no_knock(view, words, fields):
    """Nobody knocks: the table goes on."""
    waits = view.table.session.waits_for()
    if waits.kind != "knock" or waits.seat != view.seat():
        return False
    return view.table.does(lambda session: session.no_knock())


@action("hint", SEATED)
def hint(view, words, fields):
    """Show what a good player would do, or hide it."""
    if not view.on_turn():
        return False
    view.hint = None if view.hint else view.table.session.hint(view.seat())
    if view.hint and view.hint.tile:
        view.chosen = view.hint.tile
    return True


@action("sort", SEATED)
def sort(view, words, fields):
    """Sort the hand in front another way."""
    seat = view.seat()
    if not seat:
        return False
    view.table.sort(seat)
    return True


@action("curtain", SEATED)
def curtain(view, words, fields):
    """Somebody has come to the screen, and sees their own hand."""
    view.front = view.behind() or view.front
    view.chosen = view.hint = None


# ---- the round and the match ----


@action("next", SEATED)
def next_round(view, words, fields):
    """The next round: it waits for somebody."""
    if view.table.session.waits_for().kind != "round":
        return False
    view.dialog = None
    return view.table.does(lambda session: session.next_round())


@action("open", ALL, 1)
def open_dialog(view, words, fields):
    """Open a dialog, in place of another one."""
    if not dialogs.may_open(view, words[0]):
        return False
    view.dialog = list(words[:2])
    view.form, view.error = {}, ""
    return True


@action("close", ALL)
def close(view, words, fields):
    """Close what stands before the table; the end of a round may be looked at again."""
    if view.dialog:
        if view.dialog[0] == "new" and view.table.kind == "empty":
            return False
        view.dialog = None
    elif dialogs.which(view) == ["end"]:
        view.ended = round_results.ending(view)
    else:
        view.chosen = view.hint = None
    view.error = ""
    return True


@action("choose", OWNER)
def choose(view, words, fields):
    """Something was chosen in the form of a new match: the questions follow it."""
    view.form = fields
    return True


@action("start", OWNER)
def start(view, words, fields):
    """Begin the match that the form describes."""
    if not view.app.store:
        return False
    wanted = new_match.wanted(view, fields)
    view.app.begin(**wanted)
    began(view)
    return True


def began(view):
    """Another table is shown: nothing of the last one stays in front of it."""
    view.dialog = view.front = view.chosen = view.hint = view.ended = None
    view.form, view.error = {}, ""


@action("carry-on", OWNER, 1)
def carry_on(view, words, fields):
    """Go on with a match of the list."""
    return _shelved(view, view.app.carry_on, words[0])


@action("look-back", OWNER, 1)
def look_back(view, words, fields):
    """Look back at a match of the list."""
    return _shelved(view, view.app.look_back, words[0])


def _shelved(view, act, match):
    if not view.app.kept(match):
        return False
    act(match)
    began(view)
    return True


@action("remove", OWNER, 1)
def remove(view, words, fields):
    """Take a match from the list; only what asks for it comes here."""
    if not view.app.kept(words[0]) or words[0] == view.app.match:
        return False
    view.app.store.remove(words[0])
    view.dialog = ["matches"]
    return True


@action("learn", OWNER)
def learn(view, words, fields):
    """Begin the lesson, or take it up."""
    if not view.app.store or words[:1] not in ([], ["round"], ["forgotten"]):
        return False
    view.app.learn(words[0] if words else "round")
    began(view)
    return True


@action("look-at", OWNER)
def look_at(view, words, fields):
    """Look back at an export that was chosen as a file."""
    try:
        view.app.look_at(fields.get("text", ""))
    except match_export.NotAnExport:
        view.error = view.say("page.no_export")
        if not view.dialog:  # it was dropped onto the table
            view.tell(error=view.error)
        return True
    began(view)
    return True


@action("pace", OWNER, 1)
def pace(view, words, fields):
    """Bots take another time."""
    if words[0] not in PACES:
        return False
    view.app.hurry(words[0])
    return True


@action("sound", ALL)
def sound(view, words, fields):
    """Sound off, or on."""
    view.quiet = not view.quiet
    view.tell(keep={"quiet": "1" if view.quiet else ""})


@action("speak", ALL, 1)
def speak(view, words, fields):
    """Another language."""
    if words[0] not in LANGUAGES:
        return False
    view.speak(words[0])
    view.tell(keep={"lang": words[0]})
    return True


@action("kept", ALL)
def kept(view, words, fields):
    """What the viewer's browser has kept."""
    view.quiet = fields.get("quiet") == "1"
    return True


@action("room", ALL, 2)
def room(view, words, fields):
    """How many pixels the picture has in the viewer's browser."""
    if not all(word.isdecimal() and 50 <= int(word) <= 10000 for word in words[:2]):
        return False
    view.room = int(words[0]), int(words[1])
    return True


# ---- seats and names ----


@action("take-seat", ALL, 1)
def take_seat(view, words, fields):
    """Take a bot's seat from one's own phone."""
    table = view.table
    if table.kind != "play" or not view.rights.me or not words[0].isdecimal():
        return False
    seat = int(words[0])
    free = set(table.session.seats) - table.session.people
    if seat not in free or view.seats() and not view.rights.owner:
        return False
    table.session.sit(seat, fields.get("name"))
    table.seat_claims.take(seat, view.rights.me)
    table.renamed()
    view.dialog = None
    return True


@action("leave-seat", SEATED, 1)
def leave_seat(view, words, fields):
    """A bot plays on for a seat: one's own, or any where the owner says so."""
    if not words[0].isdecimal():
        return False
    seat = int(words[0])
    if seat not in view.table.session.people or not (view.rights.owner or seat in view.seats()):
        return False
    view.table.seat_claims.leave(seat)
    view.table.session.stand(seat)
    view.table.renamed()
    return True


@action("names", OWNER)
def names(view, words, fields):
    """Say who sits where, at a hub that is watched."""
    if view.table.kind != "watch":
        return False
    given = {seat: clean_name(fields.get("name" + seat)) for seat in seats_of(view)}
    view.table.rename({**view.table.names, **given})
    view.dialog = None
    return True


def seats_of(view):
    """Return the seats at the table, as texts."""
    return list((view.state or {}).get("scores", {}))


# ---- looking back, and taking away ----


@action("tape", OWNER, 1)
def tape(view, words, fields):
    """Forward, back, by rounds, by itself."""
    table = view.table
    if table.kind != "replay":
        return False
    ways = {
        "on": lambda: table.step_by(1),
        "back": lambda: table.step_by(-1),
        "round-on": lambda: table.round(1),
        "round-back": lambda: table.round(-1),
        "run": table.run,
    }
    if words[0] not in ways:
        return False
    ways[words[0]]()
    return True


@action("save", ALL, 1)
def save(view, words, fields):
    """Save the table as a picture, or the match as a file."""
    made = downloads.download(view, words[0])
    if not made:
        return False
    view.tell(file=made)
    return True
