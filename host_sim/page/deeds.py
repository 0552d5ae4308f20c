# SPDX-License-Identifier: MIT
"""What a viewer can do: a word for each, who may, and which key it is.

A deed is a function of the Desk, the words behind its own and the fields of a form.
"""

from host_sim.hub import exported_match
from host_sim.page import dialogs, ends, keepsakes, new_match
from host_sim.page.shown_table import PACES
from host_sim.views.clean_names import clean_name
from host_sim.views.speech import LANGUAGES
from roundhouse import words as slots

ALL, SEATED, OWNER = "all", "seated", "owner"
DEEDS = {}


def deed(word, who, count=0):
    """Register a deed: its word, who may do it, and how many words come behind at least."""

    def register(function):
        DEEDS[word] = (function, who, count)
        return function

    return register


def do(desk, text, fields):
    """Do what a click says; return whether it was anything that this viewer may do now."""
    word, *more = text.split() or [""]
    if word not in DEEDS:
        return False
    function, who, count = DEEDS[word]
    allowed = who == ALL or desk.rights.owner or (who == SEATED and desk.seats())
    if who == SEATED and desk.table.kind != "play":
        return False
    if not allowed or len(more) < count:
        return False
    try:
        return function(desk, more, fields) is not False
    except OSError as error:
        desk.tell(error=desk.why(error))
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


def typed(desk, key):
    """Do what a key says."""
    if key == "Escape":
        return do(desk, "close", {})
    if dialog_is_open(desk):
        return key in ("Enter", "n") and (do(desk, "next", {}) or do(desk, "close", {}))
    keys = {**KEYS, **REPLAY_KEYS} if desk.table.kind == "replay" else KEYS
    return key in keys and do(desk, keys[key], {})


def dialog_is_open(desk):
    """Return whether something stands before the table."""
    return dialogs.which(desk) is not None


# ---- the hand ----


def tile_of(desk, text):
    """Return the seat in front, if it holds that tile; else None."""
    seat = desk.seat()
    return seat if seat and text in desk.table.sitting.hand(seat) else None


@deed("pick", SEATED, 1)
def pick(desk, words, fields):
    """A tile is clicked: chosen, or laid where it is chosen already and fits in one place."""
    if not tile_of(desk, words[0]):
        return False
    if desk.chosen == words[0]:
        return main(desk, (), fields)
    desk.chosen = words[0]
    return True


@deed("step", SEATED, 1)
def step(desk, words, fields):
    """The next tile is chosen, or the one before."""
    seat = desk.seat()
    hand = desk.table.sitting.hand(seat) if seat else []
    if not hand:
        return False
    way = -1 if words[0] == "-1" else 1
    at = hand.index(desk.chosen) + way if desk.chosen in hand else (0 if way > 0 else -1)
    desk.chosen = hand[at % len(hand)]
    return True


@deed("main", SEATED)
def main(desk, words, fields):
    """Enter: the next round, or the chosen tile where it fits in one place only."""
    if desk.table.sitting.waits_for().kind == "round":
        return next_round(desk, (), {})
    if not desk.chosen:
        return False
    fits = desk.table.sitting.fits(desk.seat()).get(desk.chosen, ())
    return len(fits) == 1 and lay(desk, (desk.chosen, fits[0]), fields)


@deed("slot", SEATED, 1)
def slot(desk, words, fields):
    """A place on the table is clicked: the chosen tile is laid there."""
    return bool(desk.chosen) and lay(desk, (desk.chosen, words[0]), fields)


@deed("drop", SEATED, 2)
def drop(desk, words, fields):
    """A tile was dragged: onto the table, or to another place in the hand."""
    tile, place = words[:2]
    seat = tile_of(desk, tile)
    if not seat:
        return False
    if place.startswith("hand:"):
        before = place.removeprefix("hand:")
        hand = desk.table.sitting.hand(seat)
        at = hand.index(before) if before in hand else len(hand)
        desk.table.sitting.move(seat, tile, at)
        desk.table.version += 1
        return True
    return lay(desk, words, fields)


@deed("lay", SEATED, 2)
def lay(desk, words, fields):
    """A tile of the hand in front is laid on a slot. The hub says whether it may."""
    return tap(desk, *words[:2])


@deed("override", SEATED, 2)
def override(desk, words, fields):
    """The same, although the rules refuse it: the table is always right."""
    return tap(desk, *words[:2], override=True)


def tap(desk, tile, where, override=False):
    """Tap a tile of the hand in front on a slot, on their turn; return whether it was tapped."""
    seat = tile_of(desk, tile)
    if not seat or where not in slots.SLOTS[1:] or not desk.on_turn():
        return False
    return desk.table.does(lambda sitting: sitting.lays(seat, tile, where, override))


@deed("button", SEATED)
def button(desk, words, fields):
    """The button of the seat in front: a tile is drawn, passed, a knock."""
    seat = desk.seat()
    means = desk.table.sitting.button(seat) if seat else None
    if not means:
        return False
    where = "E" if means == "over" else seat
    return desk.table.does(lambda sitting: sitting.presses(where))


@deed("draw", SEATED)
def draw(desk, words, fields):
    """A tile is drawn where the button alone would pass: nothing is enforced there."""
    if not desk.on_turn() or not desk.table.sitting.is_free:
        return False
    return desk.table.does(lambda sitting: sitting.draws(desk.seat()))


@deed("catch", SEATED)
def catch(desk, words, fields):
    """Somebody forgot to knock, and is caught."""
    if desk.table.kind != "play" or not desk.table.sitting.catches():
        return False
    return desk.table.does(lambda sitting: sitting.presses("M"))


@deed("back", SEATED)
def back(desk, words, fields):
    """Take back one's own last input and what came behind it; the owner's, whoever's came last."""
    sitting = desk.table.sitting
    seat = desk.seat() or desk.front
    if not sitting.undoes(seat):
        return False
    return desk.table.does(lambda sitting: sitting.take_back(own=seat))


@deed("wait", SEATED)
def no_knock(desk, words, fields):
    """Nobody knocks: the table goes on."""
    waits = desk.table.sitting.waits_for()
    if waits.kind != "knock" or waits.seat != desk.seat():
        return False
    return desk.table.does(lambda sitting: sitting.no_knock())


@deed("hint", SEATED)
def hint(desk, words, fields):
    """Show what a good player would do, or hide it."""
    if not desk.on_turn():
        return False
    desk.hint = None if desk.hint else desk.table.sitting.hint(desk.seat())
    if desk.hint and desk.hint.tile:
        desk.chosen = desk.hint.tile
    return True


@deed("sort", SEATED)
def sort(desk, words, fields):
    """Sort the hand in front another way."""
    seat = desk.seat()
    if not seat:
        return False
    desk.table.sort(seat)
    return True


@deed("curtain", SEATED)
def curtain(desk, words, fields):
    """Somebody has come to the screen, and sees their own hand."""
    desk.front = desk.behind() or desk.front
    desk.chosen = desk.hint = None


# ---- the round and the match ----


@deed("next", SEATED)
def next_round(desk, words, fields):
    """The next round: it waits for somebody."""
    if desk.table.sitting.waits_for().kind != "round":
        return False
    desk.dialog = None
    return desk.table.does(lambda sitting: sitting.next_round())


@deed("open", ALL, 1)
def open_dialog(desk, words, fields):
    """Open a dialog, in place of another one."""
    if not dialogs.may_open(desk, words[0]):
        return False
    desk.dialog = list(words[:2])
    desk.form, desk.error = {}, ""
    return True


@deed("close", ALL)
def close(desk, words, fields):
    """Close what stands before the table; the end of a round may be looked at again."""
    if desk.dialog:
        if desk.dialog[0] == "new" and desk.table.kind == "empty":
            return False
        desk.dialog = None
    elif dialogs.which(desk) == ["end"]:
        desk.ended = ends.ending(desk)
    else:
        desk.chosen = desk.hint = None
    desk.error = ""
    return True


@deed("choose", OWNER)
def choose(desk, words, fields):
    """Something was chosen in the form of a new match: the questions follow it."""
    desk.form = fields
    return True


@deed("start", OWNER)
def start(desk, words, fields):
    """Begin the match that the form describes."""
    if not desk.hall.shelf:
        return False
    wanted = new_match.wanted(desk, fields)
    desk.hall.begin(**wanted)
    began(desk)
    return True


def began(desk):
    """Another table is shown: nothing of the last one stays in front of it."""
    desk.dialog = desk.front = desk.chosen = desk.hint = desk.ended = None
    desk.form, desk.error = {}, ""


@deed("carry-on", OWNER, 1)
def carry_on(desk, words, fields):
    """Go on with a match of the list."""
    return _shelved(desk, desk.hall.carry_on, words[0])


@deed("look-back", OWNER, 1)
def look_back(desk, words, fields):
    """Look back at a match of the list."""
    return _shelved(desk, desk.hall.look_back, words[0])


def _shelved(desk, act, match):
    if not desk.hall.kept(match):
        return False
    act(match)
    began(desk)
    return True


@deed("remove", OWNER, 1)
def remove(desk, words, fields):
    """Take a match from the list; only what asks for it comes here."""
    if not desk.hall.kept(words[0]) or words[0] == desk.hall.match:
        return False
    desk.hall.shelf.remove(words[0])
    desk.dialog = ["matches"]
    return True


@deed("learn", OWNER)
def learn(desk, words, fields):
    """Begin the lesson, or take it up."""
    if not desk.hall.shelf or words[:1] not in ([], ["round"], ["forgotten"]):
        return False
    desk.hall.learn(words[0] if words else "round")
    began(desk)
    return True


@deed("look-at", OWNER)
def look_at(desk, words, fields):
    """Look back at an export that was chosen as a file."""
    try:
        desk.hall.look_at(fields.get("text", ""))
    except exported_match.NoExport:
        desk.error = desk.say("page.no_export")
        if not desk.dialog:  # it was dropped onto the table
            desk.tell(error=desk.error)
        return True
    began(desk)
    return True


@deed("pace", OWNER, 1)
def pace(desk, words, fields):
    """Bots take another time."""
    if words[0] not in PACES:
        return False
    desk.hall.hurry(words[0])
    return True


@deed("sound", ALL)
def sound(desk, words, fields):
    """Sound off, or on."""
    desk.quiet = not desk.quiet
    desk.tell(keep={"quiet": "1" if desk.quiet else ""})


@deed("speak", ALL, 1)
def speak(desk, words, fields):
    """Another language."""
    if words[0] not in LANGUAGES:
        return False
    desk.speak(words[0])
    desk.tell(keep={"lang": words[0]})
    return True


@deed("kept", ALL)
def kept(desk, words, fields):
    """What the viewer's browser has kept."""
    desk.quiet = fields.get("quiet") == "1"
    return True


@deed("room", ALL, 2)
def room(desk, words, fields):
    """How many pixels the picture has in the viewer's browser."""
    if not all(word.isdecimal() and 50 <= int(word) <= 10000 for word in words[:2]):
        return False
    desk.room = int(words[0]), int(words[1])
    return True


# ---- seats and names ----


@deed("take-seat", ALL, 1)
def take_seat(desk, words, fields):
    """Take a bot's seat from one's own phone."""
    table = desk.table
    if table.kind != "play" or not desk.rights.me or not words[0].isdecimal():
        return False
    seat = int(words[0])
    free = set(table.sitting.seats) - table.sitting.people
    if seat not in free or desk.seats() and not desk.rights.owner:
        return False
    table.sitting.sit(seat, fields.get("name"))
    table.phones.take(seat, desk.rights.me)
    table.renamed()
    desk.dialog = None
    return True


@deed("leave-seat", SEATED, 1)
def leave_seat(desk, words, fields):
    """A bot plays on for a seat: one's own, or any where the owner says so."""
    if not words[0].isdecimal():
        return False
    seat = int(words[0])
    if seat not in desk.table.sitting.people or not (desk.rights.owner or seat in desk.seats()):
        return False
    desk.table.phones.leave(seat)
    desk.table.sitting.stand(seat)
    desk.table.renamed()
    return True


@deed("names", OWNER)
def names(desk, words, fields):
    """Say who sits where, at a hub that is watched."""
    if desk.table.kind != "watch":
        return False
    given = {seat: clean_name(fields.get("name" + seat)) for seat in seats_of(desk)}
    desk.table.rename({**desk.table.names, **given})
    desk.dialog = None
    return True


def seats_of(desk):
    """Return the seats at the table, as texts."""
    return list((desk.state or {}).get("scores", {}))


# ---- looking back, and taking away ----


@deed("tape", OWNER, 1)
def tape(desk, words, fields):
    """Forward, back, by rounds, by itself."""
    table = desk.table
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


@deed("save", ALL, 1)
def save(desk, words, fields):
    """Save the table as a picture, or the match as a file."""
    made = keepsakes.made(desk, words[0])
    if not made:
        return False
    desk.tell(file=made)
    return True
