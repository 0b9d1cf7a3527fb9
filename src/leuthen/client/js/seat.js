// Takes a seat by the secret in the address. Only a click takes it, so that a messenger's preview does not; the secret
// leaves the address at once.

import { Refused, take } from "./api.js";
import { byId, el, fill } from "./dom.js";

const secret = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname);

function ask() {
  const button = el("button", { type: "button", class: "primary", dataset: { do: "take" }, onclick: () => void sit(button) }, "Take your seat");
  fill(
    byId("seat"),
    el("p", { class: "prose" }, "You were sent a link to a game of the Seven Years War. Take the seat, and you play it from this browser. Whoever has the link can do so: keep it to yourself."),
    button,
  );
  button.focus();
}

/** @param {HTMLButtonElement} button */
async function sit(button) {
  button.disabled = true;
  try {
    location.replace((await take(secret)).page);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    button.disabled = false;
    fill(byId("seat"), el("p", { class: "note bad", role: "alert" }, error.problem.detail), el("div", { class: "row" }, error.isOffline ? button : null, el("a", { class: "button", href: "/" }, "To your games")));
  }
}

function noSecret() {
  fill(byId("seat"), el("p", { class: "prose" }, "This link is not whole: its last part, after the «#», is missing. Ask for it again, and copy all of it."), el("a", { class: "button", href: "/" }, "To your games"));
}

if (secret) ask();
else noSecret();
