// SPDX-License-Identifier: MIT
// Keeps the files of the page, all of one version, so that it opens with no network.
importScripts("build.js");

const BEFORE = `roundhouse ${new URL(".", self.location).pathname} `;
const CACHE = BEFORE + self.ROUNDHOUSE.version;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(self.ROUNDHOUSE.files)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys())
      if (name.startsWith(BEFORE) && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(answer(request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  const home = new URL(request.url).pathname === new URL(".", self.location).pathname;
  const wanted = home ? "index.html" : request;
  return (await cache.match(wanted, { ignoreSearch: true })) ?? fetch(request);
}
