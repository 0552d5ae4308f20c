// SPDX-License-Identifier: MIT
// Compiles the Python modules of the page: node compile_modules.mjs PYODIDE STDLIB ARCHIVE. Both
// archives are replaced. The Python of the browser compiles them, because compiled modules work
// with that version only.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, ...files] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: pyodide });
const names = ["/stdlib.zip", "/archive.zip"];
names.forEach((name, at) => python.FS.writeFile(name, readFileSync(files[at])));
python.runPython(readFileSync(new URL("compile_modules.py", import.meta.url), "utf-8"));
names.forEach((name, at) => writeFileSync(files[at], python.FS.readFile(name)));
