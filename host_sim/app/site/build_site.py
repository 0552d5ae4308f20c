# SPDX-License-Identifier: MIT
"""Builds the page as a folder of static files; `make site` builds it into build/site."""

import hashlib
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from host_sim.app import page
from host_sim.app.site.compile_modules import ZIP_TIME
from host_sim.app.views import whole_languages
from host_sim.app.views.i18n import LANGUAGES, Translator

ROOT = Path(__file__).resolve().parents[3]
PYODIDE = ROOT / ".venv" / "site" / "node_modules" / "pyodide"
STATIC = Path(page.__file__).with_name("static")
COMPILE = Path(__file__).with_name("compile_modules.mjs")
SITE_STATIC = Path(__file__).with_name("static")
# files of this repository that run in the browser
SOURCES = (
    *("firmware", "host_sim/__init__.py", "host_sim/table"),
    *("host_sim/board/" + name for name in ("__init__.py", "chips", "hub")),
    *("host_sim/app/" + name for name in ("__init__.py", "views", "handouts", "players")),
    *("host_sim/app/" + name for name in ("people", "session", "page", "site")),
)
# third-party packages in pure Python: distribution -> the file or folder that is copied
PACKAGES = {
    "adafruit-circuitpython-neopixel": "neopixel.py",
    "adafruit-circuitpython-pixelbuf": "adafruit_pixelbuf.py",
    "htpy": "htpy",
    "markupsafe": "markupsafe",
    "ndeflib": "ndef",
}
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
MEASURED = ("pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "roundhouse.zip")
# sentences that the page shows before Python has started, or without it
SENTENCES = (
    *(
        "site.loading",
        "site.starting",
        "site.old",
        "site.from_disk",
        "site.broke",
        "site.no_network",
        "site.elsewhere",
    ),
    *("site.one_tab", "site.here", "site.no_cable", "site.copied"),
)
SECURITY_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data: blob:; media-src 'self' data:; object-src 'none'; base-uri 'none';"
    " form-action 'none'"
)
LICENCES = Path(__file__).with_name("licences")
# components compiled into Pyodide: licence file -> name
COMPILED_IN = {
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
ABOUT_PYTHON = """Pyodide %s, Python compiled for the browser: the files in pyodide/. They are
unchanged, except that in python_stdlib.zip some modules are compiled.
Copyright (c) the Pyodide contributors and Mozilla. Its source is at %s.
It contains, each with a file of its own beside this one:

%s

The licence of Pyodide itself:

%s"""
ASSIGNMENT = "self.ROUNDHOUSE = "


def build(folder: str | Path, node: Path | None = None, pyodide: Path = PYODIDE) -> dict[str, int]:
    """Build the page in an empty folder; return {file: size in bytes}.

    node: the program that compiles the Python modules; None to leave them uncompiled
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for path in [*STATIC.iterdir(), *SITE_STATIC.iterdir()]:
        if path.name not in ("page.html", "transport.js") or path.parent == SITE_STATIC:
            shutil.copyfile(path, folder / path.name)
    (folder / "index.html").write_text(index_html(), encoding="utf-8")
    (folder / "pyodide").mkdir(exist_ok=True)
    for name in PYODIDE_FILES:
        shutil.copyfile(pyodide / name, folder / "pyodide" / name)
    write_archive(folder / "roundhouse.zip")
    if node:
        compile_modules(folder, node, pyodide)
    write_licences(folder / "licences", pyodide)
    (folder / "build.js").write_text(build_js(folder, pyodide), encoding="utf-8")
    return sizes(folder)


def listed(folder: str | Path) -> dict[str, None]:
    """Return {file: None} for the files that an earlier build's build.js lists; {} if there is no
    such list."""
    try:
        return dict.fromkeys(_description(folder)["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def version_in(folder: str | Path) -> str:
    """Return the version of the build in a folder."""
    return str(_description(folder)["version"])


def _description(folder: str | Path) -> dict[str, Any]:
    text = (Path(folder) / "build.js").read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text.partition(ASSIGNMENT)[2].rstrip().rstrip(";")))


def sizes(folder: Path) -> dict[str, int]:
    """Return {file: size in bytes} for the files in a folder, sorted by name."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in paths}


def index_html() -> str:
    """Return page.html with the site's scripts added."""
    text = (STATIC / "page.html").read_text(encoding="utf-8")
    head = '<meta http-equiv="Content-Security-Policy" content="%s">\n' % SECURITY_POLICY
    head += '<script src="build.js"></script>\n<script src="browser_support.js"></script>\n</head>'
    return text.replace("</head>", head)


def write_archive(path: Path) -> None:
    """Write all Python files that run in the browser into a zip archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, file in sorted(python_files()):
            archive.writestr(
                zipfile.ZipInfo(name, ZIP_TIME), file.read_bytes(), zipfile.ZIP_DEFLATED
            )


def compile_modules(folder: Path, node: Path, pyodide: Path) -> None:
    """Compile the Python modules of the page that was built in `folder`. Raises RuntimeError with
    node's output if node fails."""
    archives = folder / "pyodide" / "python_stdlib.zip", folder / "roundhouse.zip"
    command = [node, COMPILE, pyodide, *archives]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("%s failed:\n%s" % (COMPILE.name, done.stdout + done.stderr))


def python_files() -> Iterator[tuple[str, Path]]:
    """Yield (name in the archive, file) for every Python file that runs in the browser."""
    for source in SOURCES:
        yield from _python_below(ROOT / source, ROOT)
    for package, name in PACKAGES.items():
        path = Path(str(metadata.distribution(package).locate_file(name)))
        yield from _python_below(path, path.parent)


def _python_below(path: Path, base: Path) -> Iterator[tuple[str, Path]]:
    for file in [path] if path.is_file() else sorted(path.rglob("*")):
        if file.suffix in (".py", ".toml") and "__pycache__" not in file.parts:
            yield file.relative_to(base).as_posix(), file


def write_licences(folder: Path, pyodide: Path) -> None:
    """Write the licence of each third-party component into a file of its own."""
    folder.mkdir(exist_ok=True)
    shutil.copyfile(ROOT / "LICENSE", folder / "roundhouse.txt")
    about = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))
    parts = "\n".join("- %s: %s.txt" % (part, name) for name, part in COMPILED_IN.items())
    mpl = (LICENCES / "mpl-2.0.txt").read_text(encoding="utf-8")
    text = ABOUT_PYTHON % (about["version"], about["homepage"], parts, mpl)
    (folder / "pyodide.txt").write_text(text, encoding="utf-8")
    for path in STATIC.glob("*.js"):
        vendored = re.match(r"/\*!\n(.*?)\*/", path.read_text(encoding="utf-8"), re.S)
        if vendored:
            (folder / (path.stem + ".txt")).write_text(vendored[1], encoding="utf-8")
    for name in COMPILED_IN:
        shutil.copyfile(LICENCES / (name + ".txt"), folder / (name + ".txt"))
    for package in PACKAGES:
        distribution = metadata.distribution(package)
        texts = [
            file.read_text(encoding="utf-8")
            for file in distribution.files or ()
            if re.search(r"licen[sc]e|copying", file.name, re.I) and file.suffix != ".py"
        ]
        licence = distribution.metadata["License-Expression"] or distribution.metadata["License"]
        title = "%s %s, %s\n\n" % (package, distribution.version, licence)
        (folder / (package + ".txt")).write_text(title + "\n".join(texts), encoding="utf-8")


def build_js(folder: Path, pyodide: Path) -> str:
    """Return the text of build.js, which describes this build to the page's JavaScript."""
    files = sizes(folder)
    files.pop("build.js", None)
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files}
    digest = hashlib.sha256(repr(digests).encode())
    words = {
        language: {key.partition(".")[2]: _unfilled(language, key) for key in SENTENCES}
        for language in LANGUAGES
    }
    digest.update(json.dumps(words).encode())
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    description = {
        "version": digest.hexdigest()[:16],
        "sizes": {name: files[name] for name in MEASURED},
        "files": {**digests, "build.js": ""},  # a file cannot have its own
        "lock": json.dumps({"info": lock["info"], "packages": {}}),
        "words": words,
        "whole": whole_languages.WHOLE,  # what a browser's own language may be
    }
    text = json.dumps(description, ensure_ascii=False, indent=1)
    return "// SPDX-License-Identifier: MIT\n%s%s;\n" % (ASSIGNMENT, text)


def _unfilled(language: str, key: str) -> str:
    names = {name: "{%s}" % name for name in ("percent", "step", "steps", "what", "why")}
    return Translator(language)(key, **names)
