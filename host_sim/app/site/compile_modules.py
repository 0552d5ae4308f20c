# SPDX-License-Identifier: MIT
"""Compiles Python modules with the same Python that runs in the browser. compile_modules.mjs runs
this program.

It compiles all modules of the page, and the modules of the standard library that the page imports
when it starts.
"""

import importlib
import py_compile
import sys
import zipfile
from collections.abc import Collection
from pathlib import Path

ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # time of each file, so that builds are identical


def compile_archive(archive: str, folder: Path, modules: Collection[str]) -> None:
    """Write an archive again, with some of its modules compiled.

    folder: the files of the archive, unpacked
    modules: the modules to compile, such as `json/decoder.py`
    """
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_file() or "__pycache__" in path.parts:
                continue
            if name in modules:
                unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
                compiled = "/compiled.pyc"
                py_compile.compile(str(path), compiled, name, True, invalidation_mode=unchecked)
                path, name = Path(compiled), name + "c"
            info = zipfile.ZipInfo(name, ZIP_TIME)
            out.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def imported_from(archive: str) -> set[str]:
    """Return the files of an archive that this program has imported."""
    files = (getattr(module, "__file__", None) or "" for module in sys.modules.values())
    return {file.partition(archive + "/")[2] for file in files if archive + "/" in file}


def main() -> None:
    """Compile the modules in /stdlib.zip and /archive.zip."""
    page, stdlib = Path("/page"), Path("/stdlib")
    zipfile.ZipFile("/archive.zip").extractall(page)
    zipfile.ZipFile("/stdlib.zip").extractall(stdlib)
    sys.path.insert(0, str(page))
    importlib.import_module("host_sim.app.site.browser_app")
    (library,) = (Path(path).name for path in sys.path if path.endswith(".zip"))
    compile_archive("/stdlib.zip", stdlib, imported_from(library))
    modules = {path.relative_to(page).as_posix() for path in page.rglob("*.py")}
    compile_archive("/archive.zip", page, modules)


if __name__ == "__main__":
    main()
