// SPDX-License-Identifier: MIT
// Runs Python on the MicroPython VM. Reads one job as JSON from stdin:
//
//   vm      path of micropython.mjs
//   files   {path in the VM: content in base64}
//   script  Python source; where it defines a generator function `main`, that is run to its end
//   heap    bytes of a heap that `main` cannot make larger; without it the heap grows
//
// Prints what the Python prints. Exit status 1: an exception came out, and its traceback is printed.
//
// This build of the VM collects garbage only when no Python code is running, and grows its heap
// until then. So a long script yields now and then: here is where the garbage goes.

import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { pathToFileURL } from "node:url";

const HEAP = 1 << 20; // bytes to begin with
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

// What a heap would grow by comes from the memory that WebAssembly grows, or from what is free in
// it. So the one is refused, of which this build says a line each time, and the other is taken.
const LEAST = 1024; // bytes; no heap grows by so little, and calls into the VM need some
const close = ({ _malloc, _free }) => {
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError("the heap has its size");
  };
  let last = 0;
  for (let size = 1 << 24; size >= LEAST; size >>= 1) {
    for (let at = _malloc(size); at; at = _malloc(size)) last = at;
  }
  _free(last);
};

if (job.heap) console.error = () => {};
const vm = await loadMicroPython({ heapsize: job.heap || HEAP, linebuffer: false, stdout });
for (const [path, content] of Object.entries(job.files)) {
  vm.FS.mkdirTree(dirname(path));
  vm.FS.writeFile(path, Buffer.from(content, "base64"));
}

try {
  vm.runPython(job.script);
  vm.runPython(STEPS);
  const step = vm.globals.get("_step");
  if (job.heap) close(vm._module);
  while (step());
  flush();
} catch (error) {
  flush();
  process.stdout.write(`${error.name === "PythonError" ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
