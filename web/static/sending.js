// Posts for buttons, and messages that are shown for a moment.

import { setTextOrHide } from "./panels.js";
import { seat } from "./seats.js";
import { post } from "./server.js";

const TOAST_MS = 6000;

let timer = 0;

export function toast(message) {
  setTextOrHide("toast", message);
  window.clearTimeout(timer);
  timer = window.setTimeout(() => setTextOrHide("toast", ""), TOAST_MS);
}

// Returns a function that posts fields while its button is marked as busy; it resolves to the answer, or after
// onTrouble(error) to null.
export function sender(onTrouble) {
  return async (button, path, fields) => {
    button.setAttribute("aria-busy", "true");
    try {
      return await post(path, seat() ? { ...fields, screen: seat() } : fields);
    } catch (error) {
      onTrouble(error);
      return null;
    } finally {
      button.removeAttribute("aria-busy");
    }
  };
}
