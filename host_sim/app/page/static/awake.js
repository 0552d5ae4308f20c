// SPDX-License-Identifier: MIT
// Keeps the screen awake. Browsers have Wake Lock only over https and on the computer itself; where
// there is none, a silent video plays. What counts as a video: in Chromium one that covers a fifth
// of the page, in Firefox one with a sound track, in Safari one that is neither muted nor loops.
import { VIDEO } from "./awake_video.js";

const IS_SAFARI = "GestureEvent" in window;
let wanted = false;
let touched = false; // no browser plays a video before
let lock = null;
let video = null;
let tellRefused = () => {};

/** Keep the screen awake, or no longer; onRefused() is called if the browser cannot. */
export function stayAwake(isWanted, onRefused) {
  wanted = isWanted;
  tellRefused = onRefused;
  update(false);
}

document.addEventListener("visibilitychange", () => update(false)); // a lock ends with the sight
for (const gesture of ["pointerup", "keydown"])
  document.addEventListener(gesture, () => {
    touched = true;
    update(true);
  });

async function update(isTouch) {
  if (!wanted || document.hidden) return release();
  if (await isLocked()) return;
  if (touched) playVideo(isTouch);
}

function release() {
  lock?.release();
  lock = null;
  video?.pause();
}

async function isLocked() {
  if (lock && !lock.released) return true;
  try {
    const taken = await navigator.wakeLock.request("screen");
    lock?.release();
    lock = taken;
    if (!wanted) release();
    return true;
  } catch {
    return false; // none here, or not now: the battery is low
  }
}

function playVideo(isTouch) {
  video ??= document.body.appendChild(silentVideo());
  if (!video.paused) return;
  video.play().catch(({ name }) => isTouch && name !== "AbortError" && tellRefused());
}

function silentVideo() {
  const made = document.createElement("video");
  made.className = "awake";
  made.ariaHidden = "true";
  made.playsInline = true;
  made.muted = made.loop = !IS_SAFARI;
  made.addEventListener("ended", () => wanted && playVideo(false));
  made.src = VIDEO;
  return made;
}
