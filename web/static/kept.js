// What this device remembers of its user's choices. Where storage is switched off, a choice holds until the page is left.

export function kept(key) {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key, value) {
  try {
    window.localStorage.setItem(key, value);
  } catch { /* as above */ }
}
