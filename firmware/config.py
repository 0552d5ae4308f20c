# SPDX-License-Identifier: MIT
"""The one file that a maker edits. Save it on the board and reset; the console names any
mistake."""

# The rules of a new match, until a card or the console chooses others in the lobby. A house of
# Mexican Train: original, quebec, jassshop, goliath, puremco, cardinal or free. Or another game:
# classic, matador, tiddle-a-wink, draw or block. Variant words may follow: "jassshop no-lock", and
# in Mexican Train your own deal, rounds and engine: "puremco deal-15-15-12 rounds-6 first-9".
HOUSE = "puremco"
# The highest number of your set: 6, 9, 12, 15 or 18. None: 12, or what the game is made for.
SET = None

# Houses of your own: a name, the sheet it comes from, and the options that differ. For example
# {"grandma": ("jassshop", {"lock": "no", "deal": "15 15 12"})}. The options are listed in
# roundhouse/games: mexican_train/sheets.py and line_games/sheets.py.
FAMILY = {}

# The board: "hub12" (hardware/hub12, up to 10 stations), "breadboard" (everything straight to the
# Pico, up to 8 stations), or another of roundhouse/boards.py. STATIONS: how many you have (the
# last connectors then stay empty), or which ones, as in (1, 2, 4, 7). The strip goes through the
# slots you have: the stations in their order, then M, then E.
WIRING = "hub12"
STATIONS = 10
# False: E has no reader and no button. Tap the engine on the station of who starts, and the card
# `next` in place of E's button. E's four pixels may be there, at the end of the strip.
ENGINE_SLOT = True

# Light: how bright (1..255), and what the pixels may draw in all, in mA. A USB-C supply that
# offers 3 A carries 2000, one with 1.5 A 900, a 1 A charger 500; 100 is safe anywhere. "usb": as
# much as the supply offers at power-up, which a hub12 can measure.
BRIGHTNESS = 96
MILLIAMPS = 500
# The order in which your pixels take their colours. If the self-test does not begin with red, then
# green, then blue, try "RGB", or "BGR", "RBG", "GBR", "BRG". A WS2812B has "GRB".
COLOR_ORDER = "GRB"
HINTS = True  # a faint light where the seat whose turn it is may play
PALETTE = "standard"  # or "clear", for people who cannot tell red from green
# After this many minutes without an input the lamps go down to this brightness, until the next
# input. 0 minutes: never.
NIGHT_MINUTES = 15
NIGHT_BRIGHTNESS = 24

# The reader chip, one a slot: "mfrc522", or another of roundhouse/drivers/reader.py.
READER = "mfrc522"
# Readers with their field on at once, 1..4. More is quicker, but each draws up to 100 mA at 3.3 V
# from the regulator that feeds it, and 13 mA without its field. The Pico's own regulator gives
# 300 mA in all: take 1 there. An LF33 of 500 mA carries 3. A hub12 carries 4 from a 3 A supply.
FIELDS = 3

# How fast the hub talks to the readers, in bits per second, 500000..8000000. The chip can do
# 10000000, cables less. A reader that fails its self-check at this speed is tried at a quarter of
# it. If it passes there, the hub names it, and talks to all readers at that speed.
BAUD = 4000000

# Soft tunes from the piezo, where one is fitted: yes, no, your turn, one tile left, the end. The
# card `quiet` and the console's `sound off` silence them too. False: never a sound.
SOUND = True

# Pins that you wired differently from the board above, by name: {"lights": 15}. The names, and the
# board's own pins, are in roundhouse/boards.py.
PINS = {}
