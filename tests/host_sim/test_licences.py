# SPDX-License-Identifier: MIT
"""The text of the licence comes with each part of the site and of a release."""

import hashlib
import json
import re
import subprocess
import zipfile

import pytest

from host_sim.app.site import build_site
from host_sim.app.site.build_site import COMPILED_IN, LICENCES, PACKAGES, PYODIDE
from host_sim.board.pico.node import node
from host_sim.command_line.preflight import is_available
from host_sim.commands import release

needs_pyodide = pytest.mark.skipif(not is_available("pyodide"), reason="no Pyodide: `make site`")

# By which of its names a part shows in what Pyodide exports or imports; the file of its licence.
SHOWS = {
    "cpython": r"^Py_Initialize$|^_?Py[A-Z]",
    "zlib": r"^(in|de)flate",
    "bzip2": r"^BZ2_",
    "xz": r"^lzma_",
    "zstd": r"^ZSTD_",
    "sqlite": r"^sqlite3_",
    "libffi": r"^ffi_",
    "hiwire": r"^hiwire_|^_hiwire",
    "llvm": r"^_ZN?K?St3__2|^_Unwind_|^__cxa_|^_ZS|^_ZT|^_Zn|^_Zd|^_ZN?10__cxxabi",
    "emscripten": r"^emscripten_|^_emscripten|^em_",
    "error-stack-parser": r"ErrorStackParser",
}
# The same for what is built into CPython's own modules, by the modules' names.
MODULES = {"expat": "PyInit_pyexpat", "hacl": "PyInit__blake2"}
# Libraries that other builds of Python contain: one that comes with a new Pyodide needs a licence.
OTHERS = (
    r"^SSL_|^EVP_|^mi_malloc|^uuid_generate|^rl_|^initscr|^brotli|^Brotli|^png_|^jpeg_|^xml[A-Z]"
)


def exported():
    """Return the names that Pyodide's WebAssembly module exports."""
    script = "const m = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));"
    script += "console.log(JSON.stringify(WebAssembly.Module.exports(m).map((e) => e.name)))"
    command = [node(), "-e", script, PYODIDE / "pyodide.asm.wasm"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


@needs_pyodide
def test_what_is_compiled_into_pyodide_is_licensed():
    names = [*exported(), "ErrorStackParser"]
    for part, pattern in SHOWS.items():
        assert part in COMPILED_IN
        assert any(re.search(pattern, name) for name in names), "is %s still in it?" % part
    assert "ErrorStackParser" in (PYODIDE / "pyodide.mjs").read_text()
    binary = (PYODIDE / "pyodide.asm.wasm").read_bytes()
    for part, name in MODULES.items():
        assert part in COMPILED_IN and name.encode() in binary
    new = [name for name in names if re.search(OTHERS, name)]
    assert new == [], "a part without a licence"
    assert set(COMPILED_IN) == {*SHOWS, *MODULES, "musl"}


@needs_pyodide
def test_the_site_has_the_text_of_every_licence(tmp_path):
    folder = tmp_path / "licences"
    build_site.write_licences(folder, PYODIDE)
    wanted = {"roundhouse", "idiomorph", "pyodide", *COMPILED_IN, *PACKAGES}
    assert {path.stem for path in folder.iterdir()} == wanted
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        assert len(text) > 700, path
        assert re.search(r"copyright|public domain", text, re.I), path
    assert "Mozilla Public License Version 2.0" in (folder / "pyodide.txt").read_text()


@needs_pyodide
def test_every_file_of_the_site_belongs_to_a_licence(tmp_path):
    """The licence of a file follows from its folder or, in the archive, from its package."""
    build_site.build(tmp_path)
    ours = {
        path.name for path in [*build_site.STATIC.iterdir(), *build_site.SITE_STATIC.iterdir()]
    }
    ours |= {"index.html", "build.js", "roundhouse.zip"}
    for name in build_site.sizes(tmp_path):
        top = name.split("/")[0]
        assert top in ours or top in ("pyodide", "licences"), "%s has no licence" % name
    with zipfile.ZipFile(tmp_path / "roundhouse.zip") as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert tops == {"firmware", "host_sim", *PACKAGES.values()}


def test_idiomorph_is_the_file_of_its_package():
    """Below the comment with its licence. The digest is that of dist/idiomorph.min.js, 0.8.0."""
    licence, _, code = (build_site.STATIC / "idiomorph.js").read_bytes().partition(b"*/\n")
    digest = "4cbd535caf7663a51eda9bce6595371c384fc430d54b8d414e29a61167f19f96"
    assert b"idiomorph 0.8.0" in licence and b"Permission to use" in licence
    assert hashlib.sha256(code.removesuffix(b"\n")).hexdigest() == digest


def test_the_files_are_licences():
    assert {path.stem for path in LICENCES.glob("*.txt")} == {*COMPILED_IN, "mpl-2.0"}


def test_a_release_ships_the_licence_of_the_parts_list_to_click_on(tmp_path):
    made = tmp_path / release.HARDWARE
    (made / "hub12").mkdir(parents=True)
    (made / "hub12" / "ibom.html").write_text("x")
    release.hardware(tmp_path, tmp_path / "hardware")
    text = (tmp_path / "hardware" / "licences" / "interactivehtmlbom.txt").read_text()
    assert "MIT License" in text and "Copyright" in text
