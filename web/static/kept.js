// Choices that this device stores. If storage is switched off, a choice lasts until the page is left.

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
