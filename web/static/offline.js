// The page that is shown while the table is not reachable: it retries, and then loads the page that was requested.

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
