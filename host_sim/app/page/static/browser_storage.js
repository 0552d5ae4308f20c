// SPDX-License-Identifier: MIT
// What the page keeps in the browser, under "roundhouse-...". A browser may refuse: no storage,
// blocked cookies, a full store. Then it is kept until the page is closed, and `refuses` says so.
const PREFIX = "roundhouse-";
const remembered = new Map();
let refused = false;

/** The browser's storage until the tab is closed. */
export const ofTab = guarded("sessionStorage");
/** The browser's storage for good. */
export const ofBrowser = guarded("localStorage");

/** Whether the browser has refused to keep something. */
export const refuses = () => refused;

function guarded(kind) {
  return {
    get(name) {
      try {
        const kept = window[kind].getItem(PREFIX + name);
        if (kept !== null) return kept;
      } catch {
        refused = true;
      }
      return remembered.get(kind + name) ?? "";
    },
    set(name, value) {
      remembered.set(kind + name, String(value));
      try {
        window[kind].setItem(PREFIX + name, value);
      } catch {
        refused = true;
      }
    },
  };
}
