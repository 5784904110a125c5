// The service worker: shows a page of its own while the table is not reachable, and caches nothing else. The server puts
// VERSION before this text, so that each version of the page has another worker.

const SHELL = ["/offline", "/styles/tokens+colours+base.css", "/static/offline.js"];
const KEPT = `boardside-${VERSION}`;

self.addEventListener("install", (event) => {
  const fresh = SHELL.map((path) => new Request(path, { cache: "reload" }));
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const outdated = (name) => name.startsWith("boardside-") && name !== KEPT;
  const tidied = caches.keys().then((names) => Promise.all(names.filter(outdated).map((name) => caches.delete(name))));
  event.waitUntil(tidied.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const path = mode === "navigate" ? "/offline" : new URL(url).pathname;
  if (method !== "GET" || !SHELL.includes(path)) return;
  const kept = () => caches.open(KEPT).then((cache) => cache.match(path)).then((found) => found ?? Response.error());
  event.respondWith(fetch(event.request).catch(kept));
});
