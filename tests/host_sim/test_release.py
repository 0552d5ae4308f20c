# SPDX-License-Identifier: MIT
"""The release folder, which works without this checkout."""

import contextlib
import functools
import hashlib
import http.server
import io
import json
import os
import re
import struct
import threading
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from page_browsers import TIMEOUT_MS, needs_browser

from host_sim.__main__ import main
from host_sim.app.site import build_site
from host_sim.board.chips import flash_image
from host_sim.board.pico import build_firmware
from host_sim.command_line import preflight
from host_sim.command_line.output_folder import LIST
from host_sim.commands import release
from host_sim.maker import documents, mip_package, release_folder
from roundhouse import VERSION

needs_page = pytest.mark.skipif(
    not preflight.is_available("pyodide"), reason="no Python for the browser: make site"
)
needs_tree = pytest.mark.skipif(
    not build_firmware.can_freeze(),
    reason="no build tree: `make micropython` makes it (on Debian)",
)


A4 = (595, 842)


def pages_of(pdf):
    """Return the sizes of a PDF's pages in points, the shorter side first; of a page that was
    scaled later, the last one."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    sizes = [tuple(sorted(round(float(side)) for side in box)) for box in boxes]
    return {sizes[-1]} if b"/Prev " in pdf else {*sizes}


def inside(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def write(folder, *names, text="x"):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def compiled(monkeypatch):
    """Skip the slow compilation of modules. Return a list that gets the folders that would be
    compiled."""
    found = []
    monkeypatch.setattr(build_site, "compile_modules", lambda folder, *_: found.append(folder))
    return found


class Released(NamedTuple):
    """A release that was made twice, in a folder that also has a file of another origin."""

    folder: Path
    attached: Path
    names: set[str]  # of its files
    said: str
    compiled: list[str]


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder, attached = (tmp_path_factory.mktemp("all") / name for name in ("release", "attached"))
    write(folder, "site/letter.txt", text="mine")
    compiled = []
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as said:
        patch.setattr(build_site, "compile_modules", lambda to, *_: compiled.append(to.name))
        with patch.context() as without:  # the first one is not printed
            without.setattr(documents, "browser", lambda: None)
            assert main(["release", str(folder), "--attach", str(attached)]) == 0
        assert main(["release", str(folder), "--attach", str(attached)]) == 0  # in its place
    names = inside(folder) - {"site/letter.txt"}
    return Released(folder, attached, names, said.getvalue(), compiled)


@pytest.mark.slow
@needs_page
def test_everything_is_there_and_is_what_its_checksum_says(released):
    folder, attached, names, said, compiled = released
    assert compiled == ["site", "site"]
    uf2 = "roundhouse.uf2" if build_firmware.can_freeze() else "roundhouse-files.uf2"
    wanted = ("site/index.html", "mip/package.json", uf2, "players.html", "players.de.html")
    assert {*wanted, "guide/GUIDE.html", "guide/BOM.html", "guide/tick-list.html"} <= names
    assert "guide/tray.html" in names
    listed = dict(
        reversed(line.split("  ", 1)) for line in (folder / "SHA256SUMS").read_text().splitlines()
    )
    assert set(listed) == names - {"SHA256SUMS", LIST}
    for name, checksum in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == checksum, name
    start = (folder / "START.txt").read_text()
    assert VERSION in start and "No hub has been built yet" in start
    assert max(map(len, start.splitlines())) <= 96
    assert "files" in said
    assert ("make micropython" in said) != ("\nroundhouse.uf2\n" in start)
    assert release.NO_BROWSER in said, "by the first one"
    printed = {name for name in names if name.endswith(".pdf")}
    if documents.browser():
        assert {"players.fr.pdf", "guide/GUIDE.pdf", "guide/BOM.pdf"} <= printed
        for name in printed:
            pdf = (folder / name).read_bytes()
            assert pdf.startswith(b"%PDF-"), name
            assert pages_of(pdf) == {A4}, name
    archives = inside(attached) - {LIST}
    base = "roundhouse-" + VERSION
    assert {base + ".zip", base + "-site.zip", base + "-guides.zip", "SHA256SUMS"} <= archives
    assert {name for name in archives if name.endswith(".uf2")}
    with zipfile.ZipFile(attached / (base + ".zip")) as archive:
        assert {*archive.namelist()} == {base + "/" + name for name in names - {LIST}}


def test_what_mip_installs(tmp_path):
    """mip installs exactly the compiled modules and main.py, and no config.py."""
    mip_package.write(tmp_path)
    about = json.loads((tmp_path / "package.json").read_text())
    assert about["version"] == VERSION
    assert all(to == there for to, there in about["urls"])
    files = {to: (tmp_path / there).read_bytes() for to, there in about["urls"]}
    expected = build_firmware.firmware()
    assert "config.py" in expected and {**files, "config.py": expected["config.py"]} == expected
    assert inside(tmp_path) == {*files, "package.json"}


@pytest.mark.slow
@needs_page
def test_every_link_of_its_pages_leads_to_a_file(released):
    folder = released.folder
    for page in ("index.html", "guide/GUIDE.html", "guide/BOM.html"):
        text = (folder / page).read_text()
        targets = re.findall(r'(?:href|src)="([^"#:]+)(?:#[^"]*)?"', text)
        assert targets, page
        for target in targets:
            assert (folder / page).parent.joinpath(target).is_file(), (page, target)
        inner = re.findall(r'href="#([^"]+)"', text)
        assert all('id="%s"' % anchor in text for anchor in inner), page
    index = (folder / "index.html").read_text()
    linked = {*re.findall(r'href="([^"]+)"', index)}
    players = "players.fr." + ("pdf" if documents.browser() else "html")
    assert {"site/index.html", players, "guide/GUIDE.html", "guide/BOM.html"} <= linked
    assert any(name.endswith(".uf2") for name in linked)


@pytest.mark.slow
@needs_page
def test_nothing_of_somebody_elses_is_taken_away(released):
    assert (released.folder / "site" / "letter.txt").read_text() == "mine"


@pytest.mark.slow
@needs_page
def test_the_site_is_made_alone_too(tmp_path, capsys, compiled):
    assert main(["site", str(tmp_path / "site")]) == 0
    assert {"index.html", "roundhouse.zip"} <= inside(tmp_path / "site") and len(compiled) == 1
    assert "site" in capsys.readouterr().out


# ---- the first page ----


def triangle():
    corners = struct.pack("<9f", 0, 0, 0, 0.1, 0, 0, 0, 0.1, 0)
    places = {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}
    scene = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{**places, "min": [0, 0, 0], "max": [0.1, 0.1, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": len(corners)}],
        "buffers": [{"byteLength": len(corners)}],
    }
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    parts = struct.pack("<I4s", len(text), b"JSON") + text
    parts += struct.pack("<I4s", len(corners), b"BIN\0") + corners
    return struct.pack("<4sII", b"glTF", 2, 12 + len(parts)) + parts


@pytest.fixture
def tab(chromium):
    with chromium.new_page() as found:
        yield found


@pytest.mark.slow
@needs_browser
@pytest.mark.skipif(not release.viewer_modules().is_dir(), reason="no viewer: `make tools`")
def test_a_board_turns_on_the_first_page(tmp_path, tab):
    """The first page shows a board that turns, and asks no server except its own."""
    board = tmp_path / "hardware" / "hub12" / "hub12.glb"
    board.parent.mkdir(parents=True)
    board.write_bytes(triangle())
    assert release.viewer(tmp_path) == []
    assert "three.txt" in "".join(inside(tmp_path / "viewer"))
    text = release_folder.index_page(tmp_path, "1.2", "commit abc", "https://example.com/x", {})
    (tmp_path / "index.html").write_text(text)
    assert 'href="https://example.com/x"' in text
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path)
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        here = "http://127.0.0.1:%d/" % server.server_port
        tab.goto(here)
        tab.wait_for_function("document.querySelector('model-viewer').loaded", timeout=TIMEOUT_MS)
        server.shutdown()
    assert here + "hardware/hub12/hub12.glb" in asked
    assert [url for url in asked if not url.startswith((here, "blob:", "data:"))] == []


@pytest.mark.slow
@pytest.mark.skipif(not documents.browser(), reason="no browser that can print")
def test_a_page_of_the_guide_is_printed_on_a4(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(documents.page_of("# A page\n\n" + "A line.\n\n" * 100))
    documents.print_pdf(documents.browser(), page, tmp_path / "page.pdf")
    assert pages_of((tmp_path / "page.pdf").read_bytes()) == {A4}


def test_the_first_page_shows_the_hub_and_leads_to_wiring_and_mip(tmp_path):
    wiring = [path.name for path in (preflight.ROOT / "hardware" / "wiring").glob("*.svg")]
    assert len(wiring) == 4
    write(tmp_path, release_folder.HUB, "mip/package.json")
    write(tmp_path, *("hardware/" + name for name in wiring))
    release.guide(preflight.ROOT / "hardware", tmp_path / "guide")
    assert (tmp_path / release_folder.HUB).stat().st_size > 10_000, "the guide's picture"
    text = release_folder.index_page(tmp_path, "1.2", "commit abc", None, {})
    assert '<img src="%s"' % release_folder.HUB in text
    for link in ("mip/package.json", *("hardware/" + name for name in wiring)):
        assert 'href="%s"' % link in text


@pytest.mark.slow
@needs_browser
def test_what_the_first_page_does_by_a_double_click(tmp_path, tab):
    """Its picture is shown and its guide opens; the sentence about the rest is there."""
    release.guide(preflight.ROOT / "hardware", tmp_path / "guide")
    text = release_folder.index_page(tmp_path, "1.2", "commit abc", None, {})
    (tmp_path / "index.html").write_text(text)
    tab.goto((tmp_path / "index.html").as_uri())
    assert tab.evaluate("document.querySelector('img').naturalWidth") > 100
    assert "python3 -m http.server" in tab.inner_text("body")
    with tab.expect_navigation():
        tab.click("a[href='guide/GUIDE.html']")
    assert tab.title() == "Building a Roundhouse hub"
    assert tab.evaluate("[...document.images].every(image => image.naturalWidth)")


def test_without_what_turns_it_a_board_is_a_file(tmp_path, monkeypatch):
    write(tmp_path, "hardware/hub12/hub12.glb")
    monkeypatch.setattr(release, "viewer_modules", lambda: tmp_path / "none")
    assert release.viewer(tmp_path) == [release.NO_VIEWER]
    text = release_folder.index_page(tmp_path, "1.2", "commit abc", None, {})
    assert "<model-viewer" not in text and 'href="hardware/hub12/hub12.glb"' in text


# ---- MicroPython and the firmware ----


def pages(uf2):
    """Return {address in the flash: the 256 bytes there} for a UF2 file."""
    found = {}
    for at in range(0, len(uf2), 512):
        block = uf2[at : at + 512]
        assert int.from_bytes(block[20:24], "little") == at // 512
        assert int.from_bytes(block[24:28], "little") == len(uf2) // 512
        found[int.from_bytes(block[12:16], "little") - 0x10000000] = block[32 : 32 + 256]
    assert len(found) == len(uf2) // 512, "an address is there twice"
    return found


def test_blocks_are_written_whole_and_an_older_file_system_is_overwritten():
    assert len(pages(flash_image.uf2(b"\x01" * 5000, 0))) == 32
    erased = b"\xff" * 4 * flash_image.BLOCK
    first = flash_image.OFFSET // flash_image.BLOCK
    found = {at // flash_image.BLOCK for at in pages(flash_image.uf2(erased))}
    assert found == {first, first + 1}


@pytest.mark.slow
@needs_tree
def test_one_file_holds_micropython_and_the_firmware_and_no_files(tmp_path):
    write(tmp_path / "root", release.LICENCES + "/micropython.txt")
    folder = tmp_path / "release"
    folder.mkdir()
    version, said = release.firmware(tmp_path / "root", folder)
    assert version in ("1.25.0", "1.26.1") and said == []
    assert inside(folder) == {"roundhouse.uf2", "licences/micropython.txt"}
    found = pages((folder / "roundhouse.uf2").read_bytes())
    assert max(found) < flash_image.OFFSET, "config.py and the matches are behind it"
    assert [*found] == [*range(0, 256 * len(found), 256)], "from the first page on, without a gap"
    whole = b"".join(found.values())
    assert len(whole) % flash_image.BLOCK == 0 and b"roundhouse/games/match.py" in whole


@pytest.mark.slow
@pytest.mark.parametrize("lacks", ["tree", "licences"])
def test_without_a_tree_or_licences_it_is_files_alone(tmp_path, monkeypatch, lacks):
    root, folder = tmp_path / "root", tmp_path / "release"
    folder.mkdir()
    if lacks == "tree":
        write(root, release.LICENCES + "/a.txt")
        monkeypatch.setattr(build_firmware, "can_freeze", lambda: False)
    version, said = release.firmware(root, folder)
    assert said == [release.NO_IMAGE] and not version and "make micropython" in said[0]
    assert inside(folder) == {"roundhouse-files.uf2"}


# ---- board and housing ----


def made_whole(root):
    """Write stand-ins for the files that `make hardware` makes; return their folder."""
    made = root / release.HARDWARE
    for pattern, *_ in release_folder.HARDWARE_FILES:
        write(made, pattern.replace("*/*", "hub12/hub12").replace("*", "hub12"))
    return made


def test_what_hardware_makes_is_gathered_and_told(tmp_path):
    root, folder = tmp_path / "root", tmp_path / "release"
    made = made_whole(root)
    write(root / "hardware", "parts.toml")
    os.utime(root / "hardware" / "parts.toml", (1, 1))
    assert release.hardware(root, folder / "hardware") == []
    assert inside(folder / "hardware") - inside(made) == {"licences/interactivehtmlbom.txt"}
    start = release_folder.start_text(folder, "1.2", "commit abc", "")
    for pattern, what, _ in release_folder.HARDWARE_FILES:
        assert "hardware/%s\n" % pattern in start
        assert " ".join(what.split()[:4]) in start
    assert "roundhouse.uf2" not in start, "what is not there is not told"
    assert "Roundhouse 1.2, made from commit abc." in start
    assert start.count("`make hardware`, with KiCad 9") == 1, "said once"
    write(folder, "roundhouse.uf2")
    start = release_folder.start_text(folder, "1.2", "commit abc", "1.25.0")
    assert "MicroPython 1.25.0 as Debian" in start


def test_what_is_missing_of_it_or_old_is_told(tmp_path):
    root, folder = tmp_path / "root", tmp_path / "release"
    assert release.hardware(root, folder / "a") == [release.NO_HARDWARE]
    made = made_whole(root)
    write(root / "hardware", "parts.toml")
    os.utime(root / "hardware" / "parts.toml", (1 << 33, 1 << 33))
    assert release.hardware(root, folder / "b") == [release.OLDER]
    (made / "hub12" / "ibom.html").unlink()
    (said,) = release.hardware(root, folder / "c")
    assert "lacks */ibom.html:" in said and "make hardware" in said


def test_the_folder_names_the_state_of_its_sources(tmp_path):
    assert (
        release_folder.describe_source(tmp_path) == "a copy of the sources without their history"
    )
    assert re.match(r"commit [0-9a-f]{7,}", release_folder.describe_source(preflight.ROOT))
    assert release_folder.micropython_version(b"--MicroPython v1.25.0 on 2026") == "1.25.0"
    assert release_folder.micropython_version(b"else") == "of an unknown version"
