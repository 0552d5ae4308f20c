# SPDX-License-Identifier: MIT
"""Names that try to do more than name a person are cleaned wherever they are entered."""

import base64
import io
import json
import unicodedata
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hub_actions import quick_hub
from test_viewer_page import owner, phone, started_app

from host_sim.app.handouts import table_poster
from host_sim.app.handouts.table_film import Film
from host_sim.app.page import match_link, new_match_form
from host_sim.app.page.app import App
from host_sim.app.page.shown_tables import LiveTable, ShownTable
from host_sim.app.people.name_store import NameStore, parse
from host_sim.app.server.text_output import StoryPrinter, print_line
from host_sim.app.session.lesson import Lesson
from host_sim.app.session.match_metadata import METADATA
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.match_store import MatchStore
from host_sim.app.site.browser_app import BrowserPage
from host_sim.board.hub.simulated_hub import configured
from host_sim.commands import picture
from host_sim.table.streams import HubStream

# what is typed, and what is left of it
RAW = {
    "\x1b[2J\x07Eve\x00": "[2JEve",
    "\u202eevE\u2066\u200f": "evE",
    "E\u200dve \u200c": "Eve",
    "E\ud800ve\ufffe\ue000\U000e0041": "Eve",
    "  Eve\u2028\u00a0de\tla  Tour ": "Eve de la Tour",
    "Zoe\u0308 " + "a\u0301" * 30: "Zo\u00eb " + "\u00e1" * 16,
    "E" + "\u0301\u0323" * 200 + "ve": None,
    "<&\"'>]]>": "<&\"'>]]>",
    "\U0001f469\u200d\U0001f680 Eve": "\U0001f469\u200d\U0001f680 Eve",
}
EMPTY = ("\x1b\x07", "\u202e", "\u200d", "\ud800", " \u3164\u2800 ", "\u0301", "\ue000")
SCRIPT = Path(__file__).parents[1] / "scripts" / "puremco" / "A1-seats-9.table"
WORST = "\x1b[2J\u202e\ud800\x00<&\"'\ufffe"


def is_harmless(name):
    return isinstance(name, str) and not any(
        unicodedata.category(sign) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
        or (unicodedata.category(sign) == "Cf" and sign not in "\u200c\u200d")
        for sign in name
    )


def is_cleaned(name, raw):
    wanted = RAW[raw]
    return is_harmless(name) and (len(name) < 30 if wanted is None else name == wanted)


def rename(folder, names):
    kept = json.loads((folder / METADATA).read_text())
    (folder / METADATA).write_text(json.dumps({**kept, "names": names}))


def packed(text):
    """Return a text packed as match_link.pack does it; the text may have unpaired surrogates."""
    return base64.urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


@pytest.fixture(scope="module")
def joined():
    """Return the line that a hub prints when player 1 has joined."""
    board = quick_hub(configured(SET=6))
    return board.press("1")


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: ascii(raw)[:30])
def test_names_that_are_typed_at_the_page(tmp_path, raw):
    app = started_app(tmp_path)
    guest = phone(app, 2, name=raw)
    assert is_cleaned(app.names["2"], raw) and is_cleaned(guest.viewer.seat_name(2), raw)
    assert all(is_harmless(piece.replace("\n", "")) for piece in guest.components().values())
    assert is_cleaned(new_match_form.settings(owner(app).viewer, {"name1": raw})["names"][1], raw)


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: ascii(raw)[:30])
def test_names_at_a_real_hub(tmp_path, joined, raw):
    kept = NameStore(tmp_path)
    page = owner(App(LiveTable(HubStream(), {}, kept.save)))
    page.viewer.table.take(joined)
    assert page.handle({"do": "names", "fields": {"name1": raw}})
    assert is_cleaned(page.viewer.table.names["1"], raw)
    assert is_cleaned(NameStore(tmp_path).names["1"], raw)
    if "=" not in raw and "," not in raw:
        assert is_cleaned(parse("1=" + raw)["1"], raw)


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: ascii(raw)[:30])
def test_names_that_were_kept(tmp_path, raw):
    (tmp_path / "names.json").write_text(json.dumps({"3": raw, "x": "Bo", "4": 7}))
    assert list(NameStore(tmp_path).names) == ["3"]
    assert is_cleaned(NameStore(tmp_path).names["3"], raw)
    rename(MatchSession(tmp_path / "one", set_=6).folder, {"1": raw, "2": 7})
    store = MatchStore(tmp_path)
    (match,) = store.matches()
    session = store.open("one")
    for names in (match.names, session.names):
        assert is_cleaned(names.pop(1), raw) and not names
    session.close()
    lesson = Lesson(tmp_path / "two")
    lesson.session.close()
    rename(lesson.session.folder, {"1": "Ana", "2": raw})
    lesson = Lesson(tmp_path / "two")
    assert is_cleaned(lesson.session.names[2], raw)
    assert is_harmless(lesson.text(owner(App()).viewer.translate))
    lesson.session.close()


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: ascii(raw)[:30])
def test_names_in_a_link(tmp_path, raw):
    given = json.dumps([{"1": raw, "2": 7, "15": "Ida"}, "{}"])
    names = match_link.unpack(packed(given))[1]
    assert list(names) == ["1"] and is_cleaned(names["1"], raw)
    (tmp_path / "names.json").write_text(json.dumps({"1": raw}))
    hello = {"lang": "en", "home": "", "folder": str(tmp_path), "keeps": True, "serial": True}
    page = BrowserPage(json.dumps({**hello, "match": ""}))
    page.set_connected(True)
    assert is_cleaned(page.app.names["1"], raw)


@pytest.mark.parametrize("raw", EMPTY, ids=ascii)
def test_a_name_of_which_nothing_is_left_is_none(tmp_path, raw):
    app = started_app(tmp_path / "a")
    phone(app, 2, name=raw)
    assert app.names["2"] == "Bo", "as the bot was called"
    assert (
        2 not in new_match_form.settings(owner(app).viewer, {"name2": raw, "here": "2"})["names"]
    )
    with pytest.raises(ValueError, match="seat from 1 to 14") as error:
        parse("1=" + raw)
    assert is_harmless(str(error.value))
    lesson = Lesson(tmp_path / "b")
    lesson.session.close()
    rename(tmp_path / "b", {"1": raw, "2": raw, "3": raw})
    lesson = Lesson(tmp_path / "b")
    assert lesson.session.names == {}
    assert "  " not in lesson.text(owner(App()).viewer.translate)
    lesson.session.close()


def test_a_picture_is_well_formed_whatever_a_name_holds():
    *_, (seen, said) = picture.moments(SCRIPT)
    names = dict.fromkeys(seen.state["hands"], WORST)
    made = table_poster.svg(seen, names, last=WORST + said)
    film = Film(seen, [(seen.moment, seen.lamps(), WORST)], names, 0.6).svg()
    for text in (made, film):
        read = ElementTree.fromstring(text.encode("utf-8"))
        assert "<&\"'" in "".join(read.itertext())


def test_a_line_in_the_terminal_is_filtered_once_more(joined):
    said = io.StringIO()
    table = ShownTable()
    teller = StoryPrinter("en", said)
    teller(table)
    table.names["1"] = WORST + "Zo\u00eb\n"
    table.take(joined)
    teller(table)
    assert "Zo\u00eb" in said.getvalue() and said.getvalue().count("\n") == 1
    assert is_harmless(said.getvalue().rstrip("\n"))


def test_a_terminal_that_lacks_a_letter_gets_another():
    raw = io.BytesIO()
    said = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    print_line("Zo\u00eb has joined.", said)
    assert raw.getvalue() == b"Zo? has joined.\n"
