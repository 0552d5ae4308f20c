// SPDX-License-Identifier: MIT
// Python in a worker: it loads, gets what the page sends, and answers with pieces. Between two
// inputs nothing runs, but for the timer of what moves by itself.
import "./build.js";
import { Store, hold } from "./store.js";

const site = self.ROUNDHOUSE;
const MATCHES = "/matches";

let screen = null; // host_sim.site.in_browser.BrowserPage
let store = null;
let kept = Promise.resolve();
let timer = 0;

self.onmessage = ({ data: { hello, takeOver, event, cable } }) => {
  if (hello) begin(hello, takeOver).catch((error) => postMessage({ failed: String(error) }));
  else if (!screen) return;
  else if (event) act(() => screen.take(event));
  else if (cable?.bytes) act(() => screen.heard(cable.bytes));
  else if (cable) act(() => screen.plugged(Boolean(cable.opened)));
};

async function begin(hello, takeOver) {
  const mine = await hold(takeOver, gone);
  // a match that a link carries can be looked at beside the table of another tab
  if (!mine && !hello.match) return postMessage({ elsewhere: true });
  const files = mine ? await stored() : [];
  const python = await load();
  for (const [path, bytes] of files) {
    const name = `${MATCHES}/${path}`;
    python.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    python.FS.writeFile(name, bytes);
  }
  const folder = mine ? MATCHES : "";
  const screens = python.pyimport("host_sim.site.in_browser");
  screen = screens.BrowserPage(JSON.stringify({ ...hello, folder, keeps: store ? "yes" : "" }));
  postMessage({ ready: true });
  act(() => screen.news());
}

async function stored() {
  try {
    store = await Store.open();
    return await store.files();
  } catch (error) {
    console.warn(error); // a private window, say: the page tells that nothing is kept
    return [];
  }
}

// ---- loading ----

async function load() {
  countBytes();
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const indexURL = new URL("pyodide/", self.location).href;
  const archive = fetch("roundhouse.zip").then((answer) => answer.arrayBuffer());
  const [python, ours] = await Promise.all([
    loadPyodide({ indexURL, lockFileContents: site.lock, stdLibURL: `${indexURL}python_stdlib.zip` }),
    archive,
  ]);
  python.unpackArchive(ours, "zip", { extractDir: "/roundhouse" });
  python.runPython("import sys; sys.path.insert(0, '/roundhouse')");
  return python;
}

// What is fetched is counted on its way, and has the type that a plain server may not know.
function countBytes() {
  const plain = self.fetch;
  const whole = Object.values(site.sizes).reduce((sum, size) => sum + size);
  let loaded = 0;
  let told = -1;
  self.fetch = async (what, how) => {
    const answer = await plain(what, how);
    const name = Object.keys(site.sizes).find((name) => answer.url.endsWith(name));
    if (!name || !answer.ok || !answer.body) return answer;
    const counted = answer.body.pipeThrough(new TransformStream({
      transform(part, out) {
        loaded += part.length;
        if (Math.floor((100 * loaded) / whole) > told) {
          told = Math.floor((100 * loaded) / whole);
          postMessage({ loaded: loaded / whole });
        }
        out.enqueue(part);
      },
    }));
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/zip";
    return new Response(counted, { headers: { "Content-Type": type } });
  };
}

// ---- an input, and time ----

function act(what) {
  clearTimeout(timer);
  const messages = JSON.parse(what());
  if (messages.length) postMessage({ messages });
  keep();
  const due = screen.due();
  if (due !== undefined) timer = setTimeout(() => act(() => screen.step()), 1000 * due);
}

function keep() {
  if (!store) return;
  const changed = screen.changed();
  const files = changed.toJs({ dict_converter: (pairs) => new Map(pairs) });
  changed.destroy();
  if (!files.size) return;
  kept = kept.then(() => store.keep(files)).then(
    (ours) => {
      if (!ours) gone(); // not waited for: it waits for this
    },
    (error) => {
      console.warn(error);
      if (screen) postMessage({ messages: JSON.parse(screen.not_kept()) });
    },
  );
}

// Another tab has the matches now.
async function gone() {
  clearTimeout(timer);
  screen = null;
  await kept;
  postMessage({ elsewhere: true });
  self.close();
}
