// SPDX-License-Identifier: MIT
// Copies a text. A page that comes by http from another computer has no clipboard API; there a
// field is selected and copied.

/** Copy a text; return whether that worked. Needs a click. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

function copyFromField(text) {
  const field = Object.assign(document.createElement("textarea"), { value: text });
  field.className = "heard";
  const focused = document.activeElement;
  // beside an open dialog nothing can be selected
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}
