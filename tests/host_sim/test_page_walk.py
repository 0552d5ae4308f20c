# SPDX-License-Identifier: MIT
"""Each state of the page can be read and followed, in each language and on each screen."""

import pytest
from page_browsers import needs_browser
from page_walk import EXCEPTIONS, LONGER, QUICK_SIZES, longer, moved, walk


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("language", ["fr", LONGER])
def test_nothing_is_cut_hidden_or_moved(browser, language):
    """All sizes, languages and sizes of the text: `make walk`."""
    found = walk(browser, sizes=QUICK_SIZES, languages=(language,), texts=(100,))
    assert not found, "\n".join(map(str, found))


def test_the_made_up_language_has_longer_words_and_the_same_placeholders():
    assert longer({"a": "Lay {tile} to {name}, please"}) == {
        "a": "Layy {tile} to {name}, pleasese"
    }


def test_exceptions_are_few():
    assert len(EXCEPTIONS) <= 8


def test_what_moves_is_seen():
    assert moved({"#head": [0, 0, 9, 9]}, {"#head": [0, 0.9, 9, 9]}) == []
    assert moved({"#head": [0, 0, 9, 9]}, {"#head": [0, 2, 9, 9], "#hand": [0, 0, 1, 1]})
