// How one comes to a lesson or a drill: its game is made, and its table opened.

import { beginDrill, beginLesson } from "../session/api.js";

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
