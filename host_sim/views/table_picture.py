# SPDX-License-Identifier: MIT
"""The table as a picture: the hub round, its lamps, trains growing outwards with real faces.

It draws what was seen of a table, and nothing else. `svg` is for the page, where CSS moves the
lamps; table_poster puts the same on paper. Measures are shares of the room's shorter side.
"""

from math import cos, pi, sin

from host_sim.games import are_trains
from host_sim.views import lamp_css, tile_faces, train_layout
from host_sim.views.i18n import Translator
from host_sim.views.lamp_css import WOOD
from host_sim.views.player_names import characters
from host_sim.views.tile_faces import escaped, text

# of the seats' plates, dots and rims, the Mexican Train last
SEAT_COLOURS = {
    "1": "#f260a9",
    "2": "#3c8fef",
    "3": "#45aa31",
    "4": "#f97611",
    "5": "#aa6fef",
    "6": "#bb980a",
    "7": "#17a39f",
    "8": "#f04c46",
    "9": "#aa7e52",
    "10": "#8d94ab",
    "M": "#0ca7df",
}
PLATE_INK = "#16120d"  # on all of them
NOBODY = ("#6b4f3a", "#f6ecdd")  # a place where nobody sits: its plate and the ink on it
DARK_WOOD, RIM, WELL = "#38251a", "#8a6546", "#1d130c"
NEXT, NEXT_INK, FITS, FITS_INK = "#12312b", "#f4efe2", "#8fe3ae", "#0c2417"

# shares of the room's shorter side
MIDDLE, ENGINE = 0.078, 0.05  # radius of the round in the middle, width of the tile in it
INNERMOST, PITCH, LAMP = 0.0965, 0.0272, 0.0122  # the first lamp's place, the next one's, size
WOODEN = 0.194  # radius of the wood; the plates' ring is around it
RING = 0.05
LETTERS = 0.0325  # height of a plate's text, and of an end's number
WIDTHS = (0.058, 0.051, 0.045, 0.04, 0.0355, 0.031)  # of a tile: the widest at which all fit
NARROWEST = 13.5  # CSS pixels: on less no pip is seen
PLACE = 0.053  # of the next tile's place, at least
MARGIN = 0.012
LETTER = 0.68  # width of a letter of its height, bold ones


class TablePicture:
    """One picture of what was seen. See `svg` for what it is told."""

    def __init__(self, seen, names=None, translator=None, me=None, room=(1000, 1000), marked=()):
        self.seen, self.state = seen, seen.state
        self.names = names or {}
        self.translator = translator or Translator("en")
        self.room, self.base = room, min(room)
        self.marked = marked
        self.lamps = seen.lamps()
        self.shown = _in_play(seen, self.lamps)
        self.half = 180 / len(self.shown)
        first = self.shown.index(str(me)) if str(me) in self.shown else 0
        self.turns = {
            slot: (180 + 360 * (n - first) / len(self.shown)) % 360
            for n, slot in enumerate(self.shown)
        }
        self.outermost = (WOODEN + RING + 0.01) * self.base
        self.most = lamp_css.counting(self.lamps)
        self.fresh = True  # whether what answers an input is shown
        self.signs = False  # whether lamps that do not move are told by their signs

    # ---- where things are ----

    def point(self, degrees, out, aside=0):
        """Return x, y of a point seen from the middle: degrees clockwise from the top."""
        s, c = sin(degrees * pi / 180), cos(degrees * pi / 180)
        return (
            self.room[0] / 2 + out * s + aside * c,
            self.room[1] / 2 - out * c + aside * s,
        )

    def _laid(self):
        """Return (width, {slot: (places, which tiles they are)}): the widest tiles that fit."""
        kinds = {slot: self._kinds(slot) for slot in self.shown}
        longest = sorted(
            kinds, key=lambda slot: -len(kinds[slot])
        )  # they say soonest what is too wide
        rim = 2 * MARGIN * self.base
        room = (self.room[0] - rim, self.room[1] - rim)
        widths = [share * self.base for share in WIDTHS]
        widths = [width for width in widths if width >= NARROWEST] or widths[:1]
        for width in widths:
            got = {}
            for slot in longest:
                some = kinds[slot]
                sizes = (self.outermost, width, max(width, PLACE * self.base))
                where = (round(self.turns[slot], 3), self.half, room, sizes, some)
                places = train_layout.laid(*where)
                if places is None and width != widths[-1]:
                    break
                got[slot] = (places, range(len(some))) if places else train_layout.folded(*where)
            else:
                break
        return width, got

    def _kinds(self, slot):
        kinds = [
            train_layout.SHORT if self.seen.is_across(*pair) else train_layout.LONG
            for pair in self.seen.train(slot)
        ]
        return (*kinds, train_layout.LAST)

    # ---- words ----

    def name(self, slot):
        """Return what stands on a slot's plate: who sits there, or its number."""
        if slot == "M" and are_trains(self.seen.game):
            return self.translator("picture.mexican")
        return self.names.get(slot, slot) if self._is_seat(slot) else slot

    def _is_seat(self, slot):
        return slot in self.state["hands"]

    def _label(self, slot):
        """A slot in words, for people who hear the picture."""
        say, state = self.translator, self.state
        if slot == "E":
            return say("picture.middle")
        if slot == "M" and are_trains(self.seen.game):
            told = [self.name(slot)]
        elif self._is_seat(slot) and slot in self.names:
            told = [say("picture.whose", name=self.names[slot], slot=slot)]
        elif self._is_seat(slot) or state["phase"] != "lobby":
            told = [say("picture.station", slot=slot)]
        else:
            told = [say("picture.free", slot=slot)]
        if self._is_seat(slot) and state["phase"] not in ("lobby", "engine"):
            told.append(say("picture.hand", count=state["hands"][slot]))
        end = self._end(slot)
        if end:
            key = "ends" if are_trains(self.seen.game) else "line_ends"
            told.append(say("picture." + key, ends=end))
        if slot in self.marked:
            told.append(say("picture.fits"))
        return ", ".join(told)

    def _end(self, slot):
        """The numbers that may join a slot's end, as text; nothing where there is no tile."""
        end = self.state["ends"].get(slot)
        if end is None:
            return ""
        return " ".join(map(str, end)) if isinstance(end, list) else str(end)

    def _begins(self):
        """The number with which a train or a line may begin, as text, if it is one."""
        engine = self.state["engine"]
        if are_trains(self.seen.game):
            return engine.split("-")[0] if engine else ""
        sides = [*self.state.get("sides", ())]
        return sides[0] if len(sides) == 1 else ""

    # ---- the drawing ----

    def parts(self):
        """Return the picture without its frame, as a list of SVG."""
        width, laid = self._laid()
        middle = (self.room[0] / 2, self.room[1] / 2)
        hub = WOODEN * self.base
        return [
            '<defs><radialGradient id="wood"><stop offset="0" stop-color="%s"/>'
            '<stop offset=".75" stop-color="%s"/><stop offset="1" stop-color="%s"/>'
            "</radialGradient></defs>" % (WOOD, WOOD, DARK_WOOD),
            '<circle class="shadow" cx="%.1f" cy="%.1f" r="%.1f" opacity=".28"/>'
            % (middle[0], middle[1] + 0.008 * self.base, hub + RING * self.base + 2),
            '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"/>'
            % (*middle, hub + (RING + 0.004) * self.base, DARK_WOOD),
            '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="url(#wood)" stroke="%s" '
            'stroke-width="%.2f"/>' % (*middle, hub, RIM, 0.003 * self.base),
            *(
                '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="none" stroke="#000" opacity=".12"/>'
                % (*middle, share * hub)
                for share in (0.47, 0.63, 0.79, 0.93)
            ),
            *(self._slot(slot, width, *laid[slot]) for slot in self.shown),
            self._middle(),
        ]

    def _slot(self, slot, width, places, which):
        """A slot with all that belongs to it, in one group."""
        degrees = self.turns[slot]
        now = " now" if str(self.state["turn"]) == slot else ""
        mine = " marked" if slot in self.marked else ""
        return "".join(
            (
                '<g class="slot%s%s" data-slot="%s" data-do="slot %s" data-drop="%s" role="button"'
                ' tabindex="0" aria-label="%s">'
                % (now, mine, slot, slot, slot, escaped(self._label(slot))),
                self._touch(degrees),
                self._plate(slot, degrees, bool(now)),
                *(
                    self._lamp(slot, k, *self.point(degrees, (INNERMOST + PITCH * k) * self.base))
                    for k in range(4)
                ),
                self._train(slot, width, places, which),
                "</g>",
            )
        )

    def _touch(self, degrees):
        """What takes a finger: the slot's piece of the hub and of the table around it."""
        half = min(self.half, 40)
        near, far = MIDDLE * self.base, 0.49 * self.base
        a, b = self.point(degrees - half, near), self.point(degrees + half, near)
        c, d = self.point(degrees + half, far), self.point(degrees - half, far)
        return (
            '<path class="touch" d="M%.1f %.1fA%.1f %.1f 0 0 1 %.1f %.1fL%.1f %.1f'
            'A%.1f %.1f 0 0 0 %.1f %.1fZ" fill="#fff" fill-opacity="0"/>'
            % (*a, near, near, *b, *c, far, far, *d)
        )

    def _plate(self, slot, degrees, now):
        """The slot's piece of the ring, with its name bent along it."""
        radius = (WOODEN + RING / 2) * self.base
        spread = self.half - 0.45
        fill, ink = SEAT_COLOURS.get(slot, NOBODY[0]), PLATE_INK
        if not (self._is_seat(slot) or (slot == "M" and are_trains(self.seen.game))):
            fill, ink = NOBODY
        band = self._arc(radius, degrees - spread, degrees + spread)
        out = [
            '<path class="plate" d="%s" fill="none" stroke="%s" stroke-width="%.1f"/>'
            % (band, fill, (RING - 0.005) * self.base)
        ]
        if now or slot in self.marked:
            rim = self._arc((WOODEN + RING) * self.base, degrees - spread, degrees + spread)
            out.append(
                '<path d="%s" fill="none" stroke="%s" stroke-width="%.1f"/>'
                % (rim, "#fff6dc" if now else FITS, 0.009 * self.base)
            )
        # the letters stand with their heads up: below they are set against the clock
        below = 90 < degrees < 270
        letters = LETTERS * self.base
        line = radius + (0.36 if below else -0.36) * letters
        ends = (
            (degrees + spread, degrees - spread) if below else (degrees - spread, degrees + spread)
        )
        out.append('<path id="name-%s" d="%s" fill="none"/>' % (slot, self._arc(line, *ends)))
        words = self._on_plate(slot, 2 * spread * pi / 180 * line / letters / LETTER - 0.3)
        out.append(
            '<text font-size="%.4g" text-anchor="middle" fill="%s" font-weight="bold">'
            '<textPath href="#name-%s" startOffset="50%%">%s</textPath></text>'
            % (letters, ink, slot, words)
        )
        return "".join(out)

    def _on_plate(self, slot, letters):
        """The name and the number of tiles in hand, in about so many letters."""
        count = ""
        if self._is_seat(slot) and self.state["phase"] not in ("lobby", "engine"):
            count = str(self.state["hands"][slot])
            letters -= len(count) + 0.7
        name = characters(self.name(slot))
        if len(name) > letters + (slot == "M"):
            name = "M" if slot == "M" else name[: max(1, int(letters))]
        name = escaped("".join(name).rstrip())
        if not count:
            return name
        return '%s<tspan class="count" dx=".45em" font-weight="normal">%s</tspan>' % (name, count)

    def _arc(self, radius, begin, end):
        a, b = self.point(begin, radius), self.point(end, radius)
        wide = int(abs(end - begin) > 180)
        return "M%.1f %.1fA%.1f %.1f 0 %d %d %.1f %.1f" % (
            *(*a, radius, radius, wide, int(end > begin), *b),
        )

    def _lamp(self, slot, k, x, y):
        """One pixel: dark a well in the wood; lit its colour, moved by CSS, and its sign."""
        letter, size = self.lamps[slot][k], LAMP * self.base
        well = '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="%s" stroke-width="%.2f"/>'
        out = ['<g class="lamp" data-lamp="%s.%d">' % (slot, k)]
        out.append(well % (x, y, 0.92 * size, WELL, "#7a5a40", 0.0016 * self.base))
        if letter != "." and (self.fresh or not lamp_css.once(k, letter)):
            out.append(self._lit(k, letter, x, y, size))
        out.append("</g>")
        return "".join(out)

    def _lit(self, k, letter, x, y, size):
        hue = lamp_css.colour(k, letter)
        number = min(self.state["hands"].values(), default=0)
        how = ' class="%s"' % lamp_css.classes(k, letter, self.most, number)
        if self.signs:
            how = ' opacity="%.2f"' % lamp_css.brightest(k, letter)
        sign = text(x, y + 0.38 * 1.5 * size, lamp_css.sign(k, letter), 1.5 * size, colour="#111")
        if not self.signs:
            sign = sign.replace("<text", '<text class="sign"')
        return (
            '<g%s><circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" opacity=".35"/>'
            '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"/>%s</g>'
            % (how, x, y, 1.75 * size, hue, x, y, size, hue, sign)
        )

    def _train(self, slot, width, places, which):
        """A train's tiles and the place of the next; those without room are a pile."""
        tiles, out = self.seen.train(slot), []
        texts = self.seen.trains.get(slot, ())
        for n, (forth, aside, heading) in zip(which, places):
            at = self.point(self.turns[slot], forth, aside)
            turn = self.turns[slot] - 90 + 90 * heading
            if n is None:
                out.append(
                    self._pile(at, turn, width, [t for i, t in enumerate(texts) if i not in which])
                )
            elif n == len(tiles):
                out.append(self._next(slot, at, width))
            else:
                turn += 90 if self.seen.is_across(*tiles[n]) else 0
                out.append(
                    self._tile(texts[n], tiles[n], at, turn, width, self._is_new(slot, texts[n]))
                )
        return "".join(out)

    def _tile(self, words, pair, at, turn, width, new):
        """A tile on the table, with its face."""
        return (
            '<g class="laid%s" data-tile="%s" transform="translate(%.1f %.1f) rotate(%.1f) '
            'scale(%.3f)">%s</g>'
            % (" new" if new else "", words, *at, turn, width / 20, tile_faces.body(*pair))
        )

    def _is_new(self, slot, tile):
        """Whether it was laid by the newest line."""
        said = self.state["input"].split()
        return self.state["verdict"] == "ok" and said[1:] == [tile, slot]

    def _pile(self, at, turn, width, hidden):
        """Tiles for which there is no room, one on the other, with their number."""
        out = []
        for n, tile in enumerate(hidden):
            off = 2 * min(n, 2)
            out.append(
                '<g class="laid" data-tile="%s" transform="translate(%.1f %.1f) rotate(%.1f) '
                'scale(%.3f)"><g transform="translate(%d %d) scale(.86)">%s</g></g>'
                % (
                    tile,
                    *at,
                    turn,
                    width / 20,
                    off - 2,
                    2 - off,
                    tile_faces.BLANK if n < 3 else "",
                )
            )
        out.append(self._badge(at, "+%d" % len(hidden), NEXT, NEXT_INK, ""))
        return "".join(out)

    def _next(self, slot, at, width):
        """The place of the next tile, with the number it must match."""
        end, fits = self._end(slot), slot in self.marked
        open_to = slot in self.state["playable"]
        if open_to and not end:
            end = self._begins()
        if not (end or fits or open_to):
            return ""
        edge = "#ffffff" if fits else "#9fc4b8" if open_to else "#5b7a72"
        how = ' stroke="%s" stroke-width="%.1f"' % (edge, 0.0035 * self.base)
        if open_to or fits:
            how += ' stroke-dasharray="%.1f"' % (0.009 * self.base)
        colours = (FITS, FITS_INK) if fits else (NEXT, NEXT_INK)
        return '<g class="next">%s</g>' % self._badge(at, end, *colours, how, width)

    def _badge(self, at, words, fill, ink, how, width=0):
        """A number on a round or oval ground; how: more attributes of the ground."""
        letters = LETTERS * self.base if width else max(12, 0.026 * self.base)
        high = max(width, PLACE * self.base) * 0.94 if width else 1.3 * letters
        wide = max(high, letters * (LETTER * len(words) + 0.3))
        return '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="%s"%s/>%s' % (
            *(at[0] - wide / 2, at[1] - high / 2, wide, high, high / 2, fill, how),
            text(at[0], at[1] + 0.36 * letters, words, letters, colour=ink, weight="bold"),
        )

    def _middle(self):
        """The slot in the middle: the engine, or the tile that began, and its lamps."""
        x, y = self.room[0] / 2, self.room[1] / 2
        radius = MIDDLE * self.base
        out = [
            '<g class="slot" data-slot="E" data-do="slot E" data-drop="E" role="button" '
            'tabindex="0" aria-label="%s">' % escaped(self._label("E")),
            '<circle class="touch" cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="%s"/>'
            % (x, y, radius, DARK_WOOD, RIM),
        ]
        engine = self.state["engine"]
        if engine:
            pair = map(int, engine.split("-"))
            at = (x, y - 0.012 * self.base)
            new = self.state.get("did") == "opened"  # lines of older firmware do not say it
            out.append(self._tile(engine, pair, at, 0, ENGINE * self.base, new))
        else:
            letters = LETTERS * self.base
            out.append(text(x, y, "E", letters, colour=NOBODY[1], weight="bold"))
        for k in range(4):
            at = (x + (k - 1.5) * PITCH * self.base, y + 0.04 * self.base)
            out.append(self._lamp("E", k, *at))
        return "".join([*out, "</g>"])


def _in_play(seen, lamps):
    """The slots that are shown around the hub: in the lobby all, then those where somebody sits,
    a train lies or a lamp is lit. Of the many places where a line may begin one is enough."""
    state = seen.state
    around = [slot for slot in lamps if slot != "E"]
    if state["phase"] == "lobby" or not state["hands"]:
        return around
    used = {*state["hands"], *(slot for slot, train in seen.trains.items() if train)}
    used.update(slot for slot in around if lamps[slot].replace("h", ".") != "....")
    if are_trains(seen.game):
        used.add("M")
        used.update(slot for slot in around if lamps[slot] != "....")
    else:
        free = [slot for slot in state["playable"] if not seen.trains.get(slot)]
        if used.isdisjoint(free):
            used.update(free[:1])
    return [slot for slot in around if slot in used]


def sides(seen, translator):
    """Return in a sentence with which numbers a line may begin; nothing in a game of trains, and
    where none may."""
    numbers = (seen.state or {}).get("sides")
    if not numbers:
        return ""
    told = ", ".join("%s (%d\u00d7)" % side for side in numbers.items())
    return translator("picture.sides", numbers=told)


def svg(seen, names=None, translator=None, me=None, room=(1000, 1000), marked=(), fresh=True):
    """Return the picture of what was seen as SVG for the page.

    names: {"3": "Zoe"}; translator: a views.i18n.Translator; me: the seat that is drawn at the
    bottom. room: width and height in CSS pixels of where it is shown. marked: the slots where a
    chosen tile fits. fresh: whether the newest line is new to who looks, so that its answers
    flash.
    """
    if seen.state is None:
        return ""
    picture = TablePicture(seen, names, translator, me, room, frozenset(map(str, marked)))
    picture.fresh = fresh
    return '<svg class="table" viewBox="0 0 %d %d" role="group" aria-label="%s">%s</svg>' % (
        *room,
        escaped(picture.translator("picture.table")),
        "".join(picture.parts()),
    )
