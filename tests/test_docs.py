# SPDX-License-Identifier: MIT
"""Everything that the documents name exists: rule points, links, files, commands, words."""

import ast
import functools
import importlib.util
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from host_sim import __main__ as command_line
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.maker import documents, release_folder
from roundhouse import games

ROOT = Path(__file__).resolve().parent.parent
TRACKED = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=True,
).stdout.split("\n")
TRACKED = sorted(name for name in TRACKED if (ROOT / name).is_file())
FOLDERS = sorted({str(up) for name in TRACKED for up in Path(name).parents if up.name})
PAGES = [name for name in TRACKED if name.endswith(".md")]

POINT = re.compile(r"\b(?=[A-OST]0?[1-9]|[WX]\d|V\d)([A-OSTVWX])0?(\d{1,2})\b")
DEFINED = re.compile(r"^(?:- |\| )\*\*([A-OSTVWX])0?(\d{1,2})\*\*", re.MULTILINE)
# C is the own train in Mexican Train, and Classic in what is about the line games alone
ABOUT_LINES = re.compile(r"/(?:test_)?lines?(?:_\w+)?\.py$|/games/lines/|^tests/scripts/games/")
BOARDS = ("tests/test_docs.py", "tests/hardware/")  # J1 and C3 are parts on a board there


def text(name):
    return (ROOT / name).read_text()


def code(page):
    """Return each code span and each line of an indented block on a page."""
    rest = text(page)
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", rest)]
    return spans + [line.strip() for line in rest.splitlines() if line.startswith("    ")]


def spelled(pairs):
    return {letter + number for letter, number in pairs}


# ---- rule points ----


def parts():
    """Return a list of two lists: the rule points of Mexican Train, and those of the line games,
    as in RULES.md."""
    trains, lines = text("firmware/RULES.md").split("\n## The line games\n")
    return [DEFINED.findall(trains), DEFINED.findall(lines)]


def cited():
    """Yield (point, file that cites the rule point).

    Names of scripts in tests/scripts/games only look like rule points.
    """
    for name in TRACKED:
        if name.startswith(("firmware/", "host_sim/", "tests/")) and not name.startswith(BOARDS):
            if not name.endswith((".py", ".table", ".md")) or name == "firmware/RULES.md":
                continue
            stem = "" if name.startswith("tests/scripts/games/") else Path(name).stem
            told = re.sub(r"noqa: \w+", "", text(name))  # ruff's rules have such names too
            for point in spelled(POINT.findall(stem + "\n" + told)):
                yield point, name


def test_every_cited_rule_point_is_defined():
    trains, lines = (spelled(found) for found in parts())
    gone = []
    for point, name in cited():
        defined = lines if point[0] == "C" and ABOUT_LINES.search(name) else trains | lines
        if point not in defined:
            gone.append("%s in %s" % (point, name))
    assert not gone
    assert {"A1", "G4", "L1", "M38", "N21", "S63", "V0"} <= trains
    assert {"C13", "T1", "W8", "X10"} <= lines


def test_a_rule_point_is_defined_once():
    trains, lines = parts()
    assert sorted(trains) == sorted(set(trains))
    assert sorted(lines) == sorted(set(lines))
    twice = set(trains) & set(lines)
    assert {letter for letter, _ in twice} == {"C"}, "the page says so"


def test_every_option_has_its_point():
    """Every rule point that a table of options names is defined in the rules of the option's
    game."""
    for kind, defined in enumerate(parts()):
        rows = (row.split(": ")[0].split() for row in games.sheets(kind).OPTIONS)
        assert {point for _, point in rows} - {"-"} <= spelled(defined), kind


def test_points_that_the_rules_refer_to_are_defined():
    page = text("firmware/RULES.md")
    assert spelled(POINT.findall(page)) <= spelled(DEFINED.findall(page))


def test_every_unclear_point_has_its_reading_and_a_reason():
    part = text("firmware/RULES.md").split("## M. Where")[1].split("\n## ")[0]
    points = re.findall(r"^- \*\*(M\d+)\*\*((?:.*\n(?!-|#|\n))*.*)", part, re.MULTILINE)
    assert len(points) == 38
    for point, said in points:
        read = " ".join(said.split()).partition(" Read: ")[2]
        assert len(re.split(r"[.,;:] ", read)) > 1, "%s: read how, and why?" % point


def test_quotations_of_the_sheets_are_short():
    rules = re.sub(r"^\|.*|`[^`]*`", "", text("firmware/RULES.md"), flags=re.MULTILINE)
    quoted = [words.split() for words in re.findall(r'"([^"]+)"', rules)]
    assert len(quoted) > 30
    assert max(map(len, quoted)) < 13


# ---- links and files ----


def anchors(page):
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text(page), re.MULTILINE)
    return {documents.anchor(title) for title in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", text(page)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (ROOT / page).parent / file if file else ROOT / page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there.resolve().relative_to(ROOT).as_posix()), target


@pytest.mark.parametrize("page", PAGES)
def test_files_it_names_exist(page):
    named = set(
        re.findall(
            r"(?<![\w/.])(?:firmware|host_sim|hardware|tests)/[\w./-]*\w(?![*\w])", text(page)
        )
    )
    for span in code(page):
        if re.fullmatch(r"[\w.-]*[\w./-]*/|[\w./-]+\.(py|md|toml|json|table|sh|mjs|html)", span):
            named.add(span.rstrip("/"))
    ends = ["/" + name for name in TRACKED + FOLDERS]
    gone = [
        name
        for name in sorted(named)
        if not name.startswith("build/")
        and "NAME" not in name
        and not any(end.endswith("/" + name) for end in ends)
    ]
    # `test_match` stands for `tests/firmware/test_match.py` where a page speaks of several
    for test in re.findall(r"\btest_\w+", text(page)):
        if not any(name.endswith(f"/{test}.py") for name in TRACKED):
            gone.append(test)
    assert not gone


SYMBOL = re.compile(r"(?=.*[_A-Z(])_?[A-Za-z]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]{2,}")
# what a reader is to put a name of their own for, and what is the world's
STANDS_FOR = re.compile(r".*NAME|[A-Z]\w*=.*|[A-Z]\d+")


@pytest.fixture(scope="module")
def identifiers():
    """Return every word of the sources, documents excluded."""
    sources = (".py", ".mjs", ".js", ".sh", ".toml", ".yml", ".yaml", ".html", ".in", ".table")
    found = {Path(name).stem for name in TRACKED}
    for name in TRACKED:
        if name.endswith(sources) or "." not in name.rpartition("/")[2]:
            found.update(re.findall(r"\w+", (ROOT / name).read_text(errors="replace")))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_symbols_it_names_exist(page, identifiers):
    """Each name written as code occurs in some source file, as a whole or word by word."""
    gone = [
        span
        for span in code(page)
        if SYMBOL.fullmatch(span)
        and not STANDS_FOR.match(span)
        and not set(re.findall(r"\w+", span)) <= identifiers
    ]
    assert not gone


def items(page):
    """Return [(code spans, text), ...] for all list items of a page that begin with names of
    Python files."""
    found = []
    for item in re.split(r"\n(?=(?:\d+\.|-) |\n)", text(page)):
        begin = re.match(r"(?:\d+\.|-) ((?:`[\w./-]+\.py`(?:, | and | or )?)+)", item)
        if begin:
            found.append((re.findall(r"`([^`]+)`", item), item))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_constants_stand_where_it_says(page):
    """If a list item of a page begins with names of Python files, every constant in the item
    occurs in one of these files."""
    for spans, item in items(page):
        files = [span for span in spans if span.endswith(".py")]
        there = [name for name in TRACKED for file in files if ("/" + name).endswith("/" + file)]
        words = set().union(*(re.findall(r"\w+", text(name)) for name in there))
        asked = {span for span in spans if CONSTANT.fullmatch(span) and "NAME" not in span}
        assert asked <= words, item


@pytest.mark.parametrize("page", PAGES)
def test_no_page_speaks_of_somebodys_machine(page):
    assert not re.findall(r"(?<![\w.:/])/(?:work|tmp|home|root|Users|mnt|opt)\b.*", text(page))


# ---- commands ----

COMMAND = r"(?:python -m host_sim|^roundhouse) ([a-z]\w*)(.*)"


@pytest.mark.parametrize("page", PAGES)
def test_commands_exist_with_their_options(page, capsys):
    for span in code(page):
        for command, rest in re.findall(COMMAND, span):
            with pytest.raises(SystemExit) as end:
                command_line.main([command, "--help"])
            said = capsys.readouterr().out
            assert end.value.code == 0, command
            for option in re.findall(r"(?<!\S)\[?(--?[a-z]+)", rest):
                assert option in said, (command, option)


def test_hardware_commands_exist():
    command = [sys.executable, "-m", "hardware", "--help"]
    offered = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for page in PAGES:
        for span in code(page):
            for word in re.findall(r"python -m hardware ([a-z]+)", span):
                assert re.search(r"\b%s\b" % word, offered), (page, word)


BIN = Path(sys.executable).parent
BARE = {"cd", "git", "make", "pipx", "python3"}  # on a machine as README asks for
# What else begins a command; pipx installs `roundhouse`.
OTHERS = "apt apt-get bash brew curl docker gh node npm npx picotool roundhouse sh sudo uv wget"
PROGRAMS = {*BARE, *OTHERS.split(), "host_sim", "hardware", *(path.name for path in BIN.iterdir())}
FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.M | re.S)
INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n)+")
BEGIN = re.compile(r"(\$ )?(?:[A-Z_]+=\S* )*([\w./-]+)")


def shell_lines(text):
    """Yield the command lines of a page: those of its blocks, without what they print, and its
    code spans of several words."""
    rest = FENCED.sub("", text)
    blocks = [(kind in ("sh", "bash"), block) for _, kind, block in FENCED.findall(text)]
    blocks += [(False, block) for block in INDENTED.findall(rest)]
    for shell, block in blocks:
        for line in map(str.strip, block.replace("\\\n", " ").splitlines()):
            begin = BEGIN.match(line)
            if begin and (shell or begin[1] or begin[2] in PROGRAMS or "bin/" in begin[2]):
                yield line.removeprefix("$ ")
    for span in re.findall(r"`([^`]+)`", INDENTED.sub("", rest)):
        begin = BEGIN.match(span)
        if begin and len(span.split()) > 1 and (begin[2] in PROGRAMS or "bin/" in begin[2]):
            yield " ".join(span.split())


def simple_commands(line):
    """Return the words of each command of a line, without assignments and redirections."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    found = [[]]
    for word in lexer:
        if re.fullmatch("[&|;]+", word):
            found.append([])
        elif found[-1] or not re.match("[A-Z_]+=", word):
            found[-1].append(word)
    ends = [[word[0] in "<>" for word in words] + [True] for words in found]
    return [words[: end.index(True)] for words, end in zip(found, ends) if words]


@functools.cache
def what_is_wrong(*words):
    """Return why a command cannot be typed as it is in a checkout after `make run`, or ""."""
    program, *rest = words
    if program == "make":
        done = subprocess.run(["make", "-n", *rest], cwd=ROOT, capture_output=True, text=True)
        return done.stderr if done.returncode else ""
    module = rest[1] if rest[:1] == ["-m"] else "sys"
    if program == "python3":
        there = module.partition(".")[0] in sys.stdlib_module_names
        return "" if there else "python3 has no " + module
    if program.startswith(".venv/bin/"):
        there = (BIN / Path(program).name).exists() and importlib.util.find_spec(module)
        return "" if there else "it is not installed"
    return "" if program in BARE | {"roundhouse"} else "not found: " + program


@pytest.mark.parametrize("page", PAGES)
def test_commands_can_be_typed_as_they_are(page):
    for line in shell_lines(text(page)):
        for words in simple_commands(line):
            assert not what_is_wrong(*words), line


def test_sources_say_which_python_to_type():
    """What they print is typed, too."""
    bare = re.compile(r"(?<![\w/])python -m [a-z]\w*")
    places = ("firmware/", "hardware/", "host_sim/", "tests/tools/")
    sources = [name for name in TRACKED if name.startswith(places) and name.endswith(".py")]
    assert not [(name, hit) for name in sources for hit in bare.findall(text(name))]


@pytest.mark.parametrize(
    "page, wrong",
    [
        ("\n\n    make run  # a table\n", ""),
        ("\n\n    PORT=1 make run && mpremote ls\n", "not found: mpremote"),
        ("\n\n    make run | \\\n      python -m json.tool\n    It prints\n", "not found: python"),
        ("```sh\n$ cd a; frob it\n```\n", "not found: frob"),
        ("see `python3 -m\nhttp.server </dev/null`", ""),
        ("see `python3 -m host_sim demo`", "python3 has no host_sim"),
        ("see `.venv/bin/python -m nothing_there`", "it is not installed"),
        ("`make`, `mpremote` and `python`\n\n    tap 6-5 1\n    Zoe's turn\n", None),
    ],
)
def test_what_a_command_is(page, wrong):
    said = [what_is_wrong(*words) for line in shell_lines(page) for words in simple_commands(line)]
    assert said[-1:] == ([] if wrong is None else [wrong])
    assert what_is_wrong("make", "nothing-there")


@pytest.mark.slow
def test_the_demo_in_the_simulators_readme_is_what_the_demo_prints(capsys):
    assert command_line.main(["demo"]) == 0
    printed = capsys.readouterr().out.splitlines()
    lamps = re.compile(r" 1\S{4} +2\S{4} |^\d+ inputs ")
    shown = [line for line in code("host_sim/README.md") if lamps.search(line)]
    assert len(shown) > 4
    for line in shown:
        pieces = line.split()
        assert any(all(piece in said.split() for piece in pieces) for said in printed), line


def test_the_grammar_of_table_scripts_has_the_words_there_are():
    from host_sim.board.hub import position_setup, table_script

    block = text("host_sim/README.md").split("    line     =")[1].split("    tag      =")[0]
    rules = re.split(r"^    (\w+) +=", block, flags=re.MULTILINE)
    words_of = {
        name: re.findall(r'"([a-z-]+)"', rule) for name, rule in zip(rules[1::2], rules[2::2])
    }
    lines = {*words_of["setup"], "given", *words_of["input"], "expect"}
    assert lines == set(table_script.WORDS)
    assert set(words_of["given"]) == {"given", "out", *position_setup.PositionSetup.GIVEN}
    others = {"expect", "ok", "refused", "yes", "no"}
    assert set(words_of["expect"]) == others | set(table_script.EXPECT)


# ---- words of the console ----


def table(page, heading):
    """Return the code in the first cells of the table under a heading."""
    part = text(page).split("\n%s\n" % heading)[1].split("\n#")[0]
    rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row)]


def test_the_words_for_what_an_input_was_are_those_the_firmware_says():
    told = table("firmware/REFERENCE.md", "### What an input was")
    written = [text(name) for name in TRACKED if re.match(r"firmware/roundhouse/.*\.py", name)]
    said = {
        word
        for source in written
        for word in re.findall(
            r"\b(?:put_input|note|moved)\((?:[^\"()]|\([^()]*\))*\"([a-z-]+)\"\)", source
        )
    }
    assert {"laid", "joined", "took-back", "showed"} <= said
    assert said <= set(told)
    assert not [word for word in told if not any('"%s"' % word in source for source in written)]


def test_the_examples_of_the_console_are_what_it_says():
    """A hub prints each complete console line in REFERENCE.md, except for the lamps."""
    page = text("firmware/REFERENCE.md")
    shown = [
        json.loads(line) for line in re.findall(r'^    ({"input": .*?})$', joined(page), re.M)
    ]
    assert len(shown) == 2
    for house, seats, taps, line in (
        ("puremco", 4, "12-12 2, 12-5 2, 12-4 2", shown[0]),
        ("classic", 3, "9-9 2, 9-5 1, 5-5 1, 5-8 7, 9-12 5, 12-8 5, 12-5 3", shown[1]),
    ):
        board = SimulatedHub()
        board.command("house " + house)
        for seat in range(1, seats + 1):
            board.press(str(seat))
        for tap in taps.split(", "):
            said = board.tap(*tap.split())
        lit = {"lamps": line["lamps"]}  # they show how long ago something was
        assert {**said, **lit} == line
        assert list(said) == list(line)


def joined(page):
    """Return a page in which lines of an example that end with a comma are joined to the next."""
    return re.sub(r",\n +(?=\")", ", ", page)


# ---- form ----


def test_the_first_page_is_short():
    lines = text("README.md").splitlines()
    assert len(lines) <= 100
    assert [line for line in lines if len(line) > 100] == []


def test_the_first_pages_table_script_runs(tmp_path):
    lines = re.findall(r"(?m)^    (house .*(?:\n    .*)+)", text("README.md"))[0]
    script = tmp_path / "first.table"
    script.write_text(re.sub(r"(?m)^    ", "", lines) + "\n")
    assert command_line.main(["script", str(script)]) == 0
    assert len(lines.splitlines()) == 5 and "expect turn 2" in lines


def test_the_first_pages_figures_stand_beside_their_commands():
    special = text("README.md").split("## What is special")[1].split("**Words.**")[0]
    figures = re.findall(r"\d[\d,]*", special)
    measured = text("tests/README.md")
    assert len(figures) > 3
    assert [n for n in figures if not re.search(r"(?<![\d,])%s(?![\d,])" % n, measured)] == []
    sizes = [line for line in text("Makefile").splitlines() if "setting up" in line]
    for n in re.findall(r"(\d+) MB|, (\d+) more", text("README.md")):
        assert any(" %s MB " % "".join(n) in line for line in sizes)


def test_files_are_as_editors_are_told():
    for name in TRACKED:
        made = name.startswith(
            ("hardware/hub12/", "hardware/hub16/", "hardware/slot/")
        ) or name.endswith((".svg", ".png", ".xz"))
        if made:
            continue
        data = (ROOT / name).read_bytes()
        data.decode("utf-8")
        assert b"\r" not in data, name
        assert not data or data.endswith(b"\n"), name
        assert not re.search(rb"[ \t]\n", data), name


@pytest.mark.parametrize(
    "page", [name for name in PAGES if re.search(r"(README|GUIDE|RULES|REFERENCE)\.md$", name)]
)
def test_lines_are_not_wide(page):
    """No line of a page is wider than 100 characters.

    Except on the first page, tables, output and generated blocks may be wider.
    """
    lines = text(page)
    if page != "README.md":
        lines = re.sub(r"(?s)<!-- \w+: .*?<!-- end -->", "", lines)
        lines = re.sub(r"(?m)^(\||    ).*", "", lines)
    wide = [line for line in lines.splitlines() if len(line) > 100]
    assert not wide, "\n".join(wide)


# ---- docstrings ----


def test_every_module_says_what_it_is_for():
    modules = [name for name in TRACKED if name.endswith(".py")]
    silent = [name for name in modules if not ast.get_docstring(ast.parse(text(name)))]
    assert not silent, "\n".join(silent)


def test_readme_names_the_projects_address_as_soon_as_there_is_one():
    text = (ROOT / "README.md").read_text()
    home = release_folder.address(ROOT)
    assert home in text if home else "`make site` makes it" in text
