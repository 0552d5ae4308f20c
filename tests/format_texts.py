# SPDX-License-Identifier: MIT
"""What firmware_formats.py puts beside the names that it finds in the firmware: a sentence each.

A name that the firmware has and no table here, or the other way round, is an error.
"""

ROOMS = {  # room -> its modules, in the order in which a reader meets them
    "start": (
        "main",
        "boot",
        "config_check",
        "settings",
        "boards",
        "hub_builder",
        "crash",
    ),
    "hub": ("hub", "feedback", "commands", "tag_writer", "selftest"),
    "console": ("console", "report", "position"),
    "games": (
        *("games/__init__", "games/match", "games/between_rounds", "games/corrections"),
        *("games/mexican_train/play", "games/mexican_train/rounds", "games/mexican_train/sheets"),
        *("games/line_games/play", "games/line_games/rounds", "games/line_games/sheets"),
        *("games/houses", "games/masks", "games/fields", "games/saved_state"),
        *("games/mexican_train/fields", "games/line_games/fields"),
    ),
    "lights": ("lights", "round_end_lights", "animations", "lamps", "palettes"),
    "journal": ("journal", "history"),
    "tags": ("tags",),
    "shared": ("tiles", "constants", "power", "__init__"),
    "drivers": (
        *("drivers/__init__", "drivers/reader", "drivers/presence", "drivers/known_tags"),
        *("drivers/schedule", "drivers/iso14443", "drivers/mfrc522", "drivers/reader_recovery"),
        *("drivers/held_tag", "drivers/buttons", "drivers/expanders", "drivers/strip"),
        *("drivers/piezo", "drivers/files"),
    ),
}

SETTINGS = {  # of config.py -> (unit, what it is)
    "HOUSE": ("", "the rules of a new match, and variant words behind them"),
    "SET": ("highest number", "your set; `None`: what the house is made for, as a rule 12"),
    "FAMILY": ("", "houses of your own"),
    "WIRING": ("", "the board"),
    "STATIONS": ("stations", "how many there are; or which, `(1, 2, 4, 7)`"),
    "BRIGHTNESS": ("of 255", "of the lamps"),
    "MILLIAMPS": ("mA", "the pixels' budget; `usb`: what the supply offers"),
    "HINTS": ("", "a faint light where the seat whose turn it is may play"),
    "PALETTE": ("", "the colours"),
    "NIGHT_MINUTES": ("minutes", "without an input, then the lamps are dimmed; 0: never"),
    "NIGHT_BRIGHTNESS": ("of 255", "of the lamps then"),
    "READER": ("", "the reader chip, one a slot"),
    "FIELDS": ("readers", "with their field on at once"),
    "BAUD": ("bits per second", "between hub and readers"),
    "SOUND": ("", "whether there is a piezo to be heard"),
    "PINS": ("GPIO numbers", "pins that differ from those of the board"),
}

HOLDS = {  # of the buttons, in ms -> what a button is that was down so long
    "DEBOUNCE_MS": "shorter is no press at all",
    "TWICE_MS": "two presses of one button closer than this are one",
    "HOLD_MS": "from here on it is a hold: the last input is taken back",
    "LEANT_MS": "from here on it is nothing: somebody leans on it",
    "LONG_MS": "a long hold, from here on: a press within as long again forgets the match",
    "STUCK_MS": "from here on the button is stuck: a fault",
}

LINE = {  # a key of every line -> what it says
    "input": "the input as script line or command; `power-up` once at the start",
    "verdict": "`ok`, or [why not](#verdicts)",
    "by": "the seat whose input it was; `null` for nobody's, and when refused",
    "did": "[what the input was](#what-an-input-was), in a word; `null` when refused",
    "phase": "`lobby`, `engine`, `play`, `scoring` or `finished`",
    "round": "the round's number; 0 in the lobby",
    "engine": "the opening tile, `null` while it is not on the table; in Matador it may be `9-6`",
    "turn": "the seat whose turn it is, `null` outside `play`",
    "drawn": "whether that seat has declared a draw",
    "open": "trains with a marker, and begun ones that are everybody's; every begun line",
    "doubles": "uncovered doubles, in closing order; none in a line game",
    "playable": "slots that the rules open to the next tile; slots, not tiles",
    "ends": "the number at the end of each begun train or line; two of them, higher first, while "
    "the next tile decides",
    "sides": "in line games alone: the numbers at which a line may begin, and how many places "
    "each has",
    "hands": "tiles in each seat's hand, as counted",
    "boneyard": "tiles left to draw, as counted",
    "scores": "totals of the match; half points as `25.5`",
    "winner": "`null` until `finished`, then the seats",
    "lamps": "one [letter](#lamps) a pixel, four a slot; the slots there are, in the order 1 to "
    "10, M, E",
}

MORE = {  # a key behind those -> what it says
    "game": "which game is played",
    "house": "the house, and its variant words",
    "set": "the highest number of the set",
    "stations": "the stations there are, where one before the last is missing",
    "trains": "the round's tiles, slot by slot",
    "rules": "the options that changed; all of them where the game did",
    "config": "the house of config.py, where the match has another; `changed`: other rules",
    "vsys": "volts behind the Pico's diode, `4.84`",
    "version": "of the firmware",
}

DID = {  # what an accepted input was -> (the input, whose it is)
    "joined": ("a press in the lobby, `join`", "that seat"),
    "left": ("a press in the lobby, `leave`", "that seat"),
    "dealt": ("E in the lobby", "nobody"),
    "opened": ("the opening tile", "who laid it, or was drawn to start"),
    "laid": ("any tile in play, the last one and overrides included", "the seat to move"),
    "drew": ("a press by the seat whose turn it is; in `engine` a drawn tile", "that seat"),
    "passed": ("a second such press, or the first where nothing is left to draw", "that seat"),
    "knocked": ("the notice of the last tile", "that seat"),
    "out": ("“that was my last tile”", "that seat"),
    "caught": ("M, where a seat forgot its notice", "the seat that takes the tile"),
    "counted": ("a left-over tile", "that seat"),
    "done": ("all of them; `score` while counting", "that seat"),
    "round-over": ("E in play or while counting", "nobody"),
    "match-over": ("E in `engine`", "nobody"),
    "cleared": ("E or a seat after the match; the match is forgotten", "the seat, or nobody"),
    "took-back": ("a hold, `undo`", "nobody"),
    "put-back": ("`redo`", "nobody"),
    "chose": ("`house`, `set`", "nobody"),
    "corrected": ("`hand`, `turn`, `marker`, `score`; `boneyard`", "that seat; nobody"),
    "showed": (
        "what changes nothing: `state`, `export`, `position`, M, power-up, `sound`, the cards "
        "`override`, `totals`, `scores` and `quiet`",
        "nobody",
    ),
}

VERDICTS = {  # a word of refusal -> what such an input is
    "not-now": "has no meaning in this phase: a station nobody joined, a single tile in the lobby",
    "not-your-turn": "is a press by a seat whose turn it is not",
    "unreadable": "is a tag with no text the hub knows, or two different tags at once",
    "not-in-set": "is a tile the set does not have",
    "on-table": "is a tile that is already on the table",
    "not-an-engine": "is not the double this round needs, or no tile this game begins with",
    "double-first": "is elsewhere, and an open double must be closed first",
    "cover-it": "is elsewhere, and the double just played must be covered, or a third tile is "
    "owed",
    "own-first": "is elsewhere, and this seat has to play on its own train first",
    "closed": "is on a train this seat may not play on; where no line is and none may begin",
    "no-match": "does not match the train's end; joins neither the line nor a free place",
    "no-second-double": "is a double, and the house allows no further one in this turn",
    "fault": "was not kept: a reader or the store failed; nothing was lost",
}

COMMANDS = {  # a command as `help` lists it -> what it does
    "state": "says the line as it is now, with the round's trains",
    "undo": "takes the last accepted input back",
    "redo": "repeats what was taken back, until the power goes",
    "next": "does what E's button does",
    "house NAME [VARIANT...]": "chooses the game and its rules, in the lobby",
    "set N": "chooses the set, in the lobby",
    "join N": "a seat comes, in the next round and with 0 points",
    "leave N": "a seat goes",
    "hand N COUNT": "puts the count of a hand right",
    "boneyard COUNT": "puts the count of the boneyard right",
    "turn N": "gives a seat the turn",
    "marker SLOT": "puts a marker up or takes it off, where there are markers",
    "score N PIPS": "sets the points of the last round; while counting, of this one",
    "write TEXT [SLOT]": "writes a tag, on E where no slot is said",
    "lock [SLOT]": "makes a tag read-only permanently, when said twice",
    "sound on": "lets the piezo be heard; `not-now` where `SOUND = False`",
    "sound off": "silences it; no input of the match either way",
    "export": "says the journal, one segment per line",
    "position": "prints the table as a script that leads to it, one of its lines per line",
    "selftest": "begins or ends the self-test",
    "help": "lists the commands",
}

TAGS = {  # an example of a text -> what it means
    "12-7": "a tile, its numbers in either order",
    "seat 3": "is a press of that station's button",
    "set 9": "chooses the set, in the lobby",
    "house jassshop no-lock": "chooses the game and its rules, in the lobby",
    "undo": "takes the last accepted input back",
    "override": "the next tile counts although the rules refuse it",
    "next": "does what E's button does",
    "totals": "counts out everybody's totals in light",
    "scores": "between two rounds the totals are written onto this card",
    "quiet": "silences the piezo, or lets it be heard again",
}

KINDS = {  # a kind of input -> (what it is, its slot, its value)
    "TAP": (
        "a tile is tapped",
        "where",
        "the tile; + 256 x a random byte where the hub draws who starts",
    ),
    "OVERRIDE": ("a tile is laid against the rules", "where", "the tile"),
    "PRESS": ("a button", "whose", ""),
    "DRAW": ("a draw, whatever the boneyard's count says", "the seat", ""),
    "FORGET": ("the match is forgotten", "", ""),
    "RULES": ("a choice of a house; begins a segment", "the house", "mask of its variants"),
    "SET": ("a choice of a set; begins a segment", "", "the highest number"),
    "JOIN": ("a seat comes", "the seat", ""),
    "LEAVE": ("a seat goes", "the seat", ""),
    "HAND": ("a hand's count is put right", "the seat", "tiles"),
    "BONEYARD": ("the boneyard's count is put right", "", "tiles"),
    "TURN": ("a seat gets the turn", "the seat", ""),
    "MARKER": ("a marker goes up or comes off", "the station", ""),
    "SCORE": ("a seat's points of a round", "the seat", "pips"),
    "LAID": ("a tile that was on the table when the journal began", "where", "the tile"),
    "UNDO": ("the last input was taken back", "", ""),
}

GAMES = {"mexican_train": "Mexican Train", "line_games": "line games"}  # by their modules' names
PACKED = {"original": "Mexican Train", "classic": "a line game"}  # a house of each -> its title
HEADER = (  # the fields before a segment's state, in their order
    "`RHJ`, and the format's number",
    "this segment's number",
    "the number of the one before it, 0 for none",
    "the match's number",
    "16 x the kind of the choice of rules it began with, 0 for none",
    "length of the packed state",
)
