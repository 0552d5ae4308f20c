// SPDX-License-Identifier: MIT
// Says sentences aloud with a voice of the browser. A new text interrupts the one before.
const PATIENCE = 1500; // ms; some browsers find their voices only after they were asked

let newest = 0;

/** Say a text; call onMissing() where the browser has no voice for the language. */
export async function say({ text, language }, onMissing) {
  newest += 1;
  const turn = newest;
  const synthesis = window.speechSynthesis;
  const voice = synthesis && (await voices(synthesis)).find(speaks(language));
  if (turn !== newest) return; // there is something newer to say
  if (!voice) return void onMissing();
  synthesis.cancel();
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.voice = voice;
  utterance.lang = voice.lang;
  synthesis.speak(utterance);
}

/** Say nothing more. */
export function hush() {
  newest += 1;
  window.speechSynthesis?.cancel();
}

const speaks = (language) => (voice) => voice.lang.toLowerCase().startsWith(language);

function voices(synthesis) {
  const found = synthesis.getVoices();
  if (found.length) return found;
  return new Promise((resolve) => {
    const answer = () => resolve(synthesis.getVoices());
    synthesis.addEventListener("voiceschanged", answer, { once: true });
    setTimeout(answer, PATIENCE);
  });
}
