# SPDX-License-Identifier: MIT
"""Our English reaches the goals of `make readability`, and what it measures is prose."""

import pytest
import readability
from readability import AUDIENCES

PAGE = """# A heading is no sentence

Say `house classic` to [the hub](config.py). It answers!
It goes on.

    make run  # a command is none

| a table | is none. |
|---|---|

- An item is a sentence,
  on two lines
1. Two here? Yes.

## Playing

Only this.

### At night

This too.

## Building

Not this.
"""


@pytest.mark.parametrize("audience", AUDIENCES)
def test_the_goals_are_reached(audience):
    figures = readability.measured(audience)
    assert len(figures) == 1 + len([name for name in figures if "." in name]) > 3
    assert not readability.missed(audience, figures), figures


@pytest.mark.parametrize("page", ("firmware/README.md", "firmware/RULES.md", "firmware/config.py"))
def test_no_sentence_is_too_long(page):
    (told,) = [found[page] for found in map(readability.documents, AUDIENCES) if page in found]
    assert told and not readability.too_long(told)


def test_prose_is_what_is_left_without_code_tables_and_headings():
    assert readability.sentences(readability.of_page(PAGE))[:6] == [
        (3, "Say to the hub."),
        (3, "It answers."),
        (4, "It goes on."),
        (11, "An item is a sentence, on two lines."),
        (13, "Two here."),
        (13, "Yes."),
    ]
    playing = readability.sentences(readability.of_page(PAGE, "## Play"))
    assert playing == [(17, "Only this."), (21, "This too.")]


def test_prose_of_the_other_documents():
    html = "<html><h1>No</h1>\n<p>A <b>lamp</b><svg><text>no</text></svg> is lit.<p>Two.</html>"
    assert readability.sentences(readability.of_html(html)) == [
        (2, "A lamp is lit."),
        (2, "Two."),
    ]
    table = (
        '[a]\nturn = "It is {seat}\'s turn."\nplay = "Play"\nfit = { one = "A.", other = "B." }\n'
    )
    assert readability.of_sentences(table) == [(2, "It is Ana's turn."), (4, "A."), (4, "B.")]
    module = "# Light:\n# bright.\nX = 1  # a number\n\n# SPDX: no\n"
    module = module.replace("# SPDX: no", "# SPDX-License-Identifier: MIT")
    assert readability.of_comments(module) == [(1, "Light:\nbright."), (3, "a number")]


def test_a_point_in_a_name_ends_no_sentence():
    found = readability.sentences([(1, "Edit config.py at 3.3 V. Save it.")])
    assert [text for _, text in found] == ["Edit configpy at 33 V.", "Save it."]


def test_a_long_sentence_is_counted():
    found = [(1, "one " * 29 + "end."), (2, "one " * 30 + "end.")]
    assert [(line, count) for line, count, _ in readability.too_long(found)] == [(2, 31)]


def test_hard_words_are_harder():
    easy = [(1, "The cat sat on the mat.")]
    hard = [(1, "Institutional responsibilities necessitate comprehensive documentation.")]
    assert readability.ease(easy) > 90 > 30 > readability.ease(hard)


def test_a_goal_that_is_missed_fails(monkeypatch, capsys):
    assert readability.main([]) == 0
    assert "over 30 words, goal 70" in capsys.readouterr().out
    beyond = AUDIENCES["players"]._replace(goal=300)
    monkeypatch.setitem(AUDIENCES, "players", beyond)
    assert readability.main(["--long"]) == 1
    said = capsys.readouterr().out
    assert "README.md is harder to read than its goal\n" in said
