// SPDX-License-Identifier: MIT
// Drag and drop with a mouse or a finger: an element with data-drag onto one with data-drop.
const THRESHOLD = 8; // pixels; a shorter move is a click

let held = null; // {element, copy, x, y}: what is pressed, its copy once it moves, where it began
let dropped = false;

/** Call onDrop(data-drag, data-drop) for every drop. */
export function enableDragging(onDrop) {
  document.addEventListener("pointerdown", press);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", (event) => release(targetAt(event), onDrop));
  document.addEventListener("pointercancel", () => release(null, onDrop));
  // the click that ends a drag does not count
  document.addEventListener("click", (event) => dropped && event.stopImmediatePropagation(), true);
}

function press(event) {
  const element = event.target.closest("[data-drag]");
  if (!element || event.button) return;
  held = { element, copy: null, x: event.clientX, y: event.clientY };
}

function move(event) {
  if (!held) return;
  const [x, y] = [event.clientX - held.x, event.clientY - held.y];
  if (!held.copy && Math.hypot(x, y) <= THRESHOLD) return;
  held.copy ??= lift(held.element);
  held.copy.style.translate = `${x}px ${y}px`;
  unmark();
  targetAt(event)?.classList.add("under");
}

function lift(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const copy = element.cloneNode(true);
  for (const one of [copy, ...copy.querySelectorAll("[data-tile]")]) delete one.dataset.tile;
  copy.classList.add("lifted");
  const box = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
  Object.assign(copy.style, box);
  document.body.append(copy);
  element.classList.add("away");
  return copy;
}

const targetAt = (event) =>
  document
    .elementsFromPoint(event.clientX, event.clientY)
    .map((element) => element.closest("[data-drop]"))
    .find((element) => element && element !== held?.element);

function unmark() {
  for (const target of document.querySelectorAll(".under")) target.classList.remove("under");
}

function release(target, onDrop) {
  if (!held) return;
  const { element, copy } = held;
  held = null;
  if (!copy) return;
  dropped = true;
  setTimeout(() => (dropped = false));
  copy.remove();
  element.classList.remove("away");
  unmark();
  if (target) onDrop(element.dataset.drag, target.dataset.drop);
}
