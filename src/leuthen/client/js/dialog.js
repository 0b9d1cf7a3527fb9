// Dialogs, and short messages that go away by themselves.

import { Refused } from "./session/api.js";
import { byId, el, fill } from "./dom.js";
import { pauseInput } from "./order/unread.js";
import { COMMON } from "./strings/common.js";

/** @import { Child } from "./dom.js" */

/** @typedef {{label: string, value: string, kind?: "primary" | "danger" | "quiet"}} Answer */

/**
 * Open a dialog and return its answer: the value of the pressed button, or "" if it was closed.
 * @param {object} what @param {string} what.title @param {Child | readonly Child[]} what.body @param {readonly Answer[]} [what.answers]
 * @param {boolean} [what.wide] @returns {Promise<string>}
 */
export function openDialog({ title, body, answers = [{ label: COMMON.close, value: "" }], wide = false }) {
  const heading = el("h2", { id: "dialog-title", tabindex: "-1" }, title);
  const buttons = answers.map((answer) => el("button", { type: "submit", value: answer.value, class: answer.kind }, answer.label));
  const form = el("form", { method: "dialog" }, heading, el("div.dialog-body", body), el("footer.row", ...buttons));
  const dialog = el("dialog", { class: wide ? "wide" : "", "aria-labelledby": "dialog-title" }, form);
  pauseInput(dialog);
  document.body.append(dialog);
  dialog.showModal();
  const first = buttons.find((button) => button.classList.contains("primary")) ?? (buttons.length > 1 ? buttons[0] : heading);
  first?.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close("");
    });
  });
}

/** Close all open dialogs. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close("");
}

/**
 * Ask for confirmation of an irreversible action.
 * @param {string} title @param {string} text @param {string} label of the button that does it @returns {Promise<boolean>}
 */
export async function confirmed(title, text, label, kind = /** @type {"danger" | "primary"} */ ("danger")) {
  const answers = [
    { label: COMMON.cancel, value: "" },
    { label, value: "yes", kind },
  ];
  return (await openDialog({ title, body: el("p", text), answers })) === "yes";
}

let fading = 0;

/**
 * Show a short message on the screen and to screen readers.
 * @param {Child | readonly Child[]} content
 * @param {{stays?: boolean}} [how] with `stays` it remains until something else is said or it is closed
 */
export function showMessage(content, { stays = false } = {}) {
  const host = byId("toast");
  clearTimeout(fading);
  const close = el("button.quiet.icon", { "aria-label": COMMON.dismiss, onclick: hideMessage }, "×");
  fill(host, el("div.toast-card", el("div", content), close));
  if (!stays) fading = window.setTimeout(hideMessage, 7000);
}

/** Run a request; if the server refuses it, show the reason and return null. @template R @param {() => Promise<R>} run */
export async function tryRequest(run) {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    showMessage(error.problem.detail);
    return null;
  }
}

/** Hide the current message. */
export function hideMessage() {
  clearTimeout(fading);
  byId("toast").replaceChildren();
}
