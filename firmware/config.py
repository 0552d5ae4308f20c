# SPDX-License-Identifier: MIT
"""The one file a maker edits. Save it on the board and reset; the console names a mistake."""

# The rules in the lobby until a card or the console says otherwise: a house of Mexican Train
# (original, quebec, jassshop, goliath, puremco, free) or another game (classic, matador,
# tiddle-a-wink, draw, block), then variant words if you like: "jassshop no-lock lift".
HOUSE = "puremco"
# The highest number of your set: 6, 9, 12, 15 or 18. None: 12, or what the game is made for.
SET = None

# Houses of your own: a name, the sheet it comes from, and the options that differ. For example
# {"grandma": ("jassshop", {"lock": "no", "blank": "25"})}. The options are listed in
# roundhouse/games/mexican_train_sheets.py and lines_sheets.py.
FAMILY = {}

# The board: "hub12" (hardware/hub12, up to 10 stations), "breadboard" (everything straight to the
# Pico, up to 8 stations), or another of roundhouse/boards.py. STATIONS: how many there are, then
# the connectors of the last ones stay empty; or which, (1, 2, 4, 7). The strip goes through the
# slots there are, in the order of the stations, then M, then E.
WIRING = "hub12"
STATIONS = 10

# Light: how bright (1..255), and what the pixels may draw in all, in mA. A USB-C supply that
# offers 3 A carries 2000, one with 1.5 A 900, a 1 A charger 500; 100 is safe anywhere. "usb": what
# the supply says at power-up that it offers, which a hub12 can hear.
BRIGHTNESS = 96
MILLIAMPS = 500
HINTS = True  # a faint light where the seat whose turn it is may play
PALETTE = "standard"  # or "clear", for eyes that do not tell red from green
# After so many minutes without an input the lamps go down to this brightness, until the next one;
# 0 minutes: never.
NIGHT_MINUTES = 15
NIGHT_BRIGHTNESS = 24

# Readers with their field on at once, 1..3: more is quicker and draws up to 100 mA each at 3.3 V,
# which their own regulator has to give (the Pico's gives 300 mA in all: then 1).
FIELDS = 3

# How fast the readers are spoken to, in bits a second, 500000..8000000; the chip takes 10000000,
# cables less. Where a reader fails its self-check at that speed and passes it at a quarter of it,
# the hub says which, and speaks to all of them so slowly.
BAUD = 4000000

# Soft tunes from the piezo, where one is fitted: yes, no, your turn, one tile left, the end. The
# card `quiet` and the console's `sound off` silence them too. False: for ever.
SOUND = True

# Pins wired otherwise than on the board above, by name: {"lights": 15}. roundhouse/boards.py has
# the names and what they are without this.
PINS = {}
