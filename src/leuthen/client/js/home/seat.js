// Takes a seat by the secret in the address. Only a click takes it, so that a messenger's preview does not; the secret
// leaves the address at once.

import { Refused, knowBrowser, take } from "../session/api.js";
import { byId, el, fill } from "../dom.js";
import { linkView } from "./invite.js";

const secret = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname);

function ask() {
  const button = el(
    "button",
    { type: "button", class: "primary", dataset: { do: "take" }, onclick: () => void sit(button) },
    "Take your seat",
  );
  fill(
    byId("seat"),
    el(
      "p",
      { class: "prose" },
      "You were sent a link to a game of the Seven Years War. Take the seat, and it is this browser's. The link opens it once: after that nobody else comes in by it, not even who sent it to you.",
    ),
    button,
  );
  button.focus();
}

/** @param {HTMLButtonElement} button */
async function sit(button) {
  button.disabled = true;
  try {
    await knowBrowser();
    const { page, link } = await take(secret);
    if (link) welcome(page, link);
    else location.replace(page);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    button.disabled = false;
    fill(
      byId("seat"),
      el("p", { class: "note bad", role: "alert" }, error.problem.detail),
      el("div", { class: "row" }, error.isOffline ? button : null, el("a", { class: "button", href: "/" }, "To your games")),
    );
  }
}

/** The way back is shown once, and to the owner alone. @param {string} page @param {string} link */
function welcome(page, link) {
  const go = el("a", { class: "button primary", href: page, dataset: { do: "go" } }, "To the table");
  fill(
    byId("seat"),
    el(
      "p",
      { class: "prose" },
      "The seat is yours. It is kept in this browser. Should the browser lose it, or should you want to play from another device, this link leads back to your seat, once. Nobody else is shown it, and nobody else can let you in: keep it where you find it again.",
    ),
    linkView("The way back to your seat", link),
    el("div", { class: "row" }, go),
  );
  go.focus();
}

function noSecret() {
  fill(
    byId("seat"),
    el("p", { class: "prose" }, "This link is not whole: its last part, after the «#», is missing. Ask for it again, and copy all of it."),
    el("a", { class: "button", href: "/" }, "To your games"),
  );
}

if (secret) ask();
else noSecret();
