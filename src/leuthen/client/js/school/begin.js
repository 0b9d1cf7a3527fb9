// How one comes to a lesson or a drill: its game is made, and its table opened.

import { once } from "../dom.js";
import { beginDrill, beginLesson } from "../session/api.js";

/** @import * as T from "../../types" */

/** @param {T.Made} made */
function sitDown({ seats }) {
  location.assign(`/table/${seats.find((line) => line.seat)?.seat}`);
}

/** Begins a lesson: one press begins one. */
export const toLesson = once(async (/** @type {string} */ name) => sitDown(await beginLesson(name)));

/** Begins a drill: one press begins one. */
export const toDrill = once(async (/** @type {string} */ name) => sitDown(await beginDrill(name)));
