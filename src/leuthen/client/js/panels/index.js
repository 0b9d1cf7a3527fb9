// The tabs of the drawer, in their order.

import * as about from "./about.js";
import * as calendar from "./calendar.js";
import * as chat from "./chat.js";
import * as chronicle from "./chronicle.js";
import * as europe from "./europe.js";
import * as musters from "./musters.js";
import * as notes from "./notes.js";
import * as rules from "./rules.js";
import * as staff from "./staff.js";
import * as standing from "./standing.js";
import * as tables from "./tables.js";
import * as victory from "./victory.js";

/** @import { Context, Panel } from "../context.js" */

/** @type {Panel[]} */
export const panels = [
  { id: "chronicle", title: "Chronicle", key: "C", mount: chronicle.mount },
  { id: "calendar", title: "Calendar", key: "K", mount: calendar.mount },
  { id: "victory", title: "Victory", key: "V", mount: victory.mount },
  { id: "europe", title: "Europe", key: "E", mount: europe.mount },
  { id: "musters", title: "Order of battle", key: "O", mount: musters.mount },
  { id: "tables", title: "Tables", key: "T", mount: tables.mount },
  { id: "rules", title: "Rulebook", key: "R", mount: rules.mount },
  { id: "staff", title: "Staff", key: "S", mount: staff.mount },
  { id: "standing", title: "Standing instructions", key: "I", mount: standing.mount },
  { id: "notes", title: "Plans and notes", key: "P", mount: notes.mount },
  { id: "chat", title: "Chat", key: "M", mount: chat.mount },
  { id: "about", title: "This table", key: "A", mount: about.mount },
];

/** Those of them that this table needs: nobody chats with a machine. @param {Context} ctx @returns {Panel[]} */
export function panelsFor(ctx) {
  const wanted = new Map([
    ["chat", chat.isWanted],
    ["notes", notes.isWanted],
    ["staff", staff.isWanted],
    ["standing", standing.isWanted],
  ]);
  return panels.filter(({ id }) => wanted.get(id)?.(ctx) ?? true);
}
