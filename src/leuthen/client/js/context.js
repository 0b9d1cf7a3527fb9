// What the parts of a table share. Types only: the page makes the values (main.js).

/** @import * as T from "../types" */
/** @import { Store } from "./session/store.js" */
/** @import { SeatApi } from "./session/api.js" */
/** @import { Sender } from "./session/sender.js" */

/**
 * Context passed to a panel when it is mounted.
 * @typedef {object} Context
 * @property {Store} store the table as it stands, or as it is looked back at
 * @property {SeatApi} api the routes of this seat
 * @property {Sender} sender sends what the seat does
 * @property {MapView} map
 * @property {(number: string) => void} showRule opens a rule beside the map
 * @property {(spot: T.Spot) => void} showTable opens a table of the game with a cell lit
 * @property {() => void} showOrders closes what is open beside the map, which on a phone covers the orders
 * @property {(place: string) => void} jump shows a place in the middle of the map
 * @property {((pointed: Pointed) => void) | null} [picker] who gets what is chosen on the map, instead of the order in the making
 * @property {(text: string) => void} say tells something to screen readers, and briefly on the screen
 */

/**
 * Kinds of hex highlights: `choice` and `barred` hexes may or may not be chosen, `told` is mentioned in the text, `picked` is chosen,
 * `asked` belongs to the pending decision, `clause` is a choice for a standing instruction, `lesson` is what a lesson points at.
 * @typedef {"choice" | "barred" | "told" | "picked" | "asked" | "clause" | "lesson"} Light
 */

/**
 * The map. It dispatches `place` (a hex was clicked or entered), `piece` (a counter was clicked, with `key`), `point` (the hex under the pointer or cursor, `place` ""
 * when it leaves) and `dropped` (the hex to which an own counter was dragged), as CustomEvents with detail {place, key?}.
 * @typedef {object} MapMethods
 * @property {(scene: T.Scene) => void} show
 * @property {(place: string) => void} jump
 * @property {(place: string) => void} announcePlace says to screen readers what is known of a place
 * @property {(...places: string[]) => void} reveal shows the first of some places, unless one of them can be seen
 * @property {HTMLElement | null} legend the button that shows the legend of the sheet, if it has one
 * @property {import("./map/sheet.js").Print} print the sheet under it as a picture
 * @property {string} middle the hex in the middle of what is seen, "" beyond the board
 * @property {() => void} fit
 * @property {(places: Iterable<string>) => void} frame shows these places, as large as may be
 * @property {(place: string, groups: readonly Iterable<string>[]) => void} frameFirst shows the first group of places that can be read, else a place
 * @property {(factor: number) => void} zoom
 * @property {(places: Iterable<string>, kind: Light) => void} highlight replaces what is lit in this way
 * @property {(form: T.Form | null) => void} setReach
 * @property {(places: readonly string[]) => void} setPath
 * @property {(layer: T.Layer | null) => void} setLayer
 * @property {(tracks: readonly import("./map/plans.js").Track[]) => void} setTracks the ways that armies went last, as arrows that stay
 * @property {(notes: T.Notes) => void} setPlans
 * @property {(missions: readonly T.StaffMission[]) => void} setStaff the arrows of the staff's plan; a head that is dragged is told by `aimed` (detail {leader, place})
 * @property {(kind: "arrow" | "pin" | null) => void} draw begins or ends the drawing of plans, told by `drawn` (detail {places, isDone})
 * @property {boolean} isPlayback whether a playback has the map
 * @property {(isHeld: boolean) => void} setPlayback gives the map to a playback, or takes it back
 * @property {(told: readonly T.LogEntry[], after?: T.Scene) => Promise<void>} play animates entries; resolves when they are over
 * @property {() => void} hurry ends the entries that are being played at once
 * @property {(told: readonly T.LogEntry[]) => void} hold shows entries without motion
 * @property {(text: string) => void} announce says a text to screen readers
 */
/** @typedef {EventTarget & MapMethods} MapView */

/** @typedef {{place: string, key?: string}} Pointed detail of the map's events */

/** @typedef {{show?: (what: any) => void, open?: () => void, close?: () => void}} Mounted what a mounted panel can be asked */

/**
 * A tab of the drawer. `js/panels/index.js` exports `panels: Panel[]` in tab order. A panel is mounted when it is first opened. A panel
 * that opens a rule or a table for others has the id `rules` or `tables`, and its `mount` returns an object with `show(what)`.
 * @typedef {object} Panel
 * @property {string} id
 * @property {string} title
 * @property {string} key on the keyboard
 * @property {(host: HTMLElement, ctx: Context) => void | Mounted} mount
 */

export {};
