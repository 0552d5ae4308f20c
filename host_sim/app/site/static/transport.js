// SPDX-License-Identifier: MIT
// The static page's transport: its pieces are made by Python in a worker of this page.
import { copy } from "./clipboard.js";
import { SerialConnection } from "./web_serial.js";

const site = self.ROUNDHOUSE;
const LONGEST = 190_000; // characters; the longest match of a hub has some ten thousand

/** As the transport of the page with a server. */
export function connect({ receive, showNotice, onOpen }) {
  if (site.isUnsupported) return { send() {} };
  let worker = null;
  let isOpen = false;
  let typedAtEnd = "";
  const serial = new SerialConnection((event) => worker.postMessage({ serial: event }));

  function start(takeOver) {
    worker = new Worker("python_worker.js", { type: "module" });
    worker.onmessage = ({ data }) => onWorkerMessage(data);
    worker.onerror = (event) => fail(event.message);
    const hello = {
      lang: site.language,
      tv: new URLSearchParams(location.search).has("tv") ? "yes" : "",
      home: location.href.split("#")[0],
      serial: SerialConnection.isSupported ? "yes" : "",
      match: takeMatch(),
    };
    worker.postMessage({ hello, takeOver });
  }

  function onWorkerMessage({ loaded, starting, messages, ready, elsewhere, failed }) {
    if (loaded !== undefined) receive({ show: { table: loadingBar(loaded) } });
    if (starting) receive({ show: { table: startingBar(starting) } });
    for (const message of messages ?? []) onPythonMessage(message);
    if (ready) begin();
    if (elsewhere) release();
    if (failed) fail(failed);
  }

  function onPythonMessage(message) {
    if (message.serial === "close") return serial.close();
    if (message.typed !== undefined) return serial.write(message.typed);
    if (message.typedAtEnd !== undefined) return (typedAtEnd = message.typedAtEnd);
    receive(message);
  }

  function begin() {
    isOpen = true;
    showNotice(null);
    onOpen();
    // offline.js and build.js must never come from the browser's own cache, as others may
    navigator.serviceWorker?.register("offline.js", { updateViaCache: "none" }).catch(() => {});
  }

  // Another tab has the matches now: this one lets go of them until it is asked to take over.
  function release() {
    isOpen = false;
    worker.terminate();
    startHub();
    serial.close();
    receive({ show: { dialog: takeOverDialog() } });
  }

  // A hub whose settings are open stands still: it starts again when this page lets go of it.
  function startHub() {
    if (typedAtEnd) serial.write(typedAtEnd);
    typedAtEnd = "";
  }

  function fail(reason) {
    console.warn(reason);
    showNotice(site.say(navigator.onLine === false && !isOpen ? "no_network" : "broke"));
  }

  // Actions that need the click or the page itself; all others are Python's.
  const actions = {
    plug: () =>
      serial
        .open()
        .catch(({ message }) => receive({ error: site.say("no_cable", { why: message }) })),
    "take-over": () => {
      receive({ show: { dialog: "" } });
      start(true);
    },
    "copy-link": copyLink,
  };

  const send = (event) => {
    const name = event.do ?? "";
    if (Object.hasOwn(actions, name)) actions[name]();
    else if (isOpen) worker.postMessage({ event: JSON.stringify(event) });
  };

  async function copyLink() {
    const field = document.querySelector("dialog input[name=link]");
    if (!field) return;
    const isCopied = await copy(field.value);
    if (isCopied) return receive({ error: site.say("copied") });
    field.select(); // Ctrl-C does it
    send({ do: "not-copied" });
  }

  addEventListener("hashchange", () => {
    const text = takeMatch();
    if (text) send({ do: "look-at-link", fields: { text } });
  });
  addEventListener("pagehide", startHub);
  onFileDrop((text) => send({ do: "look-at", fields: { text } }));
  start(false);
  return { send };
}

/** Return the match that a link carries, or "". It is removed from the address, or a reload would
 * show it again. */
function takeMatch() {
  const text = /^#match=(.*)$/.exec(location.hash)?.[1] ?? "";
  if (text) history.replaceState(null, "", location.pathname + location.search);
  return text.length > LONGEST ? "-" : text;
}

function onFileDrop(open) {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    open(file.size > LONGEST ? "" : await file.text());
  });
}

const loadingBar = (share) =>
  progressBar(site.say("loading", { percent: Math.round(100 * share) }), share);

const startingBar = ({ step, steps }) =>
  progressBar(site.say("starting", { step, steps }), step / (steps + 1));

const progressBar = (text, share) =>
  `<p class="empty">${text}<br><progress value="${share}" max="1"></progress></p>`;

const takeOverDialog = () =>
  `<h1>${site.say("elsewhere")}</h1><p>${site.say("one_tab")}</p><div class="foot">` +
  `<button type="button" class="main" data-do="take-over" autofocus>${site.say("here")}</button>` +
  `</div>`;
