// Takes a seat by the secret in the address. Only a click takes it, so that a messenger's preview does not; the secret
// leaves the address at once.

import { idIn, knowBrowser, refusal, takeSeat } from "../session/api.js";
import { byId, el, fill } from "../dom.js";
import { keepName, nameFields, namedIn, ownName, watchTab } from "../players.js";
import { linkView } from "./invite.js";
import { HOME } from "../strings/home.js";

/** True if the link invites a spectator. */
const isToWatch = location.pathname.endsWith("/2");
const secret = idIn(location.hash.slice(1));
history.replaceState(null, "", location.pathname);

function ask() {
  const button = el("button.primary", { type: "submit", dataset: { do: "take" } }, isToWatch ? HOME.watch : HOME.take);
  const problem = el("div", { role: "alert" });
  const form = el(
    "form.stack",
    { onsubmit: (/** @type {Event} */ event) => void sit(event, button, problem) },
    nameFields(HOME.yourName, ownName()),
    problem,
    el("div.row", button),
  );
  fill(byId("seat"), el("p.prose", isToWatch ? HOME.invitedToWatch : HOME.invited), form);
  button.focus();
}

/**
 * Keep the seat open after an error that another name or another try may solve.
 * @param {Event} event @param {HTMLButtonElement} button @param {HTMLElement} problem
 */
async function sit(event, button, problem) {
  event.preventDefault();
  const sitter = namedIn(new FormData(/** @type {HTMLFormElement} */ (event.target)));
  button.disabled = true;
  try {
    await knowBrowser();
    const { page, link } = await takeSeat(secret, sitter);
    keepName(sitter);
    if (link) welcome(page, link);
    else location.replace(page);
  } catch (error) {
    const { isOffline, problem: refused } = refusal(error);
    button.disabled = false;
    const note = el("p.note.bad", refused.detail);
    if (isOffline || refused.status === 400) fill(problem, note);
    else fill(byId("seat"), el("div", { role: "alert" }, note), el("div.row", el("a.button", { href: "/" }, HOME.allGames)));
  }
}

/** Show the return link once, and only to the owner. @param {string} page @param {string} link */
function welcome(page, link) {
  const go = el("a.button.primary", { href: page, dataset: { do: "go" } }, HOME.toGame);
  fill(byId("seat"), el("p.prose", HOME.welcome), linkView(HOME.linkBack, link), el("div.row", go));
  go.focus();
}

watchTab(HOME.seatTitle);
if (secret) ask();
else fill(byId("seat"), el("p.prose", HOME.brokenLink), el("a.button", { href: "/" }, HOME.allGames));
