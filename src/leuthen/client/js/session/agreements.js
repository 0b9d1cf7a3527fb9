// What the sides of a table may agree on beside the rules: what may be taken back, in words, and newer rulings.

/** @import * as T from "../../types" */

/** What may be taken back at this table, and what becomes of the dice. @param {T.Fresh} table */
export function takebackWords(table) {
  if (table.takebacks === "free")
    return "In this game each side takes back what it likes. Dice that are taken back fall again as they did.";
  if (table.seats.some((seat) => !["person", "open", "watcher"].includes(seat.who)))
    return "The machine agrees unless a die was rolled since, or you have learned something hidden.";
  const asked = "The other side is shown what that uncovers, and decides.";
  return table.takebacks === "never"
    ? `${asked} In this game nothing goes back behind a die, or behind something hidden that you have learned.`
    : `${asked} Dice that are taken back fall again as they did.`;
}

/**
 * The newest ruling, if the game is played by older ones that its players may replace; 0 if not.
 * @param {T.Setting} setting @param {T.Fresh} table
 */
export function newerRulings(setting, table) {
  const newest = Number(setting.options.find((option) => option.name === "rulings")?.values[0] ?? 0);
  return newest > Number(table.options.rulings ?? newest) ? newest : 0;
}
