// SPDX-License-Identifier: MIT
// Updates elements of the page to new HTML in place, so that what stays keeps its focus, scroll
// position, typed text and running animations.
/* global Idiomorph -- of idiomorph.js, which page.html loads: it is not a module */

const shown = {}; // the HTML inside an element, by the element's id
const CONFIG = {
  morphStyle: "innerHTML",
  callbacks: { beforeNodeMorphed, beforeAttributeUpdated },
};

/** Show `html` inside the element with an id. */
export function patch(id, html) {
  const element = document.getElementById(id);
  if (!element || shown[id] === html) return;
  shown[id] = html;
  const focused = document.activeElement;
  Idiomorph.morph(element, parsed(id, html), CONFIG);
  // some browsers take the focus from an element that is moved
  if (element.contains(focused) && focused !== document.activeElement)
    focused.focus({ preventScroll: true });
}

/** Parse the HTML of an element. What has an action or a name gets an id, by which it is found
 * again when it moves and is not taken for another one. */
function parsed(id, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const count = {};
  for (const one of template.content.querySelectorAll("[data-do]:not([id]), [name]:not([id])")) {
    const key = `${id} ${one.dataset.do ?? one.getAttribute("name")}`;
    count[key] = (count[key] ?? 0) + 1;
    one.id = `${key} ${count[key]}`;
  }
  const title = template.content.querySelector("h1");
  if (title) title.id = `${id}-title`; // by which a dialog is named
  return template.content;
}

/** Skip what is the same in a picture, by far the largest part of the page. */
function beforeNodeMorphed(element, next) {
  return !(element instanceof SVGElement && element.isEqualNode(next));
}

// The field that is being typed in. An answer to what was sent before knows nothing of it.
let typed = null;
document.addEventListener("input", ({ target }) => (typed = target));
for (const end of ["change", "focusout"])
  document.addEventListener(end, ({ target }) => (typed = typed === target ? null : typed));

/** Keep typed text, and details that are open. */
function beforeAttributeUpdated(name, element, change) {
  if (name === "value") return !element.dataset.keep && element !== typed;
  return !(name === "open" && change === "remove");
}
