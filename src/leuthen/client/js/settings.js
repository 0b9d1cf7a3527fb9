// The settings of this device: one panel, and where each setting is read.

import { openDialog } from "./dialog.js";
import { deviceStorage, el, optionsOf } from "./dom.js";
import { showKeys } from "./keys.js";
import { COMMON } from "./strings/common.js";
import { SETTINGS } from "./strings/table.js";

/** @typedef {keyof typeof SETTINGS.choices} Setting */

/** The value of a setting; the first of its values is the default. @param {Setting} id */
export function settingOf(id) {
  const values = Object.keys(SETTINGS.choices[id].values);
  const value = deviceStorage.getItem(keyOf(id)) ?? "";
  return values.includes(value) ? value : (values[0] ?? "");
}

/** Stores a setting and applies it. @param {Setting} id @param {string} value */
export function setSetting(id, value) {
  if (value === Object.keys(SETTINGS.choices[id].values)[0]) deviceStorage.removeItem(keyOf(id));
  else deviceStorage.setItem(keyOf(id), value);
  applySettings();
}

const keyOf = (/** @type {Setting} */ id) => `leuthen.${id}`;

/** Writes the settings that style sheets read on the root element. */
export function applySettings() {
  for (const id of /** @type {const} */ (["labels", "keycaps", "dock"])) document.documentElement.dataset[id] = settingOf(id);
}

/** Opens the settings. A change takes effect at once. */
export async function openSettings() {
  const ids = /** @type {Setting[]} */ (Object.keys(SETTINGS.choices));
  const body = [el("p.muted", SETTINGS.about), ...ids.map(settingView)];
  const answers = /** @type {const} */ ([
    { label: COMMON.keys, value: "keys" },
    { label: COMMON.close, value: "", kind: "primary" },
  ]);
  if ((await openDialog({ title: SETTINGS.title, body: el("div.settings", ...body), answers })) === "keys") await showKeys();
}

/** @param {Setting} id */
function settingView(id) {
  const { label, values } = SETTINGS.choices[id];
  const options = optionsOf(Object.entries(values), settingOf(id));
  const select = el("select", { name: id, onchange: () => setSetting(id, select.value) }, ...options);
  return el("label.option", el("span", label), select);
}
