# SPDX-License-Identifier: MIT
"""How easy our English is to read: `make readability`.

Flesch reading ease (R. Flesch, "A new readability yardstick", 1948; 60 is plain English, 70 fairly
easy), for each document and for all that an audience reads, and how many sentences are too long:
`make readability LONG=1` lists those. An audience without a goal is measured alone.
Code, tables, headings and commands are no prose and are taken out first; so are labels, which in
the page's sentences are what ends without a full stop.
"""

import re
import sys
from collections import namedtuple
from html.parser import HTMLParser
from pathlib import Path

import textstat

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 30  # words of a sentence
SENTENCES = "host_sim/views/sentences/en"
PLAYING = "## Play"  # how the heading of the part for players begins

# goal: the least reading ease of each document, 0 for none; documents: (name, or folder for all of
# its tables; of a page only the part under headings that begin so).
Audience = namedtuple("Audience", "goal documents")
AUDIENCES = {
    "players": Audience(
        70, (("README.md", PLAYING), ("hardware/players.html", ""), (SENTENCES, ""))
    ),
    "makers": Audience(
        60, (("hardware/GUIDE.md", ""), ("hardware/README.md", ""), ("firmware/config.py", ""))
    ),
    "developers": Audience(
        0,
        (
            *(("firmware/README.md", ""), ("firmware/RULES.md", ""), ("host_sim/README.md", "")),
            *(("tests/README.md", ""), ("CONTRIBUTING.md", ""), ("CHANGELOG.md", "")),
        ),
    ),
}
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) +")
FILLED = re.compile(r"{(\w+)}")  # a name in a sentence of the page
ENDED = re.compile(r"[.!?][\"')”’]*$")


class Words(HTMLParser):
    """The prose of an HTML page: `found` is [(line, text), ...], a paragraph each."""

    PROSE = ("p", "li", "div")
    SKIPPED = ("style", "svg", "table", "title", "h1", "h2", "h3", "header")

    def __init__(self):
        super().__init__()
        self.found = []
        self._skipped = 0

    def handle_starttag(self, tag, attributes):
        """A paragraph begins, or something that is no prose."""
        self._skipped += tag in self.SKIPPED
        if tag in self.PROSE:
            self.found.append((self.getpos()[0], ""))

    def handle_endtag(self, tag):
        """Prose goes on behind what was none."""
        self._skipped -= tag in self.SKIPPED

    def handle_data(self, data):
        """Words belong to the paragraph that began last."""
        if self.found and not self._skipped:
            line, text = self.found[-1]
            self.found[-1] = (line, text + data)


def of_page(text, part=""):
    """Return [(line, paragraph), ...] of a Markdown text, list items a paragraph each. part: how
    the heading of the only part that is wanted begins."""
    found = []
    inside, goes_on, code = not part, False, False
    for number, line in enumerate(text.splitlines(), 1):
        if part and re.match("#{1,%d} " % part.count("#"), line):
            inside = line.startswith(part)
        code = line.startswith("    ") and (code or not goes_on)
        if not inside or code or not line.strip() or re.match(r"#|\||<!--|!\[", line):
            goes_on = False
            continue
        if ITEM.match(line) or not goes_on:
            found.append((number, ITEM.sub("", line, count=1)))
        else:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + line)
        goes_on = True
    return found


def of_html(text):
    """Return [(line, paragraph), ...] of an HTML page."""
    reader = Words()
    reader.feed(text)
    return reader.found


def of_sentences(text):
    """Return [(line, sentence), ...] of a file of sentences, without the labels."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for text in re.findall(r' = "((?:[^"\\]|\\.)*)"', line):
            if ENDED.search(text):
                found.append((number, FILLED.sub("Ana", text.replace('\\"', '"'))))
    return found


def of_comments(text):
    """Return [(line, comment), ...] of a module, comments on lines of their own as paragraphs."""
    found = []
    goes_on = False
    for number, line in enumerate(text.splitlines(), 1):
        alone = line.startswith("# ") and "SPDX" not in line
        behind = re.search(r"\S.*  # (.*)", line)
        if alone and goes_on:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + line[2:])
        elif alone:
            found.append((number, line[2:]))
        elif behind:
            found.append((number, behind[1]))
        goes_on = alone
    return found


READ = {".md": of_page, ".html": of_html, ".toml": of_sentences, ".py": of_comments}


def sentences(paragraphs):
    """Return [(line, sentence), ...] of [(line, paragraph), ...], in plain words."""
    found = []
    for line, text in paragraphs:
        at = 0
        for piece in re.split(r"(?<=[.!?])[\"')*]*\s+", text):
            begins = line + text[: text.index(piece, at)].count("\n")
            at = text.index(piece, at) + len(piece)
            words = plain(piece)
            if re.search(r"[A-Za-z]", words):
                found.append((begins, words))
    return found


def plain(text):
    """Return a sentence without markup and code, ended by one full stop alone."""
    text = re.sub(r"`[^`]*`", "", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(?<=\w)[.!?](?=\w)|[*_<>\[\]…]", "", text)  # config.py is one word
    return " ".join(re.sub(r"[.!?]", "", text).split()) + "."


def files(name):
    """Return the files of a document: itself, or every table in a folder."""
    path = ROOT / name
    return sorted(path.glob("*.toml")) if path.is_dir() else [path]


def documents(audience):
    """Return {file: [(line, sentence), ...]} of what an audience reads."""
    found = {}
    for name, part in AUDIENCES[audience].documents:
        for path in files(name):
            told = path.read_text(encoding="utf-8")
            read = READ[path.suffix]
            paragraphs = read(told, part) if part else read(told)
            found[path.relative_to(ROOT).as_posix()] = sentences(paragraphs)
    return found


def ease(found):
    """Return the Flesch reading ease of [(line, sentence), ...]."""
    return textstat.flesch_reading_ease(" ".join(text for _, text in found))


def too_long(found):
    """Return [(line, words, sentence), ...] of the sentences that are too long."""
    counted = [(line, len(text.split()), text) for line, text in found]
    return [row for row in counted if row[1] > LONGEST]


def measured(audience):
    """Return {file: (its reading ease, [(line, words, sentence), ...] of its long sentences)}, and
    under the audience's own name the same of all together."""
    found = {name: told for name, told in documents(audience).items() if told}
    found = {audience: [row for told in found.values() for row in told], **found}
    return {name: (ease(told), too_long(told)) for name, told in found.items()}


def missed(audience, figures):
    """Return what is harder to read than the audience's goal."""
    return [name for name, (one, _) in figures.items() if one < AUDIENCES[audience].goal]


def main(words):
    """Print the figures, with `--long` among the words the long sentences too; return 1 where a
    goal is missed."""
    failed = []
    for audience, (goal, _) in AUDIENCES.items():
        figures = measured(audience)
        failed += missed(audience, figures)
        for name, (one, long) in figures.items():
            aim = ", goal %d" % goal if goal and name == audience else ""
            name = name if name == audience else "  " + name
            print("%-44s %5.1f, %d over %d words%s" % (name, one, len(long), LONGEST, aim))
            if "--long" in words and name.startswith(" "):
                for line, count, text in long:
                    print("    %s:%d: %d words: %s" % (name.strip(), line, count, text))
    for name in failed:
        print("%s is harder to read than its goal" % name)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
