// SPDX-License-Identifier: MIT
// The wire to the Python that makes the pieces: it runs in a worker of this page.
import { Cable } from "./web_serial.js";

const site = self.ROUNDHOUSE;

export function connect({ receive, trouble, welcome }) {
  if (site.lacks) return { send() {} };
  let worker = null;
  let open = false;
  const cable = new Cable((said) => worker.postMessage({ cable: said }));

  function start(takeOver) {
    worker = new Worker("python_worker.js", { type: "module" });
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => failed(event.message);
    const hello = {
      lang: site.language,
      home: location.href.split("#")[0],
      serial: Cable.there ? "yes" : "",
      match: match(),
    };
    worker.postMessage({ hello, takeOver });
  }

  function hear({ loaded, messages, ready, elsewhere, failed: why }) {
    if (loaded !== undefined) receive({ show: { table: progress(loaded) } });
    for (const message of messages ?? []) take(message);
    if (ready) begin();
    if (elsewhere) leave();
    if (why) failed(why);
  }

  function take(message) {
    if (message.cable === "close") return cable.close();
    if (message.typed !== undefined) return cable.write(message.typed);
    receive(message);
  }

  function begin() {
    open = true;
    trouble(null);
    welcome();
    if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
  }

  // The matches are another tab's now: this one lets go of everything until somebody wants it here.
  function leave() {
    open = false;
    worker.terminate();
    cable.close();
    receive({ show: { dialog: elsewhere() } });
  }

  function failed(why) {
    console.warn(why);
    trouble(site.say(navigator.onLine === false && !open ? "no_network" : "broke"));
  }

  // What this page does by itself, because it needs the click or the page: all else is Python's.
  const here = {
    plug: () => cable.plug().catch((error) => receive({ error: site.say("no_cable", { why: error.message }) })),
    "take-over": () => {
      receive({ show: { dialog: "" } });
      start(true);
    },
    "copy-link": () => copy(receive),
  };

  const send = (event) => {
    const act = Object.hasOwn(here, event.do ?? "") && here[event.do];
    if (act) act();
    else if (open) worker.postMessage({ event: JSON.stringify(event) });
  };

  addEventListener("hashchange", () => {
    const text = match();
    if (text) send({ do: "look-at-link", fields: { text } });
  });
  dropped((text) => send({ do: "look-at", fields: { text } }));
  start(false);
  return { send };
}

const LONGEST = 190_000; // characters; a hub's longest match has some ten thousand

// The match that a link carries, once: it goes from the address, or a reload would show it again.
function match() {
  const text = /^#match=(.*)$/.exec(location.hash)?.[1] ?? "";
  if (text) history.replaceState(null, "", location.pathname + location.search);
  return text.length > LONGEST ? "-" : text;
}

function dropped(show) {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    show(file.size > LONGEST ? "" : await file.text());
  });
}

function copy(receive) {
  const field = document.querySelector("dialog input[name=link]");
  if (!field) return;
  field.select();
  navigator.clipboard?.writeText(field.value).then(
    () => receive({ error: site.say("copied") }),
    () => {}, // it is selected: Ctrl-C does it
  );
}

const progress = (part) =>
  `<p class="empty">${site.say("loading", { percent: Math.round(100 * part) })}<br>` +
  `<progress value="${part}" max="1"></progress></p>`;

const elsewhere = () =>
  `<h1>${site.say("elsewhere")}</h1><p>${site.say("one_tab")}</p><div class="foot">` +
  `<button type="button" class="main" data-do="take-over" autofocus>${site.say("here")}</button></div>`;
