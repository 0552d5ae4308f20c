// SPDX-License-Identifier: MIT
// Runs Python in a worker: loads it, passes on what the page sends, and posts the answers. Between
// two inputs nothing runs except a timer for what moves by itself.
import "./build.js";
import { FileStorage, acquireLock } from "./storage.js";

const site = self.ROUNDHOUSE;
const MATCHES = "/matches";

let page = null; // host_sim.app.site.browser_app.BrowserPage
let storage = null;
let written = Promise.resolve();
let timer = 0;

self.onmessage = ({ data: { hello, takeOver, event, serial } }) => {
  if (hello) begin(hello, takeOver).catch((error) => postMessage({ failed: String(error) }));
  else if (!page) return;
  else if (event) run(() => page.handle(event));
  else if (serial?.bytes) run(() => page.receive(serial.bytes));
  else if (serial) run(() => page.set_connected(Boolean(serial.opened)));
};

async function begin(hello, takeOver) {
  // a browser that refuses locks keeps nothing that another tab could spoil
  const hasLock = await acquireLock(takeOver, end).catch(() => true);
  // without the lock a match from a link can still be looked at
  if (!hasLock && !hello.match) return postMessage({ elsewhere: true });
  const files = hasLock ? await storedFiles() : [];
  const python = await loadPython();
  reportStep(3);
  for (const [path, bytes] of files) {
    const name = `${MATCHES}/${path}`;
    python.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    python.FS.writeFile(name, bytes);
  }
  const folder = hasLock ? MATCHES : "";
  const { BrowserPage } = python.pyimport("host_sim.app.site.browser_app");
  page = BrowserPage(JSON.stringify({ ...hello, folder, keeps: storage ? "yes" : "" }));
  postMessage({ ready: true });
  run(() => page.messages());
}

async function storedFiles() {
  try {
    storage = await FileStorage.open();
    return await storage.files();
  } catch (error) {
    console.warn(error); // a private window, for example: the page shows that nothing is kept
    return [];
  }
}

// ---- loading ----

async function loadPython() {
  reportLoading();
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const indexURL = new URL("pyodide/", self.location).href;
  const stdLibURL = `${indexURL}python_stdlib.zip`;
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL, lockFileContents: site.lock, stdLibURL }),
    fetch("roundhouse.zip").then((response) => response.arrayBuffer()),
  ]);
  reportStep(2);
  python.unpackArchive(archive, "zip", { extractDir: "/roundhouse" });
  python.runPython("import sys; sys.path.insert(0, '/roundhouse')");
  return python;
}

/** Say which step of the start begins: 1 Python, 2 its files, 3 the table. */
const reportStep = (step) => postMessage({ starting: { step, steps: 3 } });

/** Count what is fetched on its way, and give it the type that a plain server may not know. */
function reportLoading() {
  const originalFetch = self.fetch;
  const total = Object.values(site.sizes).reduce((sum, size) => sum + size);
  let loaded = 0;
  let reported = -1; // percent
  const count = (chunk, controller) => {
    loaded += chunk.length;
    const percent = Math.floor((100 * loaded) / total);
    if (percent > reported) {
      reported = percent;
      postMessage({ loaded: loaded / total });
      if (loaded >= total) reportStep(1);
    }
    controller.enqueue(chunk);
  };
  self.fetch = async (resource, options) => {
    const response = await originalFetch(resource, options);
    const name = Object.keys(site.sizes).find((file) => response.url.endsWith(file));
    if (!name || !response.ok || !response.body) return response;
    const body = response.body.pipeThrough(new TransformStream({ transform: count }));
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/zip";
    return new Response(body, { headers: { "Content-Type": type } });
  };
}

// ---- an input, and time ----

/** Call Python, save its files, post its messages, and set the timer for what it does next. */
function run(call) {
  clearTimeout(timer);
  const messages = JSON.parse(call());
  save();
  if (messages.length) written.then(() => postMessage({ messages })); // what it says is kept is
  const due = page.due();
  if (due !== undefined) timer = setTimeout(() => run(() => page.step()), 1000 * due);
}

function save() {
  if (!storage) return;
  const changed = page.take_changed_files();
  const files = changed.toJs({ dict_converter: (pairs) => new Map(pairs) });
  changed.destroy();
  if (!files.size) return;
  written = written
    .then(() => storage.write(files))
    .then(
      (isOurs) => {
        if (!isOurs) end(); // not awaited: it waits for this
      },
      (error) => {
        console.warn(error);
        if (page) postMessage({ messages: JSON.parse(page.report_storage_failure()) });
      },
    );
}

/** Another tab has the matches now. */
async function end() {
  clearTimeout(timer);
  page = null;
  await written;
  postMessage({ elsewhere: true });
  self.close();
}
