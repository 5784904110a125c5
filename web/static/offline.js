// The page that stands in while the table is away: it asks again and again, and gives way to the page that was wanted.

const RETRY_MS = 3000;
const PATIENCE_MS = 8000;

let timer = 0;

async function retry() {
  window.clearTimeout(timer);
  const there = await fetch("/seat.json", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) }).then(() => true, () => false);
  if (!there) timer = window.setTimeout(retry, RETRY_MS);
  else if (window.location.pathname === "/offline") window.location.replace("/");
  else window.location.reload();
}

document.getElementById("retry").addEventListener("click", retry);
window.addEventListener("online", retry);
timer = window.setTimeout(retry, RETRY_MS);
