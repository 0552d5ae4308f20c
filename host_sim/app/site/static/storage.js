// SPDX-License-Identifier: MIT
// The files of the matches in the browser's IndexedDB. One tab at a time may write: the one that
// holds a Web Lock. Should two believe that they do, the last one to have opened the files wins.
const NAME = `roundhouse ${new URL(".", self.location).pathname}`; // a host may have other pages
const TAKE_OVER_MS = 3000; // for another tab to release the lock
const RELOAD_MS = 1000; // for a page that was closed to be gone
const FILE_NAME = /^[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*$/;

/** Hold the lock until this worker ends; return false if another tab has it and takeOver is not
 * set. onLost is called when another tab takes it. */
export async function acquireLock(takeOver, onLost) {
  if (!navigator.locks) return true; // the writer's sign in the database has to do
  const channel = new BroadcastChannel(NAME);
  if (takeOver) channel.postMessage("release");
  // the page before a reload may still be closing
  const signal = AbortSignal.timeout(takeOver ? TAKE_OVER_MS : RELOAD_MS);
  const held =
    (await requestLock({ signal }, onLost)) ||
    (takeOver && (await requestLock({ steal: true }, onLost))); // the other tab sleeps or hangs
  if (held) channel.onmessage = onLost;
  return held;
}

const requestLock = (options, onLost) =>
  new Promise((resolve) => {
    const onHeld = () => {
      resolve(true);
      return new Promise(() => {});
    };
    navigator.locks.request(NAME, options, onHeld).catch((error) => {
      if (error.name === "TimeoutError") resolve(false);
      else if (error.name === "SecurityError")
        resolve(true); // the browser refuses locks
      else onLost();
    });
  });

export class FileStorage {
  /** Open the database and sign as its writer; rejects where the browser has none. */
  static async open() {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("files");
      opening.result.createObjectStore("sign");
    };
    const storage = new FileStorage();
    storage.database = await resultOf(opening);
    storage.sign = `${Date.now()} ${Math.random()}`;
    const transaction = storage.database.transaction("sign", "readwrite");
    transaction.objectStore("sign").put(storage.sign, "writer");
    await completion(transaction);
    return storage;
  }

  /** All files as [path, bytes], without entries that are not ours. */
  async files() {
    const files = this.database.transaction("files").objectStore("files");
    const [names, values] = await Promise.all([
      resultOf(files.getAllKeys()),
      resultOf(files.getAll()),
    ]);
    return names
      .map((name, n) => [name, values[n]])
      .filter(([name, bytes]) => FILE_NAME.test(name) && bytes instanceof Uint8Array);
  }

  /** Write changes, a Map of path -> bytes, or nothing for a removed file. Writes all of it or,
   * where another tab writes by now, nothing; returns whether it did. */
  async write(changes) {
    const transaction = this.database.transaction(["files", "sign"], "readwrite");
    const files = transaction.objectStore("files");
    const writer = transaction.objectStore("sign").get("writer");
    let isOurs = true;
    writer.onsuccess = () => {
      isOurs = writer.result === this.sign;
      if (!isOurs) return;
      for (const [name, bytes] of changes) {
        if (bytes) files.put(bytes, name);
        else files.delete(name);
      }
    };
    await completion(transaction);
    return isOurs;
  }
}

const resultOf = (request) =>
  new Promise((resolve, reject) => {
    const fail = () => reject(request.error ?? new Error("blocked"));
    request.onsuccess = () => resolve(request.result);
    request.onerror = fail;
    request.onblocked = fail;
  });

const completion = (transaction) =>
  new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error("not written"));
    transaction.oncomplete = () => resolve();
    transaction.onerror = fail;
    transaction.onabort = fail;
  });
