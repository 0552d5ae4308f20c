// SPDX-License-Identifier: MIT
// The wire to the server that makes the pieces: a web socket, opened again when it is lost.
export function connect({ receive, trouble, welcome }) {
  const asked = new URLSearchParams(location.search);
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key) {
    sessionStorage.setItem("roundhouse-key", key);
    history.replaceState(null, "", location.pathname + location.search);
  }
  let socket = null;
  let pause = 250;
  let lost = "..."; // what is said of a lost connection; the server says it in its first words

  function open() {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    socket.onopen = () => {
      trouble(null);
      socket.send(JSON.stringify({ hello: {
        key: sessionStorage.getItem("roundhouse-key") ?? "",
        me: mine(),
        lang: [asked.get("lang"), localStorage.getItem("roundhouse-lang"), ...navigator.languages]
          .filter(Boolean).join(),
      } }));
      welcome();
    };
    socket.onmessage = (event) => {
      const told = JSON.parse(event.data);
      if (told.lost) lost = told.lost;
      if (told.show) pause = 250; // one that is turned away asks ever more seldom
      receive(told);
    };
    socket.onclose = () => {
      trouble(lost);
      setTimeout(open, pause);
      pause = Math.min(2 * pause, 4000);
    };
  }
  open();
  return {
    send(event) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event));
    },
  };
}

// An id that this browser keeps, so that its seat is still its own tomorrow.
function mine() {
  let me = localStorage.getItem("roundhouse-me");
  if (!me) {
    me = [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");
    localStorage.setItem("roundhouse-me", me);
  }
  return me;
}
