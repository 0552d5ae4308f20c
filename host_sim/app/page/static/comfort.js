// SPDX-License-Identifier: MIT
// Applies what a person chose in the comfort sheet for the looks of the page.
import { ofBrowser } from "./browser_storage.js";

const REDUCED = "(prefers-reduced-motion: reduce)";
const system = matchMedia(REDUCED);
const reducing = new Set(); // the rules of style sheets for reduced motion

const isChosen = () => ofBrowser.get("motion") === "still";

/** Whether nothing on the page should move. */
export const isStill = () => isChosen() || system.matches;

/** Apply the choices. A style sheet that came later is taken in by the next call. */
export function applyComfort() {
  const root = document.documentElement;
  for (const name of ["text", "tiles"])
    root.style.setProperty(`--${name}`, (ofBrowser.get(name) || 100) / 100);
  document.body.classList.toggle("left-hand", ofBrowser.get("hand") === "left");
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules) if (rule.media?.mediaText === REDUCED) reducing.add(rule);
  for (const rule of reducing) rule.media.mediaText = isChosen() ? "all" : REDUCED;
}

/** Call onChange() when the system's own choice about motion changes. */
export const onMotion = (onChange) => system.addEventListener("change", onChange);
