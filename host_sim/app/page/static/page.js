// SPDX-License-Identifier: MIT
// The page: shows the pieces of HTML that come through the transport and sends what is clicked,
// dragged and typed. It knows nothing of the game; the pieces' data- attributes say what to send.
import { flyTiles, synchronizeLamps, tilePlaces } from "./animation.js";
import { stayAwake } from "./awake.js";
import { ofBrowser, refuses } from "./browser_storage.js";
import { copy } from "./clipboard.js";
import { applyComfort, onMotion } from "./comfort.js";
import { download } from "./download.js";
import { enableDragging } from "./drag_and_drop.js";
import { patch } from "./patch.js";
import { play } from "./sound.js";
import { hush, say } from "./speech.js";
import { connect } from "./transport.js";

const dialog = document.getElementById("dialog");
const notice = document.getElementById("notice");
const table = document.getElementById("table");
const BUTTONS = "button, a, summary, input, [role=button]";
const CHOSEN = "#hand .tile-button.chosen"; // there the keys mean what they mean at the table
const KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", " ", "Escape"]);
const SETTINGS = ["quiet", "volume", "spoken", "text", "tiles", "hand", "motion", "letters"];
const UNASKED = /^(room|kept|falls-asleep)/; // what the page sends by itself
const LARGEST = 4e6; // bytes of a file that is sent
const LARGEST_IN_PIECES = 5e7; // bytes
const PIECE = 3e4; // bytes; a browser splits long messages, and the server takes no parts

document.body.classList.toggle("tv", new URLSearchParams(location.search).has("tv"));
applyComfort();
onMotion(() => synchronizeLamps(false));
let stepped = false; // whether an arrow key was the last that was sent
const transport = connect({ receive, showNotice, onOpen });
// `at` is the time in ms: what is done twice at once may come apart on the way to a busy server
const send = (event) => {
  if (!UNASKED.test(event.do)) stepped = event.key === "ArrowLeft" || event.key === "ArrowRight";
  transport.send({ ...event, at: Date.now() });
};

// ---- messages ----

let pressed = false; // whether something that can be clicked is held down
const postponed = []; // messages that came meanwhile: what they move would not be clicked

function receive(message) {
  if (pressed) return void postponed.push(message);
  if (message.show) showPieces(message.show);
  if (message.language) document.documentElement.lang = message.language;
  if (message.tv !== undefined) setTelevision(message.tv);
  if (message.sound) play(message.sound, message.volume);
  if (message.say) speak(message.say);
  if (message.vibrate) vibrate(message.vibrate);
  if (message.file) download(message.file);
  if (message.piece) sendPiece(message.piece);
  if (message.keep) store(message.keep);
  if (message.error) showBriefly(message.error);
}

function speak(said) {
  if (said.text) say(said, () => send({ do: "no-voice" }));
  else hush();
}

/** Vibrate, if the device can; browsers refuse it before the first touch. */
function vibrate(ms) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(ms);
}

const fallAsleep = () => send({ do: "falls-asleep" });

/** Show the page as on a television, or no longer so, after a reload too. */
function setTelevision(isOne) {
  document.body.classList.toggle("tv", isOne);
  const address = new URL(location.href);
  if (isOne) address.searchParams.set("tv", "");
  else address.searchParams.delete("tv");
  history.replaceState(null, "", address.href.replace("tv=&", "tv&").replace(/tv=(#|$)/, "tv$1"));
}

function showPieces(pieces) {
  const places = tilePlaces();
  for (const [id, html] of Object.entries(pieces)) patch(id, html);
  if ("lamps" in pieces) applyComfort(); // they are a style sheet
  if ("hand" in pieces && (stepped || document.activeElement.matches(".tile-button")))
    document.querySelector(CHOSEN)?.focus();
  if ("turn" in pieces) stayAwake(Boolean(document.querySelector("#turn .awaited")), fallAsleep);
  if ("dialog" in pieces) toggleDialog(pieces.dialog !== "");
  synchronizeLamps("table" in pieces);
  flyTiles(places);
}

function toggleDialog(open) {
  if (open && !dialog.open) dialog.showModal();
  if (!open && dialog.open) dialog.close();
  if (open && !dialog.contains(document.activeElement))
    dialog.querySelector("[autofocus]")?.focus({ preventScroll: true });
}

document.addEventListener("pointerdown", (event) => {
  const target = event.target.closest(`${BUTTONS}, label`);
  pressed ||= event.button === 0 && Boolean(target) && !event.target.closest("select");
});
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, release);
addEventListener("pointermove", (event) => event.buttons || release());

function release() {
  if (pressed) setTimeout(receivePostponed); // after the click
}

function receivePostponed() {
  pressed = false;
  for (const message of postponed.splice(0)) receive(message);
}

function onOpen() {
  const fields = {};
  for (const name of SETTINGS) fields[name] = ofBrowser.get(name);
  if (refuses()) fields.refused = "1";
  send({ do: "kept", fields });
  sendSize();
}

/** Keep settings of this browser for the next visit: SETTINGS and lang. */
function store(settings) {
  for (const [name, value] of Object.entries(settings)) ofBrowser.set(name, value);
  applyComfort();
  synchronizeLamps(false);
}

function showNotice(text) {
  notice.hidden = !text;
  notice.textContent = text ?? "";
}

let hiding = 0;
function showBriefly(text) {
  showNotice(text);
  clearTimeout(hiding);
  hiding = setTimeout(() => showNotice(null), 6000);
}

// ---- clicks, forms, keys ----

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do]");
  if (!target || target.disabled || target.matches("form, input, select")) return;
  send({ do: target.dataset.do });
  // after a click of the mouse, Enter is for the table and not for this button again
  if (event.detail && !dialog.contains(target)) document.activeElement?.blur();
});

document.addEventListener("click", async ({ target }) => {
  const text = target.closest("[data-copy]")?.dataset.copy;
  if (!text) return;
  if (await copy(text)) target.classList.add("on");
  else send({ do: "not-copied" });
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-do]");
  event.preventDefault();
  if (form) send({ do: event.submitter?.dataset.do ?? form.dataset.do, fields: fieldsOf(form) });
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-change]");
  if (form) send({ do: form.dataset.change, fields: fieldsOf(form) });
});

document.addEventListener("change", async ({ target }) => {
  const [chosen] = target.files ?? [];
  if (!chosen || !target.dataset.file) return;
  const isBinary = target.dataset.file === "piece";
  const text = isBinary || chosen.size > LARGEST ? "" : await chosen.text();
  target.value = ""; // the same file can be chosen again
  if (isBinary) {
    file = chosen;
    return void sendPiece(1);
  }
  send({ do: target.dataset.file, fields: { text } });
});

let file = null; // what is sent in pieces

/** Send a piece of the file that was chosen last; the answer asks for the next one. */
async function sendPiece(number) {
  if (!file) return;
  const count = file.size > LARGEST_IN_PIECES ? 0 : Math.ceil(file.size / PIECE) || 1;
  const text = count ? await base64Of(file.slice((number - 1) * PIECE, number * PIECE)) : "";
  send({ do: `piece ${number} ${count}`, fields: { text } });
}

const base64Of = (blob) =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => resolve((reader.result ?? "").split(",")[1] ?? "");
    reader.readAsDataURL(blob);
  });

const fieldsOf = (form) =>
  Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === "string"));

const isTyping = ({ isComposing, target }) =>
  isComposing || target.matches("input:not([type=checkbox], [type=radio]), select, textarea");

const isForBrowser = (event) => event.ctrlKey || event.altKey || event.metaKey || isTyping(event);

/** Press the button that has the focus, if the browser does not do that by itself. */
function pressFocused(event) {
  if (!event.target.matches("[role=button]")) return;
  event.preventDefault();
  send({ do: event.target.dataset.do });
}

document.addEventListener("keydown", (event) => {
  if (isForBrowser(event)) return;
  const isPress = event.key === "Enter" || event.key === " ";
  if (isPress && event.target.matches(BUTTONS) && !event.target.matches(CHOSEN))
    return pressFocused(event);
  if (event.key.length > 1 && !KEYS.has(event.key)) return;
  if (KEYS.has(event.key)) event.preventDefault();
  sendKey(event);
});

/** Send a key. A key that is held is one press, but an arrow repeats. */
function sendKey({ key, repeat }) {
  if (!repeat || key.startsWith("Arrow")) send({ key });
}

dialog.addEventListener("cancel", (event) => {
  event.preventDefault();
  send({ key: "Escape" });
});

enableDragging((what, where) => send({ do: `drop ${what} ${where}` }));

// ---- the size of the picture ----

let resizing = 0;
new ResizeObserver(() => {
  clearTimeout(resizing);
  resizing = setTimeout(sendSize, 120);
}).observe(table);

function sendSize() {
  send({ do: `room ${Math.round(table.clientWidth)} ${Math.round(table.clientHeight)}` });
}
