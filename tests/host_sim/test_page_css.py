# SPDX-License-Identifier: MIT
"""The style sheets of the page: every size follows the browser's text size."""

import re

import pytest

from host_sim.app.server.web_server import STATIC

LINES = re.compile(r"border|outline|box-shadow|filter|stroke-width")
# selectors of what is not beside text: a label that only a screen reader finds, confetti, and a
# picture with units of its own
APART = re.compile(r"\.heard |\.confetti i |svg\.evenings ")


def declarations(css):
    """Return a list of (selector, property, value)."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return [
        (selector.strip(), *(text.strip() for text in declaration.split(":", 1)))
        for selector, body in re.findall(r"([^{};]+)\{([^{}]*)\}", css)
        for declaration in body.split(";")
        if declaration.strip()
    ]


@pytest.mark.parametrize("name", sorted(file.name for file in STATIC.glob("*.css")))
def test_only_lines_and_pictures_have_sizes_in_px(name):
    found = declarations((STATIC / name).read_text())
    assert len(found) > 40
    fixed = [
        "%s { %s: %s }" % (selector, what, value)
        for selector, what, value in found
        if re.search(r"\dpx", value)
        and not LINES.match(what)
        and not APART.match("%s %s" % (selector, what))
    ]
    assert fixed == []
