# SPDX-License-Identifier: MIT
"""Builds the page as a folder of static files: what `make site` puts into build/site."""

import hashlib
import json
import re
import shutil
import zipfile
from importlib import metadata
from pathlib import Path

from host_sim import page
from host_sim.views.i18n import LANGUAGES, Translator

ROOT = Path(__file__).resolve().parent.parent.parent
PYODIDE = ROOT / ".venv" / "site" / "node_modules" / "pyodide"
STATIC = Path(page.__file__).with_name("static")
OURS = Path(__file__).with_name("static")
# what of this repository runs in the browser
PARTS = (
    "firmware",
    *("host_sim/" + room for room in ("chips", "games", "hub", "session", "views")),
)
PARTS += ("host_sim/page", "host_sim/site", "host_sim/__init__.py")
# packages of others that are Python alone: their distribution -> what is taken of it
PACKAGES = {
    "adafruit-circuitpython-neopixel": "neopixel.py",
    "adafruit-circuitpython-pixelbuf": "adafruit_pixelbuf.py",
    "htpy": "htpy",
    "markupsafe": "markupsafe",
    "ndeflib": "ndef",
}
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
COUNTED = ("pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "roundhouse.zip")
# what is said before Python is there, or without it
SAID = ("site.loading", "site.old", "site.broke", "site.no_network", "site.elsewhere")
SAID += ("site.one_tab", "site.here", "site.no_cable", "site.copied")
SAFE = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'"
)
LICENCES = Path(__file__).with_name("licences")
# what is compiled into Pyodide: the file of its licence -> what it is
CONTAINED = {
    "cpython": "CPython and its standard library",
    "zlib": "zlib",
    "bzip2": "libbzip2",
    "xz": "liblzma of XZ Utils",
    "zstd": "Zstandard",
    "sqlite": "SQLite",
    "libffi": "libffi",
    "expat": "Expat, the XML parser",
    "hacl": "HACL*, hash functions",
    "hiwire": "hiwire",
    "musl": "musl, the C library",
    "llvm": "libc++, libc++abi, libunwind and compiler-rt of LLVM",
    "emscripten": "the run time of Emscripten",
    "error-stack-parser": "error-stack-parser and stackframe",
}
ABOUT_PYTHON = """Pyodide %s, Python compiled for the browser: the files in pyodide/, unchanged.
Copyright (c) the Pyodide contributors and Mozilla. Its source is at %s.
It contains, each with a file of its own beside this one:

%s

The licence of Pyodide itself:

%s"""
ASSIGNED = "self.ROUNDHOUSE = "
WHEN = (1980, 1, 1, 0, 0, 0)  # of every file in an archive: the same folder gives the same bytes


def build(folder, pyodide=PYODIDE):
    """Build the page in an empty folder; return {file: its size in bytes}."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for path in [*STATIC.iterdir(), *OURS.iterdir()]:
        if path.name not in ("page.html", "wire.js") or path.parent == OURS:
            shutil.copyfile(path, folder / path.name)
    (folder / "index.html").write_text(first_page(), encoding="utf-8")
    (folder / "pyodide").mkdir(exist_ok=True)
    for name in PYTHON:
        shutil.copyfile(pyodide / name, folder / "pyodide" / name)
    (folder / "roundhouse.zip").write_bytes(archive(folder / "roundhouse.zip"))
    licences(folder / "licences", pyodide)
    (folder / "build.js").write_text(described(folder, pyodide), encoding="utf-8")
    return sizes(folder)


def listed(folder):
    """Return {file: None} of what a folder's build.js lists: an older version kept no other list
    of what it wrote."""
    try:
        text = (Path(folder) / "build.js").read_text(encoding="utf-8")
        about = text.partition(ASSIGNED)[2]
        return dict.fromkeys(json.loads(about.rstrip().removesuffix(";"))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def sizes(folder):
    """Return {file: bytes} of a folder, by name."""
    paths = [path for path in sorted(Path(folder).rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in paths}


def first_page():
    """Return page.html as the site has it: it says first what an old browser lacks."""
    text = (STATIC / "page.html").read_text(encoding="utf-8")
    head = '<meta http-equiv="Content-Security-Policy" content="%s">\n' % SAFE
    head += '<script src="build.js"></script>\n<script src="check.js"></script>\n</head>'
    return text.replace("</head>", head)


def archive(path):
    """Write the Python that runs in the browser into an archive; return its bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, file in sorted(python_files()):
            made.writestr(zipfile.ZipInfo(name, WHEN), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return path.read_bytes()


def python_files():
    """Yield (name in the archive, file) of all Python that runs in the browser."""
    for part in PARTS:
        yield from _below(ROOT / part, ROOT)
    for package, name in PACKAGES.items():
        there = Path(metadata.distribution(package).locate_file(name))
        yield from _below(there, there.parent)


def _below(path, base):
    for file in [path] if path.is_file() else sorted(path.rglob("*")):
        if file.suffix in (".py", ".toml") and "__pycache__" not in file.parts:
            yield file.relative_to(base).as_posix(), file


def licences(folder, pyodide):
    """Write the licences of what others made, a file each."""
    folder.mkdir(exist_ok=True)
    shutil.copyfile(ROOT / "LICENSE", folder / "roundhouse.txt")
    about = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))
    contained = "\n".join("- %s: %s.txt" % (what, name) for name, what in CONTAINED.items())
    mpl = (LICENCES / "mpl-2.0.txt").read_text(encoding="utf-8")
    said = ABOUT_PYTHON % (about["version"], about["homepage"], contained, mpl)
    (folder / "pyodide.txt").write_text(said, encoding="utf-8")
    for name in CONTAINED:
        shutil.copyfile(LICENCES / (name + ".txt"), folder / (name + ".txt"))
    for package in PACKAGES:
        found = metadata.distribution(package)
        texts = [
            Path(found.locate_file(file)).read_text(encoding="utf-8")
            for file in found.files
            if re.search(r"licen[sc]e|copying", file.name, re.I) and file.suffix != ".py"
        ]
        said = "%s %s, %s\n\n" % (
            package,
            found.version,
            found.metadata["License-Expression"] or found.metadata["License"],
        )
        (folder / (package + ".txt")).write_text(said + "\n".join(texts), encoding="utf-8")


def described(folder, pyodide):
    """Return build.js: what the page's own JavaScript has to know of this build."""
    found = sizes(folder)
    found.pop("build.js", None)
    whole = hashlib.sha256()
    for name in found:
        whole.update(name.encode() + b"\0" + (folder / name).read_bytes())
    words = {
        language: {key.partition(".")[2]: _unfilled(language, key) for key in SAID}
        for language in LANGUAGES
    }
    whole.update(json.dumps(words).encode())
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    about = {
        "version": whole.hexdigest()[:16],
        "sizes": {name: found[name] for name in COUNTED},
        "files": sorted({*found, "build.js"}),
        "lock": json.dumps({"info": lock["info"], "packages": {}}),
        "words": words,
    }
    text = json.dumps(about, ensure_ascii=False, indent=1)
    return "// SPDX-License-Identifier: MIT\n%s%s;\n" % (ASSIGNED, text)


def _unfilled(language, key):
    """Return a sentence with its {names} as they are."""
    names = {name: "{%s}" % name for name in ("percent", "what", "why")}
    return Translator(language)(key, **names)
