// SPDX-License-Identifier: MIT
// The service worker: caches the files of the page, all of one version, so that it opens without a
// network. Its name is for good: a browser that has the page looks for updates at this address.
importScripts("build.js");

const PREFIX = `roundhouse ${new URL(".", self.location).pathname} `;
const CACHE = PREFIX + self.ROUNDHOUSE.version;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(self.ROUNDHOUSE.files)));
});

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
