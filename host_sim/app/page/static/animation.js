// SPDX-License-Identifier: MIT
// Tiles that fly to their new places, and lamps that blink in phase.
import { isStill } from "./comfort.js";

const SLOWLY = 1600; // ms
const flights = new WeakMap(); // the running animation of a tile's element

const tiles = () => document.querySelectorAll("[data-tile]");

/** Where each tile is on the screen: {tile: DOMRect}. */
export function tilePlaces() {
  const places = new Map();
  for (const tile of tiles()) places.set(tile.dataset.tile, tile.getBoundingClientRect());
  return places;
}

let folds = ""; // how often the trains of the picture have been folded again

/** Let tiles fly from where they were to where they are now; slowly where trains are folded again,
 * so that eyes can follow. */
export function flyTiles(places) {
  const before = folds;
  folds = document.querySelector("svg.table")?.dataset.folds ?? "";
  if (isStill()) return;
  const duration = before && folds !== before ? SLOWLY : 420;
  for (const tile of tiles()) {
    flights.get(tile)?.cancel();
    const from = places.get(tile.dataset.tile);
    if (from) fly(tile, from, duration);
  }
}

function fly(tile, from, duration) {
  const to = tile.getBoundingClientRect();
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  if (Math.abs(x) + Math.abs(y) < 3) return;
  const svg = tile.ownerSVGElement;
  // an SVG and an enlarged hand have units of their own
  const scale = svg ? svg.getScreenCTM().a : (tile.currentCSSZoom ?? 1);
  const rest = svg ? transformOf(tile) : "";
  const first = { transform: `translate(${x / scale}px, ${y / scale}px) ${rest}` };
  const last = { transform: rest || "none" };
  const timing = { duration, easing: "cubic-bezier(.2,.8,.2,1)" };
  flights.set(tile, tile.animate([first, last], timing));
}

function transformOf(element) {
  const matrix = element.transform.baseVal.consolidate()?.matrix;
  if (!matrix) return "";
  const { a, b, c, d, e, f } = matrix;
  return `matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})`;
}

/** Step all lamps in phase, as on the hub; if the table is new, flash again what flashes once. */
export function synchronizeLamps(isTableNew) {
  for (const animation of animationsNamed("once")) if (isTableNew) animation.currentTime = 0;
  stepLamps();
}

const animationsNamed = (start) =>
  document.getAnimations().filter(({ animationName }) => animationName?.startsWith(start));

let stepping = 0;

/** Show all lamps as they are at this moment. Between two steps nothing is drawn: an animation that
 * runs by itself costs a browser without a graphics card a frame's work sixty times a second. */
function stepLamps() {
  clearTimeout(stepping);
  const now = performance.now();
  let next = Infinity;
  for (const animation of animationsNamed("lamp")) {
    if (animation.playState !== "paused") animation.pause();
    animation.currentTime = now;
    next = Math.min(next, untilNextStep(animation.effect, now));
  }
  if (next < Infinity) stepping = setTimeout(stepLamps, next + 1);
}

const stepsOf = new WeakMap(); // an animation's effect -> the times of its steps, in ms

function untilNextStep(effect, now) {
  const { duration } = effect.getTiming();
  if (!stepsOf.has(effect)) {
    const offsets = effect.getKeyframes().map(({ computedOffset }) => computedOffset * duration);
    stepsOf.set(effect, offsets);
  }
  const at = now % duration;
  return (stepsOf.get(effect).find((time) => time > at) ?? duration) - at;
}
