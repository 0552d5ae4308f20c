// SPDX-License-Identifier: MIT
// Runs match_lines.py in the browser's Python. Arguments: the folder of the site, that file,
// recorded exports.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file, ...exports] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`));
const lock = readFileSync(`${folder}/build.js`, "utf8").replace(
  "self.ROUNDHOUSE",
  "globalThis.site",
);
new Function(lock)();
const python = await loadPyodide({ lockFileContents: globalThis.site.lock });
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/roundhouse.zip`)), "zip", {
  extractDir: "/roundhouse",
});
python.FS.writeFile("/roundhouse/match_lines.py", readFileSync(file, "utf8"));
python.runPython("import sys; sys.path.insert(0, '/roundhouse'); import host_sim");
const lines = python.pyimport("match_lines");
const results = [];
for (const match of lines.MATCHES.toJs()) results.push(lines.played(...match));
for (const one of exports) results.push(lines.replayed(readFileSync(one, "utf8")));
process.stdout.write(JSON.stringify(results));
