// SPDX-License-Identifier: MIT
// Runs Python on the MicroPython VM. Reads one job as JSON from stdin:
//
//   vm      path of micropython.mjs
//   files   {path in the VM: content in base64}
//   script  Python source; if it defines a generator function `main`, that is run to its end
//
// Prints what the Python prints. After an uncaught exception it prints the traceback and exits with
// status 1. The first line on stderr says that the VM has started.
//
// This build of the VM collects garbage only while no Python code is running, and grows its heap
// until then. So a long script yields now and then, and garbage is collected here.

import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { pathToFileURL } from "node:url";

const HEAP = 1 << 20; // bytes, at first
const STEPS = `
_steps = iter(main() if "main" in globals() else ())
def _step():
    for _ in _steps:
        return True
    return False
`;

const job = JSON.parse(readFileSync(0, "utf8"));
const { loadMicroPython } = await import(pathToFileURL(job.vm));

let line = [];
const flush = () => {
  process.stdout.write(Buffer.from(line));
  line = [];
};
const stdout = ([byte]) => {
  line.push(byte);
  if (byte === 10) flush();
};

const vm = await loadMicroPython({ heapsize: HEAP, linebuffer: false, stdout });
for (const [path, content] of Object.entries(job.files)) {
  vm.FS.mkdirTree(dirname(path));
  vm.FS.writeFile(path, Buffer.from(content, "base64"));
}

process.stderr.write("started\n");
try {
  vm.runPython(job.script);
  vm.runPython(STEPS);
  const step = vm.globals.get("_step");
  while (step());
  flush();
} catch (error) {
  flush();
  process.stdout.write(`${error.name === "PythonError" ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
