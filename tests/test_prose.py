# SPDX-License-Identifier: MIT
"""Phrases that make a developer stumble in a docstring, a comment, a message or a README.

`make prose` lists all such phrases, and `make prose IN=FOLDER` only those of one folder or file.
Sentences for players, the rules, the guide and strings in tests are not checked.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What players read keeps their voice, and what others wrote stays as it is.
LEFT = (
    "firmware/roundhouse/lamp_letters.py",  # its words are in tables of REFERENCE.md too
    "firmware/README.md",
    "firmware/REFERENCE.md",
    "firmware/roundhouse/tag_writer.py",
    "host_sim/commands/type.py",
    "host_sim/app/page/static/idiomorph.js",
)
FILES = (
    "*.py",
    "*.js",
    "*.mjs",
    "*README.md",
    "*REFERENCE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "Makefile",
)

# (regular expression, what to write instead)
AVOID = (
    (r"(nobody|somebody) (?!else|but)[a-z]+|whoever", "a subject: the caller, a player"),
    (r"whatever (?!the|its|their|else)[a-z]+", "anything that"),
    (r"anew|once more", "again"),
    (r"so many(?! that)", "N, or: that many"),
    (r"(?<!there.)(is|are|was|were) no (?!longer|more|less|fewer)[a-z]+", "is not a"),
    (r"(?<!player.)(?<!reader.)wants (an?|to|the|no|its|one|none)", "needs"),
    (r"what (it|all of it) took|for who", "who or what"),
    (r"what lies|lies (already|there)", "is"),
    (r"(goes|go|comes?|follows?|begins?|stands?|written|said) behind", "after"),
    (r"behind (an?|the|its|each|every) (command|input|line|name|number|record|word)", "after"),
)
# Of a file, in group 1: what is prose in it
STRING = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
SOURCE = rf"""("{{3}}(?s:.*?)"{{3}}|#.*|{STRING})|[^\s"'#]+|\S"""
TEST = rf"""("{{3}}(?s:.*?)"{{3}}|#.*)|{STRING}|[^\s"'#]+|\S"""
SCRIPT = r"(//.*|/\*(?s:.*?)\*/)|[^\s/]+|/"
PAGE = r"(?m:^    .*)|`[^`]*`|\]\([^)]*\)|([^`\n\]]+)|\S"


def found(path, text):
    """Return ["file:line: phrase -> what to write", ...] for the text of a file."""
    kinds = {".py": TEST if path.parts[0] == "tests" else SOURCE, ".js": SCRIPT, ".mjs": SCRIPT}
    kind = kinds.get(path.suffix, PAGE)
    text = re.sub(kind, lambda part: part[1] or "|" + "\n" * part[0].count("\n"), text)
    hits = []
    for words, rather in AVOID:
        for hit in re.finditer(rf"\b({words})\b".replace(" ", r"[\s#/*]+"), text, re.S | re.I):
            line = text.count("\n", 0, hit.start()) + 1
            hits.append(f"{path}:{line}: {' '.join(hit[0].split())} -> {rather}")
    return hits


def of_place(place):
    """Return the phrases found in a folder or file; of the changelog, only in the coming version's
    section."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *FILES]
    names = subprocess.run(listed, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    paths = [path for path in map(Path, names.split()) if path.is_relative_to(place)]
    texts = [(path, (ROOT / path).read_text()) for path in paths if (ROOT / path).is_file()]
    assert texts, place
    return [hit for path, text in texts for hit in found(path, text.partition("\n## 1.0.0")[0])]


def test_words_to_avoid():
    assert not [hit for hit in of_place(".") if not hit.startswith(LEFT)]


def test_what_is_read():
    source = '"""Nobody\nasks."""\nsay("it is no tag")  # so many: it\n# is no tag\nwhoever = 1\n'
    lines = [hit.split(": ")[0] for hit in found(Path("hub/a.py"), source)]
    assert lines == ["hub/a.py:1", "hub/a.py:3", "hub/a.py:3", "hub/a.py:4"]
    assert len(found(Path("tests/a.py"), source)) == 3
    page = "`whoever`\n\n    nobody asks\n\nWrite it once\nmore.\n"
    assert found(Path("README.md"), page) == ["README.md:5: once more -> again"]


if __name__ == "__main__":
    print(*of_place(sys.argv[1] if len(sys.argv) > 1 else "."), sep="\n")
