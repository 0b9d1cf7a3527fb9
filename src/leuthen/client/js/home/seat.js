// Takes a seat by the secret in the address. Only a click takes it, so that a messenger's preview does not; the secret
// leaves the address at once.

import { Refused, idIn, knowBrowser, take } from "../session/api.js";
import { byId, el, fill } from "../dom.js";
import { keepName, nameFields, namedIn, ownName } from "../players.js";
import { watchTab } from "../tab-mark.js";
import { linkView } from "./invite.js";

const secret = idIn(location.hash.slice(1));
history.replaceState(null, "", location.pathname);

function ask() {
  const button = el("button", { class: "primary", dataset: { do: "take" } }, "Take your seat");
  const problem = el("div", { role: "alert" });
  const form = el(
    "form",
    { class: "stack", onsubmit: (/** @type {Event} */ event) => void sit(event, button, problem) },
    nameFields("Your name at this table", ownName()),
    problem,
    el("div", { class: "row" }, button),
  );
  fill(
    byId("seat"),
    el(
      "p",
      { class: "prose" },
      "You were sent a link to a game of the Seven Years War. Take the seat, and it is this browser's. The link opens it once: after that nobody else comes in by it, not even who sent it to you.",
    ),
    form,
  );
  button.focus();
}

/** Where another name, or another try, may help, the seat can still be taken. @param {Event} event @param {HTMLButtonElement} button @param {HTMLElement} problem */
async function sit(event, button, problem) {
  event.preventDefault();
  const sitter = namedIn(new FormData(/** @type {HTMLFormElement} */ (event.target)));
  button.disabled = true;
  try {
    await knowBrowser();
    const { page, link } = await take(secret, sitter);
    keepName(sitter);
    if (link) welcome(page, link);
    else location.replace(page);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    button.disabled = false;
    const note = el("p", { class: "note bad" }, error.problem.detail);
    if (error.isOffline || error.problem.status === 400) fill(problem, note);
    else
      fill(
        byId("seat"),
        el("div", { role: "alert" }, note),
        el("div", { class: "row" }, el("a", { class: "button", href: "/" }, "To your games")),
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

watchTab(() => "A seat at the table – Leuthen");
if (secret) ask();
else noSecret();
