// SPDX-License-Identifier: MIT
// The service worker: caches the files of the page, all of one version, so that it opens without a
// network. A cache with any other file is thrown away, and the old version stays. Its name is for good: a browser that has the page looks for updates at this address.
importScripts("build.js");

const PREFIX = `roundhouse ${new URL(".", self.location).pathname} `;
const CACHE = PREFIX + self.ROUNDHOUSE.version;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(fill());
});

async function fill() {
  const cache = await caches.open(CACHE);
  try {
    await Promise.all(
      Object.entries(self.ROUNDHOUSE.files).map(([name, digest]) => add(cache, name, digest)),
    );
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

/** Fetch a file from the host, not from the browser's own cache, and compare its SHA-256. build.js,
 * which has the digests, has none: it must be of the same version. */
async function add(cache, name, digest) {
  const request = new Request(name, { cache: "reload" });
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const bytes = await response.clone().arrayBuffer();
  const isRight = digest
    ? (await sha256(bytes)) === digest
    : new TextDecoder().decode(bytes).includes(`"version": "${self.ROUNDHOUSE.version}"`);
  if (!isRight) throw new Error(`${name} is of another version`);
  await cache.put(name, response);
}

async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(respond(request));
});

async function respond(request) {
  const cache = await caches.open(CACHE);
  const isHome = new URL(request.url).pathname === new URL(".", self.location).pathname;
  const cached = await cache.match(isHome ? "index.html" : request, { ignoreSearch: true });
  return cached ?? fetch(request);
}
