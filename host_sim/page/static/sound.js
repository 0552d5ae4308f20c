// SPDX-License-Identifier: MIT
// Plays a tune as the hub's piezo does: [Hz, ms, Hz, ms, ...], 0 Hz is silence.
// A browser lets nothing be heard before somebody has clicked or typed.
let context = null;
const wake = () => (context ??= new AudioContext());
for (const gesture of ["pointerup", "keydown"]) document.addEventListener(gesture, wake, { once: true });

export function play(tune) {
  if (!context) return;
  let at = context.currentTime + 0.01;
  for (let n = 0; n < tune.length; n += 2) {
    const seconds = tune[n + 1] / 1000;
    if (tune[n]) tone(tune[n], at, seconds);
    at += seconds;
  }
}

function tone(hertz, at, seconds) {
  const voice = context.createOscillator();
  const gain = context.createGain();
  voice.type = "triangle";
  voice.frequency.value = hertz;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.08, at + 0.005);
  gain.gain.setValueAtTime(0.08, at + seconds - 0.005);
  gain.gain.linearRampToValueAtTime(0, at + seconds);
  voice.connect(gain).connect(context.destination);
  voice.start(at);
  voice.stop(at + seconds);
}
