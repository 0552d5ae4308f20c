// SPDX-License-Identifier: MIT
// The browser's storage: the files of the matches. One tab writes at a time; who holds the lock
// may, and a tab that has lost it writes nothing any more, whatever it believes.
const HERE = `roundhouse ${new URL(".", self.location).pathname}`; // others may live on this host
const PATIENCE = 3000; // ms for another tab to let go
const MOMENT = 1000; // ms for a page that was closed to be gone
const NAME = /^[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*$/; // of a file

// Hold the lock until this worker ends; false where another tab has it and is not to be asked.
// gone: is called when another tab takes it.
export async function hold(takeOver, gone) {
  if (!navigator.locks) return true; // the sign in the storage is enough
  const told = new BroadcastChannel(HERE);
  if (takeOver) told.postMessage("let go");
  // the page that was here before a reload may still be on its way out
  const mine = (await request({ signal: AbortSignal.timeout(takeOver ? PATIENCE : MOMENT) }, gone))
    || (takeOver && (await request({ steal: true }, gone))); // that tab sleeps, or hangs
  if (mine) told.onmessage = gone;
  return mine;
}

const request = (how, gone) =>
  new Promise((resolve) => {
    const held = () => {
      resolve(true);
      return new Promise(() => {});
    };
    navigator.locks.request(HERE, how, held).catch((error) => {
      if (error.name === "TimeoutError") resolve(false);
      else gone(); // it is another tab's now
    });
  });

export class Store {
  // Open the storage and put this worker's sign into it; rejects where the browser has none.
  static async open() {
    const asked = indexedDB.open(HERE, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("files");
      asked.result.createObjectStore("sign");
    };
    const store = new Store();
    store.base = await done(asked);
    store.sign = `${Date.now()} ${Math.random()}`;
    const work = store.base.transaction("sign", "readwrite");
    work.objectStore("sign").put(store.sign, "writer");
    await finished(work);
    return store;
  }

  // All files, [path, bytes]; what is no file of ours is left out.
  async files() {
    const files = this.base.transaction("files").objectStore("files");
    const [names, values] = await Promise.all([done(files.getAllKeys()), done(files.getAll())]);
    return names
      .map((name, n) => [name, values[n]])
      .filter(([name, bytes]) => NAME.test(name) && bytes instanceof Uint8Array);
  }

  // Write what has changed, path -> bytes, or nothing for a file that is gone: all of it or, where
  // another tab writes now, nothing. Returns whether it is written.
  async keep(changed) {
    const work = this.base.transaction(["files", "sign"], "readwrite");
    const files = work.objectStore("files");
    const writer = work.objectStore("sign").get("writer");
    let ours = true;
    writer.onsuccess = () => {
      ours = writer.result === this.sign;
      if (!ours) return;
      for (const [name, bytes] of changed) {
        if (bytes) files.put(bytes, name);
        else files.delete(name);
      }
    };
    await finished(work);
    return ours;
  }
}

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error ?? new Error("blocked"));
  });

const finished = (work) =>
  new Promise((resolve, reject) => {
    work.oncomplete = () => resolve();
    work.onerror = work.onabort = () => reject(work.error ?? new Error("not kept"));
  });
