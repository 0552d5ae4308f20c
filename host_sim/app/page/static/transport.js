// SPDX-License-Identifier: MIT
// The page's transport where a server makes its pieces: a web socket that is opened again when it
// is lost. The static page has another one under this name.
import { ofBrowser, ofTab } from "./browser_storage.js";

const FIRST_PAUSE = 250; // ms between tries, doubled each time
const LONGEST_PAUSE = 4000;

let hasTried = false; // to get an invited person's cookie

/** Connect; receive(message), showNotice(text or null) and onOpen() are called as things happen. */
export function connect({ receive, showNotice, onOpen }) {
  takeKey();
  let socket = null;
  let pause = FIRST_PAUSE;
  let lost = "..."; // the notice of a lost connection, until the server sends its own

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/live`);
    socket.onopen = () => {
      showNotice(null);
      socket.send(JSON.stringify({ hello: hello() }));
      onOpen();
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.ticket) takeSeat(message.ticket);
      if (message.show?.table && linkSecret()) dropHash();
      if (message.lost) lost = message.lost;
      if (message.show) pause = FIRST_PAUSE; // a viewer who is turned away asks less and less often
      receive(message);
    };
    socket.onclose = () => {
      showNotice(lost);
      setTimeout(open, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    };
  }
  /** Get the cookie of an invited person, and come back with it. */
  async function takeSeat(ticket) {
    await fetch("seat", { method: "POST", headers: { "X-Ticket": ticket } }).catch(() => {});
    hasTried = true;
    socket.close();
  }

  open();
  return {
    send(event) {
      const sent = event.do === "join" ? { ...event, fields: { secret: linkSecret() } } : event;
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(sent));
    },
  };
}

/** The secret of a link to this table, which stays in the address until *Come in* is clicked. */
const linkSecret = () => new URLSearchParams(location.hash.slice(1)).get("join") ?? "";

/** Move the owner's key from the address to the session, so that a copied address lacks it. */
function takeKey() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return;
  ofTab.set("key", key);
  dropHash();
}

function dropHash() {
  history.replaceState(null, "", location.pathname + location.search);
}

function hello() {
  const chosen = new URLSearchParams(location.search).get("lang");
  const languages = [chosen, ofBrowser.get("lang"), ...navigator.languages];
  return {
    key: ofTab.get("key"),
    me: browserId(),
    lang: languages.filter(Boolean).join(),
    tv: new URLSearchParams(location.search).has("tv") ? "1" : "",
    link: linkSecret() ? "1" : "",
    tried: hasTried ? "1" : "",
  };
}

/** A random id that this browser keeps, so that its seat is still its own tomorrow. */
function browserId() {
  const kept = ofBrowser.get("me");
  if (kept) return kept;
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const id = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  ofBrowser.set("me", id);
  return id;
}
