// SPDX-License-Identifier: MIT
// The shell: it shows the pieces that come over the wire and sends back what is clicked, dragged
// and typed. It knows nothing of the game; pieces say with data-… what is to be sent.
import { connect } from "./wire.js";
import { play } from "./sound.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const dialog = document.getElementById("dialog");
const wire = document.getElementById("wire");
const shown = {};
let pressed = false;
const late = []; // messages that came meanwhile

const link = connect({ receive, trouble, welcome });
const send = (event) => link.send(event);

// ---- showing ----

function receive(message) {
  if (pressed) return void late.push(message);
  const places = whereTilesAre();
  for (const [id, html] of Object.entries(message.show ?? {})) show(id, html);
  if (message.show) settle(places);
  if (message.title) document.title = message.title;
  if (message.language) document.documentElement.lang = message.language;
  if (message.sound) play(message.sound);
  if (message.file) save(message.file);
  if (message.keep) keep(message.keep);
  if (message.error) tell(message.error);
}

// While something is pressed nothing is shown: a button that is made anew between down and up is
// never clicked.
document.addEventListener("pointerdown", (event) => {
  const on = event.target.closest("button, a, summary, label, input, [role=button]");
  pressed ||= event.button === 0 && Boolean(on) && !event.target.closest("select");
});
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, released);
addEventListener("pointermove", (event) => event.buttons || released());

function released() {
  if (pressed) setTimeout(catchUp); // behind the click
}

function catchUp() {
  pressed = false;
  for (const message of late.splice(0)) receive(message);
}

// What this browser keeps, for the page: whether it is to be quiet, which language it speaks.
function keep(values) {
  for (const [name, value] of Object.entries(values)) localStorage.setItem(`roundhouse-${name}`, value);
}

function welcome() {
  send({ do: "kept", fields: { quiet: localStorage.getItem("roundhouse-quiet") ?? "" } });
  sendRoom();
}

let telling = 0;
function tell(words) {
  trouble(words);
  clearTimeout(telling);
  telling = setTimeout(() => trouble(null), 6000);
}

function show(id, html) {
  const element = document.getElementById(id);
  if (!element || shown[id] === html) return;
  shown[id] = html;
  const focus = element.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  const typed = fieldsOf(element);
  const opened = [...element.querySelectorAll("details[open]")].map((details) => details.id);
  const scrolled = element.scrollTop;
  element.innerHTML = html;
  element.scrollTop = scrolled;
  for (const details of element.querySelectorAll("details")) details.open ||= opened.includes(details.id);
  for (const [name, value] of typed) {
    const field = element.querySelector(`[name="${CSS.escape(name)}"][data-keep]`);
    if (field) field.value = value;
  }
  if (id === "dialog") turnDialog(html !== "");
  if (focus) element.querySelector(focus)?.focus({ preventScroll: true });
}

function turnDialog(open) {
  if (open && !dialog.open) dialog.showModal();
  if (!open && dialog.open) dialog.close();
  if (open) dialog.querySelector("[autofocus]")?.focus({ preventScroll: true });
}

// What is typed into a field stays when its piece is made anew.
function fieldsOf(element) {
  return [...element.querySelectorAll("input[data-keep]")].map((field) => [field.name, field.value]);
}

function keyOf(element) {
  if (element.dataset.do) return `[data-do="${CSS.escape(element.dataset.do)}"]`;
  return element.name ? `[name="${CSS.escape(element.name)}"]` : null;
}

// ---- tiles fly ----

function whereTilesAre() {
  const places = new Map();
  for (const tile of document.querySelectorAll("[data-tile]"))
    places.set(tile.dataset.tile, tile.getBoundingClientRect());
  return places;
}

function settle(places) {
  for (const animation of document.getAnimations())
    if (animation instanceof CSSAnimation && animation.animationName.startsWith("lamp"))
      animation.startTime = 0; // all lamps move together, as on the hub
  if (still.matches || !places.size) return;
  for (const tile of document.querySelectorAll("[data-tile]")) {
    const from = places.get(tile.dataset.tile) ?? origin(tile);
    if (from) fly(tile, from);
  }
}

// A tile that nobody saw before comes from the plate of whoever laid it.
function origin(tile) {
  if (!tile.dataset.from) return null;
  return document.querySelector(`[data-plate="${CSS.escape(tile.dataset.from)}"]`)?.getBoundingClientRect();
}

function fly(tile, from) {
  const to = tile.getBoundingClientRect();
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  if (Math.abs(x) + Math.abs(y) < 3) return;
  const svg = tile.ownerSVGElement;
  const scale = svg ? svg.getScreenCTM().a : 1; // inside a picture its own units count
  const rest = svg ? restOf(tile) : "";
  tile.animate(
    [{ transform: `translate(${x / scale}px, ${y / scale}px) ${rest}` }, { transform: rest || "none" }],
    { duration: 420, easing: "cubic-bezier(.2,.8,.2,1)" },
  );
}

function restOf(element) {
  const matrix = element.transform.baseVal.consolidate()?.matrix;
  if (!matrix) return "";
  const { a, b, c, d, e, f } = matrix;
  return `matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})`;
}

// ---- clicks, forms, keys ----

document.addEventListener("click", (event) => {
  if (dragged) return;
  const target = event.target.closest("[data-do]");
  if (!target || target.tagName === "FORM" || target.disabled) return;
  if (target.matches("input, select")) return;
  send({ do: target.dataset.do });
  // who plays with the mouse goes on with keys: Enter is for the table, not for this button again
  if (event.detail && !dialog.contains(target)) document.activeElement?.blur();
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-do]");
  event.preventDefault();
  if (form) send({ do: event.submitter?.dataset.do ?? form.dataset.do, fields: filled(form) });
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-change]");
  if (form) send({ do: form.dataset.change, fields: filled(form) });
});

document.addEventListener("change", async (event) => {
  const [file] = event.target.files ?? [];
  if (!file || !event.target.dataset.file) return;
  if (file.size > 4e6) return send({ do: event.target.dataset.file, fields: { text: "" } });
  send({ do: event.target.dataset.file, fields: { text: await file.text() } });
});

const filled = (form) =>
  Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === "string"));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (event.target.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return;
  const onButton = event.target.matches("button, a, summary, input, [role=button]");
  if (onButton && (event.key === "Enter" || event.key === " ")) {
    if (event.target.matches("[role=button]")) {
      event.preventDefault();
      send({ do: event.target.dataset.do });
    }
    return;
  }
  if (event.key.length > 1 && !KEYS.has(event.key)) return;
  if (KEYS.has(event.key)) event.preventDefault();
  send({ key: event.key });
});
const KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", " ", "Escape"]);

dialog.addEventListener("cancel", (event) => {
  event.preventDefault();
  send({ key: "Escape" });
});

// ---- dragging, with a mouse or a finger ----

let held = null; // what is dragged: {element, copy, x, y}
let dragged = false; // the click that ends a drag is none

document.addEventListener("pointerdown", (event) => {
  const element = event.target.closest("[data-drag]");
  if (!element || event.button) return;
  held = { element, copy: null, x: event.clientX, y: event.clientY };
});

document.addEventListener("pointermove", (event) => {
  if (!held) return;
  const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) > 8;
  if (!held.copy && !far) return;
  held.copy ??= lift(held.element);
  held.copy.style.translate = `${event.clientX - held.x}px ${event.clientY - held.y}px`;
  for (const place of document.querySelectorAll(".under")) place.classList.remove("under");
  placeAt(event)?.classList.add("under");
});

function lift(element) {
  const box = element.getBoundingClientRect();
  const copy = element.cloneNode(true);
  for (const one of [copy, ...copy.querySelectorAll("[data-tile]")]) delete one.dataset.tile;
  copy.classList.add("lifted");
  Object.assign(copy.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` });
  document.body.append(copy);
  element.classList.add("away");
  return copy;
}

const placeAt = (event) =>
  document.elementsFromPoint(event.clientX, event.clientY)
    .map((element) => element.closest("[data-drop]"))
    .find((element) => element && element !== held?.element);

function letGo(event, counts) {
  if (!held) return;
  const { element, copy } = held;
  if (copy) {
    const place = counts ? placeAt(event) : null;
    dragged = true;
    setTimeout(() => (dragged = false));
    copy.remove();
    element.classList.remove("away");
    for (const one of document.querySelectorAll(".under")) one.classList.remove("under");
    if (place) send({ do: `drop ${element.dataset.drag} ${place.dataset.drop}` });
  }
  held = null;
}
document.addEventListener("pointerup", (event) => letGo(event, true));
document.addEventListener("pointercancel", (event) => letGo(event, false));

// ---- files, and the wire itself ----

function save({ name, text, type, png }) {
  if (png) return savePicture(name, text, png);
  download(name, new Blob([text], { type }));
}

function savePicture(name, svg, size) {
  const image = new Image();
  image.onload = () => {
    const height = Math.round((size * image.height) / image.width);
    const canvas = Object.assign(document.createElement("canvas"), { width: size, height });
    canvas.getContext("2d").drawImage(image, 0, 0, size, height);
    canvas.toBlob((blob) => download(name, blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

function download(name, blob) {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function trouble(words) {
  wire.hidden = !words;
  wire.textContent = words ?? "";
}

// ---- how much room the picture has ----

const table = document.getElementById("table");
let asked = 0;
new ResizeObserver(() => {
  clearTimeout(asked);
  asked = setTimeout(sendRoom, 120);
}).observe(table);

function sendRoom() {
  send({ do: `room ${Math.round(table.clientWidth)} ${Math.round(table.clientHeight)}` });
}
