# SPDX-License-Identifier: MIT
"""Bends the JSON files in a folder of matches, and checks that the other matches can be played."""

import functools
import json
import random
import tempfile
from pathlib import Path
from typing import Any

from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.people.name_store import NameStore
from host_sim.app.people.own_sheets import OwnSheet, OwnSheets
from host_sim.app.session.match_metadata import METADATA
from host_sim.app.session.match_store import MatchStore
from host_sim.lab.mutated_lines import random_value
from host_sim.table import safety_net

SHEET = OwnSheet("Ours", "puremco", {"first-turn": "own"})
NAMES = {"1": "Ana", "3": "Zoë"}
DIALOGS = ("new", "matches", "evenings")


@functools.lru_cache
def written() -> dict[str, bytes]:
    """Return {path: content} of a folder with two matches, and with every other file."""
    with tempfile.TemporaryDirectory() as name:
        store = MatchStore(name)
        for seats in ((1, 2, 3), (1, 2)):
            match = store.new(
                seats=seats, set_=6, names={1: "Ana", 2: "Bo"}, family=SHEET.family, house="ours"
            )
            for _ in range(6):
                match.act()
            match.close()
        OwnSheets(name).keep(SHEET)
        NameStore(name).save(NAMES)
        evenings = App(store=store).evenings
        assert evenings
        evenings.refresh()
        evenings.rename("bo", "Bob")
        folder = Path(name)
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }


def files() -> list[str]:
    """Return the paths of the JSON files, one of them that of a match."""
    found = [name for name in written() if name.endswith(".json")]
    return [name for name in found if "/" not in name] + [last_match()]


def last_match() -> str:
    return max(name for name in written() if name.endswith("/" + METADATA))


def mutate(rng: random.Random, case: bytes) -> bytes:
    """Return a test case: the number of one of `files` as a byte, and its new content."""
    names = files()
    number = rng.randrange(len(names))
    text = written()[names[number]]
    if rng.random() < 0.1:
        at = rng.randrange(len(text))
        return bytes((number,)) + text[:at] + case[:9] + text[at + rng.randrange(9) :]
    value = json.loads(text)
    for _ in range(rng.choice((1, 1, 2, 4))):
        value = bend(rng, value)
    return bytes((number,)) + json.dumps(value).encode()


def bend(rng: random.Random, value: Any) -> Any:
    """Return a JSON value with one part replaced, removed or added."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.1:
        return random_value(rng)
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = rng.choice(keys)
    how = rng.random()
    if how < 0.15:
        value = value.copy()
        del value[key]
    elif how < 0.3 and isinstance(value, dict):
        value = {**value, str(random_value(rng, 0)): random_value(rng)}
    else:
        value = value.copy()
        value[key] = bend(rng, value[key])
    return value


def check(case: bytes) -> None:
    """Check that a program with a bent file starts, shows its dialogs and saves."""
    names = files()
    with tempfile.TemporaryDirectory() as folder:
        for name, data in written().items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        bent = Path(folder, names[case[0] % len(names)] if case else names[0])
        bent.write_bytes(case[1:])
        store = MatchStore(folder)
        app = App(store=store, seed=1)
        assert app.continue_match(), "the other match can be played"
        page = ViewerPage(app, Rights(True, "own"))
        for dialog in DIALOGS:
            page.handle({"do": "open " + dialog})
            page.components()
        assert app.evenings
        while app.evenings.due() is not None:
            app.evenings.step()
        page.components()
        app.evenings.rename("ana", "Anna")
        OwnSheets(folder).keep(SHEET._replace(title="Theirs"))
        names_ = NameStore(folder)
        names_.save({**names_.names, "2": "Cy"})
        assert NameStore(folder).names["2"] == "Cy"
        assert "theirs" in OwnSheets(folder).sheets()
        app.close()
    safety_net.raise_caught()
