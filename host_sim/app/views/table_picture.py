# SPDX-License-Identifier: MIT
"""The table as a picture: the round hub, its lamps, and trains of tiles growing outwards.

All measures are relative to the shorter side of the picture.
"""

from collections.abc import Collection, Sequence
from math import cos, pi, sin

from host_sim.app.views import lamp_css, tile_faces, train_layout
from host_sim.app.views.i18n import Translator
from host_sim.app.views.lamp_css import WELL, WOOD
from host_sim.app.views.stable_layout import KeptLayout, Sectors, Size
from host_sim.app.views.tile_faces import escaped, text
from host_sim.app.views.train_layout import Place
from host_sim.table.console_line import ConsoleLine
from host_sim.table.games import are_trains
from host_sim.table.model import TableModel
from host_sim.table.player_names import characters
from roundhouse.constants import USUAL_STATIONS

# colours of the seats' plates, dots and rims; the Mexican Train's is last
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
    "11": "#d8a8f0",
    "12": "#fc180c",
    "13": "#3cc090",
    "14": "#d818fc",
    "M": "#0ca7df",
}
# Their dots are square: beside ten other colours, these alone do not tell all eyes who it is.
SQUARE = frozenset(("11", "12", "13", "14"))
PLATE_INK = "#16120d"  # on all plates
EMPTY_SEAT = ("#6b4f3a", "#f6ecdd")  # its plate and the ink on it
DARK_WOOD, RIM = "#38251a", "#8a6546"
NEXT, NEXT_INK, FITS, FITS_INK = "#12312b", "#f4efe2", "#8fe3ae", "#0c2417"

# shares of the room's shorter side
MIDDLE, ENGINE = 0.078, 0.05  # radius of the round in the middle, width of the tile in it
INNERMOST, PITCH, LAMP = 0.0965, 0.0272, 0.0122  # the first lamp's place, the next one's, size
WOODEN = 0.194  # radius of the wood; the plates' ring is around it
RING = 0.05
SMALLEST_LETTERS = 12  # CSS pixels
LETTERS = 0.0325  # height of a plate's text and of an end's number
# on a television, a share of the table: 40 of 1080 px, as the table has 84 % of the height
TELEVISION_LETTERS = 0.0444
# where more plates than usual are on the ring: their letters as a share of the usual height, also
# on a television, and the signs of a name for which the count of tiles gives way
CLOSE, TELEVISION_CLOSE, TELLING = 0.7, 0.62, 4
WIDTHS = (0.058, 0.051, 0.045, 0.04, 0.0355, 0.031)  # of a tile: the widest at which all fit
NARROWEST = 13.5  # CSS pixels: on a narrower tile pips cannot be seen
# sizes of the hub, each with the widths of tiles that go with it: the hub is larger while trains
# are short, and beside it tiles have less room
SCALES = ((1.4, (0.045,)), (1.2, (0.051, 0.045)), (1.0, WIDTHS))
TELEVISION_SCALES = ((1.4, (0.0355,)), *SCALES[1:])
PLACE = 0.053  # of the next tile's place, at least
MARGIN = 0.012
LETTER = 0.68  # width of a bold letter as a share of its height


Point = tuple[float, float]
Room = tuple[int, int]
Which = Sequence[int | None]  # the tile at each place, None for a pile


class TablePicture:
    """A picture of a table that has received at least one line about an input. The arguments are
    those of `svg`."""

    def __init__(
        self,
        table: TableModel,
        names: dict[str, str] | None = None,
        translator: Translator | None = None,
        me: int | str | None = None,
        room: Room = (1000, 1000),
        marked: Collection[str] = (),
        kept: KeptLayout | None = None,
        bottom: int | None = None,
    ) -> None:
        assert table.moment, "a picture needs an input's line"
        self.table, self.moment, self.state = table, table.moment, table.moment.line
        self.names = names or {}
        self.translator = translator or Translator("en")
        self.room, self.base = room, float(min(room))
        self.marked = marked
        self.lamps = table.lamps()
        self.shown = _in_play(self.state, table, self.lamps)
        self.kept = kept
        if kept:
            is_lobby = self.state["phase"] == "lobby" or not self.state["hands"]
            kept.begin((table.game, self.state["round"], is_lobby), self.shown)
            self.shown = [slot for slot in self.lamps if slot in kept.shown]
        self.half = 180 / len(self.shown)
        self.me = str(me)
        first = self.shown.index(str(bottom)) if str(bottom) in self.shown else 0
        self.turns = {
            slot: (180 + 360 * (n - first) / len(self.shown)) % 360
            for n, slot in enumerate(self.shown)
        }
        self.outermost = self._sizes(1, 0)[0]
        self.most = lamp_css.double_count(self.lamps)
        self.fresh = True  # whether answers to an input are shown
        self.signs = False  # whether lamps show glyphs instead of moving

    # ---- where things are ----

    def point(self, degrees: float, out: float, aside: float = 0) -> Point:
        """Return the point (x, y) at the distance `out` from the middle of the hub.

        degrees: clockwise from the top
        aside: a shift to the right, as seen from the middle
        """
        s, c = sin(degrees * pi / 180), cos(degrees * pi / 180)
        return (
            self.room[0] / 2 + out * s + aside * c,
            self.room[1] / 2 - out * c + aside * s,
        )

    def _laid(self) -> tuple[float, dict[str, tuple[list[Place], Which]]]:
        """Return (tile width, {slot: (places, which)}). For `places` and `which` see `_train`."""
        kinds = {slot: self._kinds(slot) for slot in self.shown}
        if self.kept:
            return self._kept(self.kept, kinds)
        # if a width does not fit, the longest trains show it soonest
        longest = sorted(kinds, key=lambda slot: -len(kinds[slot]))
        rim = 2 * MARGIN * self.base
        room = (self.room[0] - rim, self.room[1] - rim)
        widths = [share * self.base for share in WIDTHS]
        widths = [width for width in widths if width >= NARROWEST] or widths[:1]
        for width in widths:
            got: dict[str, tuple[list[Place], Which]] = {}
            for slot in longest:
                some = kinds[slot]
                sizes = self._sizes(1, width)
                where = (round(self.turns[slot], 3), self.half, room, sizes, some)
                places = train_layout.laid(*where)
                if places is None and width != widths[-1]:
                    break
                got[slot] = (places, range(len(some))) if places else train_layout.folded(*where)
            else:
                break
        return width, got

    def _kept(
        self, kept: KeptLayout, kinds: dict[str, tuple[int, ...]]
    ) -> tuple[float, dict[str, tuple[list[Place], Which]]]:
        """Return the same data as `_laid`, but with tiles at the places that they have in `kept`.
        Also set the hub's size."""
        shorter = min(self.room)
        candidates = [
            Size(scale, share * shorter, self._sizes(scale, share * shorter))
            for scale, widths in (TELEVISION_SCALES if kept.is_television else SCALES)
            for share in widths
        ]
        candidates = [size for size in candidates if size.width >= NARROWEST] or candidates[:1]
        rim = 2 * MARGIN * shorter
        room = (self.room[0] - rim, self.room[1] - rim)
        sectors = Sectors(self.turns, self.half, room)
        kept.update(sectors, candidates, kinds, self.state["turn"])
        assert kept.size
        scale, width, sizes = kept.size
        self.base, self.outermost = shorter * scale, sizes[0]
        return width, {
            slot: (kept.trains[slot].fold.places, kept.trains[slot].indices(len(some)))
            for slot, some in kinds.items()
        }

    def _sizes(self, scale: float, width: float) -> tuple[float, float, float]:
        shorter = min(self.room)
        return (WOODEN + RING + 0.01) * scale * shorter, width, max(width, PLACE * shorter)

    def letters(self) -> float:
        """Return the height of a plate's text."""
        least = TELEVISION_LETTERS * min(self.room) if self._is_television() else 0
        usual = LETTERS * self.base
        if self._is_close():
            least, usual = TELEVISION_CLOSE * least, CLOSE * usual
        return max(least, SMALLEST_LETTERS, usual)

    def _is_close(self) -> bool:
        return len(self.shown) > USUAL_STATIONS + 1

    def _is_television(self) -> bool:
        return bool(self.kept and self.kept.is_television)

    def _kinds(self, slot: str) -> tuple[int, ...]:
        """Return train_layout's SHORT, LONG or LAST for each tile of a slot's train and for the
        next tile."""
        kinds = [
            train_layout.SHORT if self.table.is_across(*pair) else train_layout.LONG
            for pair in self.table.train(slot)
        ]
        return (*kinds, train_layout.LAST)

    # ---- words ----

    def name(self, slot: str) -> str:
        """Return the name on a slot's plate: the player's name or the slot's name."""
        if slot == "M" and are_trains(self.table.game):
            return self.translator("picture.mexican")
        return self.names.get(slot, slot) if self._is_seat(slot) else slot

    def _is_seat(self, slot: str) -> bool:
        return slot in self.state["hands"]

    def _hand(self, slot: str) -> int | None:
        shows = self._is_seat(slot) and self.state["phase"] not in ("lobby", "engine")
        return self.state["hands"][slot] if shows else None

    def _label(self, slot: str) -> str:
        """Return a description of a slot for screen readers."""
        say, state = self.translator, self.state
        if slot == "E":
            return ", ".join(filter(None, (say("picture.middle"), state["engine"])))
        if slot == "M" and are_trains(self.table.game):
            texts = [self.name(slot)]
        elif self._is_seat(slot) and slot in self.names:
            shown, hand = self._on_plate(slot)
            whole = self.names[slot]  # followed by the hand, as on the plate
            texts = [whole] if shown == whole else ["%s %s" % (shown, hand), whole]
        elif self._is_seat(slot) or state["phase"] != "lobby":
            texts = [say("picture.station", slot=slot)]
        else:
            texts = [say("picture.free", slot=slot)]
        count = self._hand(slot)
        if count is not None:
            texts.append(say("picture.hand", count=count))
        if self._is_seat(slot) and slot in self.names:
            is_mine = slot == self.me and are_trains(self.table.game)
            texts.append(say("picture.mine" if is_mine else "picture.station", slot=slot))
        end = self._end(slot)
        if end:
            key = "ends" if are_trains(self.table.game) else "line_ends"
            texts.append(say("picture." + key, ends=end))
        if slot in state["open"]:
            texts.append(say("picture.open"))
        if slot in state["doubles"]:
            due = state["doubles"].index(slot) + 1
            texts.append(say("picture.double_later" if due > 1 else "picture.double", place=due))
        if slot in self.marked:
            texts.append(say("picture.fits"))
        return ", ".join(texts)

    def _end(self, slot: str) -> str:
        """Return the numbers that fit the end of a slot's train as text, or ""."""
        end = self.state["ends"].get(slot)
        if end is None:
            return ""
        return " ".join(map(str, end)) if isinstance(end, list) else str(end)

    def _begins(self) -> str:
        """Return the number with which a train or line must begin. Return "" if there is no such
        number, or more than one."""
        engine = self.state["engine"]
        if are_trains(self.table.game):
            return engine.split("-")[0] if engine else ""
        sides = [*self.state.get("sides", ())]
        return sides[0] if len(sides) == 1 else ""

    # ---- the drawing ----

    def parts(self) -> list[str]:
        """Return the SVG elements inside the picture, as a list of texts."""
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

    def _slot(self, slot: str, width: float, places: list[Place], which: Which) -> str:
        """Return a slot's plate, lamps and train as one SVG group. The arguments are as for
        `_train`."""
        degrees = self.turns[slot]
        now = " now" if str(self.state["turn"]) == slot else ""
        mine = " marked" if slot in self.marked else ""
        return "".join(
            (
                '<g class="slot%s%s" data-slot="%s" data-do="slot %s" data-drop="%s">'
                % (now, mine, slot, slot, slot),
                self._button(slot, self._touch(degrees), self._plate(slot, degrees, bool(now))),
                *(
                    self._lamp(slot, k, *self.point(degrees, (INNERMOST + PITCH * k) * self.base))
                    for k in range(4)
                ),
                self._train(slot, width, places, which),
                "</g>",
            )
        )

    def _button(self, slot: str, *parts: str) -> str:
        """Return shapes as an SVG group that keyboards and screen readers can use as a button."""
        # lamps and tiles are drawn outside: its spoken name must begin with its visible text
        return (
            '<g class="button" data-do="slot %s" role="button" tabindex="0" aria-label="%s">%s</g>'
            % (
                slot,
                escaped(self._label(slot)),
                "".join(parts),
            )
        )

    def _touch(self, degrees: float) -> str:
        """Return the invisible area that takes clicks for a slot, at `degrees` clockwise from the
        top."""
        half = min(self.half, 40)
        near, far = MIDDLE * self.base, 0.49 * self.base
        a, b = self.point(degrees - half, near), self.point(degrees + half, near)
        c, d = self.point(degrees + half, far), self.point(degrees - half, far)
        return (
            '<path class="touch" d="M%.1f %.1fA%.1f %.1f 0 0 1 %.1f %.1fL%.1f %.1f'
            'A%.1f %.1f 0 0 0 %.1f %.1fZ" fill="#fff" fill-opacity="0"/>'
            % (*a, near, near, *b, *c, far, far, *d)
        )

    def _plate(self, slot: str, degrees: float, now: bool) -> str:
        """Return a slot's plate on the ring around the hub, with its name along the curve.

        degrees: clockwise from the top
        """
        radius = (WOODEN + RING / 2) * self.base
        spread = self.half - 0.45
        fill, ink = SEAT_COLOURS.get(slot, EMPTY_SEAT[0]), PLATE_INK
        if not (self._is_seat(slot) or (slot == "M" and are_trains(self.table.game))):
            fill, ink = EMPTY_SEAT
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
        # letters stand upright: in the lower half they run counterclockwise
        below = 90 < degrees < 270
        letters = self.letters()
        line = radius + (0.36 if below else -0.36) * letters
        ends = (
            (degrees + spread, degrees - spread) if below else (degrees - spread, degrees + spread)
        )
        name, count = self._on_plate(slot)
        if letters * len(name + count) > 2 * spread * pi / 180 * line:
            # a text that is a little longer than the plate is not cut: a count may end in it
            more = (ends[1] - ends[0]) / 4
            ends = (ends[0] - more, ends[1] + more)
        out.append('<path id="name-%s" d="%s" fill="none"/>' % (slot, self._arc(line, *ends)))
        words = escaped(name)
        if count:
            words += ' <tspan class="count" dx=".15em" font-weight="normal">%s</tspan>' % count
        out.append(
            '<text font-size="%.4g" text-anchor="middle" fill="%s" font-weight="bold">'
            '<textPath href="#name-%s" startOffset="50%%">%s</textPath></text>'
            % (letters, ink, slot, words)
        )
        return "".join(out)

    def _on_plate(self, slot: str) -> tuple[str, str]:
        """Return (name, count of tiles in the hand or "") for a slot's plate. A long name is
        shortened, a number never; on a television, the count goes first."""
        hand = self._hand(slot)
        count = "" if hand is None else str(hand)
        below = 90 < self.turns[slot] < 270
        radius = (WOODEN + RING / 2) * self.base
        line = radius / self.letters() + (0.36 if below else -0.36)  # in letter heights
        room = 2 * (self.half - 0.45) * pi / 180 * line / LETTER - 0.3
        name = self.name(slot)
        signs = characters(name)
        beside = len(count) + 0.7
        if len(signs) > room - beside and self._gives_way(slot, room, room - beside):
            count = ""
        if count:
            room -= beside
        if name.endswith(" " + slot) and len(signs) > room:  # a player without a name
            return slot, count
        if name != slot and len(signs) > room + (slot == "M"):
            name = "M" if slot == "M" else "".join(signs[: max(1, int(room))])
        return name.rstrip(), count

    def _gives_way(self, slot: str, whole: float, beside: float) -> bool:
        """Return whether a count gives way to a name that is too long beside it.

        whole, beside: the room of the plate, and what the count leaves of it, in signs
        """
        is_number = self.name(slot) == slot
        more = self._is_close() and beside < TELLING <= whole
        return is_number or more or self._is_television()

    def _arc(self, radius: float, begin: float, end: float) -> str:
        a, b = self.point(begin, radius), self.point(end, radius)
        wide = int(abs(end - begin) > 180)
        return "M%.1f %.1fA%.1f %.1f 0 %d %d %.1f %.1f" % (
            *(*a, radius, radius, wide, int(end > begin), *b),
        )

    def _lamp(self, slot: str, k: int, x: float, y: float) -> str:
        """Return lamp k, 0..3, of a slot as SVG, centred at (x, y)."""
        letter, size = self.lamps[slot][k], LAMP * self.base
        well = '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="%s" stroke-width="%.2f"/>'
        out = ['<g class="lamp" data-lamp="%s.%d" aria-hidden="true">' % (slot, k)]
        out.append(well % (x, y, 0.92 * size, WELL, "#7a5a40", 0.0016 * self.base))
        if letter != "." and (self.fresh or not lamp_css.is_once(k, letter)):
            out.append(self._lit(k, letter, x, y, size))
        out.append("</g>")
        return "".join(out)

    def _lit(self, k: int, letter: str, x: float, y: float, size: float) -> str:
        hue = lamp_css.colour(k, letter)
        counts = [count for count in self.state["hands"].values() if count is not None]
        number = min(counts, default=0)
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

    def _train(self, slot: str, width: float, places: list[Place], which: Which) -> str:
        """Return a slot's train as SVG: its tiles, a pile for tiles that do not fit, and the place
        of the next tile.

        places: the places to draw, in the order of the train
        which: an entry for each place: the index of the tile there, None at the pile's place, and
            the train's length at the next tile's place
        """
        tiles, out = self.table.train(slot), []
        texts = self.table.trains.get(slot, ())
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
                turn += 90 if self.table.is_across(*tiles[n]) else 0
                out.append(
                    self._tile(texts[n], tiles[n], at, turn, width, self._is_new(slot, texts[n]))
                )
        return "".join(out)

    def _tile(
        self, words: str, pair: tuple[int, int], at: Point, turn: float, width: float, new: bool
    ) -> str:
        """Return a tile on the table as SVG.

        words: the text of the tile, like `6-5`
        pair: (inner number, outer number)
        turn: degrees clockwise
        new: whether the newest input laid the tile
        """
        return (
            '<g class="laid%s" data-tile="%s" transform="translate(%.1f %.1f) rotate(%.1f) '
            'scale(%.3f)">%s</g>'
            % (" new" if new else "", words, *at, turn, width / 20, tile_faces.body(*pair))
        )

    def _is_new(self, slot: str, tile: str) -> bool:
        gesture = self.moment.gesture
        return self.state["verdict"] == "ok" and (gesture.tile, gesture.slot) == (tile, slot)

    def _pile(self, at: Point, turn: float, width: float, hidden: list[str]) -> str:
        """Return a pile, with its count of tiles, as SVG.

        turn: degrees clockwise
        hidden: the texts of the pile's tiles
        """
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

    def _next(self, slot: str, at: Point, width: float) -> str:
        """Return the place of a slot's next tile as SVG, with the number that the tile must
        match."""
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
        return '<g class="next" aria-hidden="true">%s</g>' % self._badge(
            at, end, *colours, how, width
        )

    def _badge(
        self, at: Point, words: str, fill: str, ink: str, how: str, width: float = 0
    ) -> str:
        """Return a text on a round or oval background as SVG.

        how: additional SVG attributes of the background
        width: 0 for a small badge; for a badge in the place of a tile, the width of a tile
        """
        shorter = min(self.room)
        letters = max(SMALLEST_LETTERS, LETTERS * shorter) if width else max(12, 0.026 * shorter)
        high = max(width, PLACE * shorter) * 0.94 if width else 1.3 * letters
        wide = max(high, letters * (LETTER * len(words) + 0.3))
        return '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="%s"%s/>%s' % (
            *(at[0] - wide / 2, at[1] - high / 2, wide, high, high / 2, fill, how),
            text(at[0], at[1] + 0.36 * letters, words, letters, colour=ink, weight="bold"),
        )

    def _middle(self) -> str:
        """Return the slot E as SVG: the engine or opening tile, and the lamps."""
        x, y = self.room[0] / 2, self.room[1] / 2
        radius = MIDDLE * self.base
        parts = [
            '<circle class="touch" cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="%s"/>'
            % (x, y, radius, DARK_WOOD, RIM),
        ]
        engine = self.state["engine"]
        if engine:
            first, second = map(int, engine.split("-"))
            at = (x, y - 0.012 * self.base)
            new = self.state["did"] == "opened"
            parts.append(self._tile(engine, (first, second), at, 0, ENGINE * self.base, new))
        else:
            letters = self.letters()
            parts.append(text(x, y, "E", letters, colour=EMPTY_SEAT[1], weight="bold"))
        out = [
            '<g class="slot" data-slot="E" data-do="slot E" data-drop="E">',
            self._button("E", *parts),
        ]
        for k in range(4):
            at = (x + (k - 1.5) * PITCH * self.base, y + 0.04 * self.base)
            out.append(self._lamp("E", k, *at))
        return "".join([*out, "</g>"])


def _in_play(state: ConsoleLine, table: TableModel, lamps: dict[str, str]) -> list[str]:
    """Return the slots that are shown around the hub.

    In the lobby, these are all slots. Later, these are the slots with a player, a train or a lit
    lamp, and at least one empty slot if a line may begin.
    """
    around = [slot for slot in lamps if slot != "E"]
    if state["phase"] == "lobby" or not state["hands"]:
        return around
    used = {*state["hands"], *(slot for slot, train in table.trains.items() if train)}
    used.update(slot for slot in around if lamps[slot].replace("h", ".") != "....")
    if are_trains(table.game):
        used.add("M")
        used.update(slot for slot in around if lamps[slot] != "....")
    else:
        free = [slot for slot in state["playable"] if not table.trains.get(slot)]
        if used.isdisjoint(free):
            used.update(free[:1])
    return [slot for slot in around if slot in used]


def sides(table: TableModel, translator: Translator) -> str:
    """Return a sentence about the numbers with which a line may begin, or ""."""
    numbers = (table.state or {}).get("sides")
    if not numbers:
        return ""
    text = ", ".join("%s (%d\u00d7)" % side for side in numbers.items())
    return translator("picture.sides", numbers=text)


def svg(
    table: TableModel,
    names: dict[str, str] | None = None,
    translator: Translator | None = None,
    me: int | str | None = None,
    room: Room = (1000, 1000),
    marked: Collection[str] = (),
    fresh: bool = True,
    kept: KeptLayout | None = None,
    bottom: int | None = None,
) -> str:
    """Return the picture of a table as SVG for the page. Return "" before the first line about an
    input.

    names: {seat text: name}, like {"3": "Zoe"}
    me: the seat whose train the viewer calls theirs, or None
    room: (width, height) of the picture on the page, in CSS pixels
    marked: the slots to mark, because the chosen tile fits there
    fresh: whether to flash the answer to the newest input
    kept: the KeptLayout of the viewer's previous picture, or None
    bottom: the seat to draw at the bottom, or None
    """
    if table.state is None:
        return ""
    slots = frozenset(map(str, marked))
    picture = TablePicture(table, names, translator, me, room, slots, kept, bottom)
    picture.fresh = fresh
    parts = "".join(picture.parts())
    return '<svg class="table" viewBox="0 0 %d %d"%s role="group" aria-label="%s">%s</svg>' % (
        *room,
        ' data-folds="%d"' % kept.refolds if kept else "",
        escaped(picture.translator("picture.table")),
        parts,
    )
