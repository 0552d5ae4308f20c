# SPDX-License-Identifier: MIT
"""Makes a page to print for the workbench: the tick list of GUIDE.md, and its tables of
measurements with an empty column for the measured values."""

import html
import itertools
import re
from pathlib import Path

FILE = Path(__file__).parent / "tick-list.html"
TABLES = ("measure", "first power")  # the beginnings of the headings, after their number
PAGE = """<!doctype html>
<html lang="en">
<!-- Made from GUIDE.md by `make made`: change it there. -->
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Roundhouse: tick list</title>
<style>
@page { size: A4; margin: 9mm 14mm }
body { font: 10pt/1.25 "DejaVu Sans", Arial, sans-serif; color: #000;
  max-width: 182mm; margin: 0 auto }
h1 { font-size: 16pt; margin: 0 0 2mm }
h2 { font-size: 12pt; margin: 4mm 0 1.5mm }
p { margin: 0 0 2mm }
ul { list-style: none; margin: 0; padding: 0 }
li { margin: 0 0 1.2mm; padding-left: 7mm; text-indent: -7mm }
li::before { content: ""; display: inline-block; width: 3.6mm; height: 3.6mm; margin-right: 3.4mm;
  border: 0.3mm solid #000; vertical-align: -0.4mm }
table { border-collapse: collapse; width: 100%; break-inside: avoid; font-size: 9pt }
th, td { border: 0.2mm solid #666; padding: 0.5mm 1.6mm; text-align: left; vertical-align: top }
th:last-child { width: 32mm }
.lines { border-bottom: 0.2mm solid #666; height: 8mm }
</style>
</head>
<body>
<h1>Roundhouse: tick list</h1>
<p>To print and to take to the bench. The steps are those of the guide. No hub has been built
yet.</p>
"""
END = """<h2>What was different from the guide</h2>
<div class="lines"></div>
<div class="lines"></div>
<div class="lines"></div>
</body>
</html>
"""


def page(guide: str) -> str:
    """Return the page as HTML. guide: the text of GUIDE.md. Raise ValueError if a list or table is
    missing."""
    parts = re.split(r"^## ", guide, flags=re.M)
    out = PAGE + "<ul>\n"
    ticks = re.findall(r"^- \[ \] (.+(?:\n  .+)*)", guide, re.M)
    if not ticks:
        raise ValueError("GUIDE.md has no tick list")
    out += "".join("<li>%s</li>\n" % _html(" ".join(tick.split())) for tick in ticks) + "</ul>\n"
    for word in TABLES:
        found = [part for part in parts if re.match(r"\d+\. [^\n]*\b%s\b" % word, part, re.I)]
        if len(found) != 1 or "\n| " not in found[0]:
            raise ValueError("GUIDE.md has no table to %s" % word)
        out += "<h2>%s</h2>\n" % _html(found[0].split("\n")[0]) + _table(found[0])
    return out + END


def _table(part: str) -> str:
    """Return a section's first table as HTML: two columns and an empty third. part: the section's
    text."""
    lines = part[part.index("\n| ") + 1 :].split("\n")
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines)
    cells = [[cell.strip() for cell in row.strip("|").split("|")][:2] for row in rows]
    head, _, *rest = cells  # the second is a line of dashes
    out = ["<tr>%s<th>measured</th></tr>\n" % "".join("<th>%s</th>" % _html(c) for c in head)]
    out += [
        "<tr>%s<td></td></tr>\n" % "".join("<td>%s</td>" % _html(cell) for cell in row)
        for row in rest
    ]
    return "<table>\n%s</table>\n" % "".join(out)


def _html(text: str) -> str:
    """Return a Markdown text as HTML. Links become plain text."""
    text = html.escape(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text), quote=False)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return re.sub(r"`(.+?)`", r"<code>\1</code>", text)
