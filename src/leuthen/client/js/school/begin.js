// How one comes to a lesson or a drill: its game is made, and its table opened.

import { beginDrill, beginLesson } from "../session/api.js";
import { el } from "../dom.js";

/** @import * as T from "../../types" */

/** @param {T.Made} made */
function sitDown({ seats }) {
  location.assign(`/table/${seats.find((line) => line.seat)?.seat}`);
}

/** @param {string} name */
export async function toLesson(name) {
  sitDown(await beginLesson(name));
}

/** @param {string} name */
export async function toDrill(name) {
  sitDown(await beginDrill(name));
}

/** The look of the school, at a table that did not bring it along. */
export function ownSheet() {
  document.head.append(el("link", { rel: "stylesheet", href: new URL("../../css/school.css", import.meta.url).href }));
}
