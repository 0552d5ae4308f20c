# SPDX-License-Identifier: MIT
"""What the recipes of CONTRIBUTING.md promise, in a copy of the sources that follows them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SENTENCES = "host_sim/app/views/sentences/en/"


class Copy:
    """A copy of the sources in a folder. Rows are added at the ends of its files, which does not
    depend on what stands in them."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("firmware", "host_sim", "tests/tools"):
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )

    def add(self, name, text):
        with (self.folder / name).open("a", encoding="utf-8") as file:
            file.write("\n" + text)

    def insert(self, name, after, text):
        path = self.folder / name
        before, found, rest = path.read_text(encoding="utf-8").partition(after)
        assert found, name
        path.write_text(before + found + text + rest, encoding="utf-8")

    def run(self, *words):
        path = os.pathsep.join((str(self.folder), str(self.folder / "firmware")))
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
        )


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


def said_in(languages, call):
    return (
        "from host_sim.app.views.i18n import Translator\n"
        "from host_sim.app.views.story import Story\n"
        "from host_sim.app.handouts import house_guide\n"
        "from host_sim.app.people import house_options\n"
        "for language in %r:\n    say = Translator(language)\n    print(%s)\n" % (languages, call)
    )


def test_an_option_that_counts_points(copy):
    """The simulator counts as the firmware does, and the guide tells the value by its key alone.
    With English sentences alone, it is shown in every language."""
    games = "firmware/roundhouse/games/mexican_train/"
    copy.add(
        games + "sheets.py",
        'OPTIONS += ("newcomer K2: no yes",)\nVARIANTS += ("newcomer-word: newcomer yes",)\n',
    )
    assert copy.run("tests/tools/state_constants.py").returncode == 0
    copy.add(
        games + "rounds.py",
        "_pips = pips\ndef pips(m, tile):\n"
        "    twice = HIGH[tile] == LOW[tile] and m.state[at.NEWCOMER] == at.NEWCOMER_YES\n"
        "    return _pips(m, tile) * (1 + twice)\n",
    )
    played = ("-m", "host_sim", "selfplay", "--house", "puremco newcomer-word", "--games", "1")
    unfair = copy.run(*played)
    assert unfair.returncode and "gained" in unfair.stderr
    copy.add(
        "host_sim/table/games/tile_rules.py",
        "_left_over = left_over\ndef left_over(tile, options):\n"
        '    twice = is_double(tile) and options.get("newcomer") == "yes"\n'
        "    return _left_over(tile, options) * (1 + twice)\n",
    )
    fair = copy.run(*played)
    assert fair.returncode == 0, fair.stderr
    copy.add(
        SENTENCES + "games.toml",
        '[variants.newcomer-word]\nquestion = "Twice?"\ntold = "doubles count twice"\n',
    )
    copy.insert(SENTENCES + "guide.toml", "[trains_rule]\n", 'newcomer_yes = "Doubles twice."\n')
    call = (
        "'Doubles twice.' in house_guide.page('puremco newcomer-word', language=language),"
        " [row.question for row in house_options.questions(say, 'puremco')][-1],"
        " 'doubles count twice' in Story(say, {}).house_words('puremco newcomer-word')"
    )
    shown = copy.run("-c", said_in(("en", "de", "fr"), call))
    assert shown.stderr == ""
    assert shown.stdout.splitlines() == ["True Twice? True"] * 3


def test_a_line_game_is_a_column(copy):
    """A demo plays it as soon as the firmware has its column and the simulator its name. With
    English sentences alone, it is shown in every language."""
    copy.add(
        "firmware/roundhouse/games/line_games/sheets.py",
        'GAMES = HOUSES = (*HOUSES, "newcomer")\n'
        'SEATS["newcomer"], HANDS["newcomer"] = SEATS["block"], HANDS["block"]\n'
        'OPTIONS = tuple(row + " newcomer two" * row.startswith("doubles ") for row in OPTIONS)\n',
    )
    copy.add(
        "host_sim/table/games/line_games/__init__.py",
        'NAMES += ("newcomer",)\nHOUSES += ("newcomer",)\nMEASURED["newcomer"] = "newcomer"\n',
    )
    played = copy.run("-m", "host_sim", "demo", "--house", "newcomer", "--rounds", "1")
    assert (played.returncode, played.stderr) == (0, "")
    copy.add(
        "host_sim/table/games/line_games/sheets.py", 'HOUSES["newcomer"] = {"doubles": "two"}\n'
    )
    refereed = (
        "from host_sim.table.games import house_info\n"
        "from host_sim.table.games.line_games import referee\n"
        "from roundhouse.games import houses\n"
        "house, _ = houses.parse(['newcomer'])\n"
        "words = dict(house_info.in_words(house, houses.preset(house)))\n"
        "print(referee.sheets.options_of(['newcomer']) == words)\n"
    )
    assert copy.run("-c", refereed).stdout == "True\n"
    copy.insert(SENTENCES + "games.toml", "[games]\n", 'newcomer = "Newcomer"\n')
    copy.add(
        SENTENCES + "games.toml",
        '[houses.newcomer]\nline = "One line."\nsheet = "as we play"\ntold = "Newcomer: a line"\n',
    )
    call = (
        "'Newcomer' in house_guide.page('newcomer', language=language)"
        " and [row.title for row in house_options.house_rows(say) if row.house == 'newcomer'],"
        " Story(say, {}).house_words('newcomer')"
    )
    shown = copy.run("-c", said_in(("en", "de", "fr"), call))
    assert shown.stderr == ""
    assert shown.stdout.splitlines() == ["['Newcomer'] Newcomer: a line"] * 3
