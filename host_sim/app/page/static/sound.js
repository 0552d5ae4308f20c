// SPDX-License-Identifier: MIT
// Plays a tune as the hub's piezo does: [Hz, ms, Hz, ms, ...], 0 Hz is silence.
// Browsers allow no sound before the first click or key, and may take it away: a phone call, the
// lock screen. Each click and key asks for it again.
const LOUDEST = 0.16; // of 1
let context = null;
for (const gesture of ["pointerup", "keydown"]) document.addEventListener(gesture, wake);

function wake() {
  try {
    if (!context || context.state === "closed") context = new AudioContext();
  } catch {
    return; // this browser has no sound
  }
  if (context.state !== "running") context.resume().catch(() => {});
}

export function play(tune, volume = 100) {
  if (context?.state !== "running") return; // a late tone would belong to nothing
  let start = context.currentTime + 0.01;
  for (let n = 0; n < tune.length; n += 2) {
    const seconds = tune[n + 1] / 1000;
    if (tune[n]) playTone(tune[n], start, seconds, (LOUDEST * volume) / 100);
    start += seconds;
  }
}

function playTone(hertz, start, seconds, loud) {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.value = hertz;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.005);
  gain.gain.setValueAtTime(loud, start + seconds - 0.005);
  gain.gain.linearRampToValueAtTime(0, start + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}
