// One picture of the war, made for sharing: how it ended, the front, its battles. An SVG of its own, with its colours in it,
// saved as it is or as a PNG.

import { el, svg } from "../dom.js";
import { centre } from "../story/battle.js";

/** @import * as T from "../../types" */
/** @import { FrontSheet } from "./front.js" */
/** @import { Box, Ground } from "./ground.js" */

const [WIDTH, HEIGHT] = [1200, 630];
const INK = "#2a2418";
const PAPER = "#f4ead2";
const TINTS = ["#a8c6ff", "#f6dd8f"]; // as they are on the wash of the land
const STRONG = ["#24476f", "#8a6400", "#8b8069"];
const SERIF = "Georgia, 'Times New Roman', serif";
const MOST_BATTLES = 8;
const LINE = 46;
const LETTER = 0.6; // how wide a letter is for its height
/** Where the map stands, in px. */
const MAP = { x: 560, y: 15.5, width: WIDTH - 575.5, height: HEIGHT - 31 };

/** A text in lines of about so many letters. @param {string} text @param {number} [most] */
export function wrapped(text, most = LINE) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** As many whole sentences as there is room for, in lines. @param {readonly string[]} sentences @param {number} most lines */
export function fitting(sentences, most) {
  const told = sentences.reduce((text, next) => (wrapped(`${text} ${next}`, 48).length > most ? text : `${text} ${next}`), "");
  return wrapped(told.trim(), 48);
}

/**
 * @param {object} what
 * @param {string} what.title @param {string} what.result @param {readonly string[]} what.sentences
 * @param {T.Scene} what.scene @param {FrontSheet} what.sheet @param {readonly T.BattleReport[]} what.battles
 * @param {Ground | null} what.ground
 */
export function sharePicture({ title, result, sentences, scene, sheet, battles, ground }) {
  const words = (
    /** @type {readonly string[]} */ lines,
    /** @type {number} */ y,
    /** @type {number} */ size,
    /** @type {string} */ weight = "400",
  ) =>
    svg(
      "text",
      { x: 44, y, fill: INK, "font-family": SERIF, "font-size": size, "font-weight": weight },
      ...lines.map((line, at) => svg("tspan", { x: 44, dy: at ? size * 1.32 : 0 }, line)),
    );
  const head = wrapped(title, 26).slice(0, 2);
  const end = wrapped(result).slice(0, 4);
  const top = 84 + head.length * 48;
  const below = top + end.length * 28 + 34;
  const told = fitting(sentences, Math.floor((HEIGHT - 72 - below) / 27.72) + 1);
  return svg(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      class: "share",
      role: "img",
      "aria-label": `${title}. ${result}`,
    },
    svg("rect", { width: WIDTH, height: HEIGHT, fill: PAPER }),
    svg("rect", { x: 14, y: 14, width: WIDTH - 28, height: HEIGHT - 28, fill: "none", stroke: INK, "stroke-width": 3 }),
    words(head, 84, 36, "700"),
    words(end, top, 21, "600"),
    words(told, below, 21),
    svg(
      "text",
      { x: 44, y: HEIGHT - 40, fill: INK, "font-family": SERIF, "font-size": 18, "font-style": "italic" },
      "Leuthen · the Seven Years War",
    ),
    map(sheet, scene, battles, ground),
  );
}

/** The front with the battles on it, to the edge of the picture. @param {FrontSheet} sheet @param {T.Scene} scene @param {readonly T.BattleReport[]} battles @param {Ground | null} ground */
function map(sheet, scene, battles, ground) {
  const box = widened(sheet.box);
  const { left, top, right } = box;
  const scale = MAP.width / (right - left);
  const sideOf = (/** @type {string} */ place) => scene.holdings[place]?.side ?? 2;
  const tints = [...sheet.tinted].map(([place, paths]) =>
    svg("path", { d: paths.join(""), fill: sideOf(place) < 2 ? TINTS[sideOf(place)] : "none", style: { "mix-blend-mode": "multiply" } }),
  );
  const forts = sheet.forts.map((fort) => fortMark(fort, STRONG[sideOf(fort.fortress.place)] ?? INK, 15 / scale));
  const costliest = battles.toSorted((a, b) => cost(b) - cost(a)).slice(0, MOST_BATTLES);
  const marks = costliest.map((battle, at) => battleMark(battle, 17 / scale, isFree(battle, costliest.slice(0, at), 17 / scale)));
  return svg(
    "svg",
    { ...MAP, viewBox: `0 0 ${MAP.width} ${MAP.height}` },
    ground?.picture(box, MAP),
    svg("g", { transform: `scale(${scale}) translate(${-left} ${-top})` }, tints, forts, marks),
    svg("path", { d: `M1.5 0v${MAP.height}`, stroke: INK, "stroke-width": 3 }),
  );
}

/** A box as wide for its height as the map of the picture is. @param {Box} box @returns {Box} */
function widened({ left, top, right, bottom }) {
  const [wide, high] = [right - left, bottom - top];
  const aspect = MAP.width / MAP.height;
  const [x, y] = [Math.max(0, high * aspect - wide) / 2, Math.max(0, wide / aspect - high) / 2];
  return { left: left - x, top: top - y, right: right + x, bottom: bottom + y };
}

/** A fortress in the colour of who holds it. @param {{fortress: T.FortressCard, x: number, y: number}} fort @param {string} fill @param {number} unit */
function fortMark({ fortress, x, y }, fill, unit) {
  const size = unit * (fortress.is_great ? 0.5 : 0.36);
  return svg("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, fill, stroke: PAPER, "stroke-width": unit / 9 });
}

/** Whether the name of a battle lies clear of those of costlier ones. @param {T.BattleReport} battle @param {readonly T.BattleReport[]} others @param {number} unit */
function isFree({ name, place }, others, unit) {
  const { x, y } = centre(place);
  return others.every((other) => {
    const there = centre(other.place);
    const wide = ((name.length + other.name.length) / 2) * LETTER * unit;
    return Math.abs(x - there.x) > wide || Math.abs(y - there.y) > unit;
  });
}

/** Crossed swords, and the name of the battle over them. @param {T.BattleReport} battle @param {number} unit @param {boolean} named */
function battleMark({ name, place }, unit, named) {
  const { x, y } = centre(place);
  const halo = { stroke: PAPER, "stroke-width": unit / 4, "paint-order": "stroke", "stroke-linejoin": "round" };
  const look = { "text-anchor": "middle", "font-size": unit, "font-family": SERIF, "font-weight": 700, fill: "#8e1616" };
  return svg(
    "g",
    { transform: `translate(${x} ${y})` },
    svg("path", {
      d: `M${-unit / 2} ${-unit / 2}l${unit} ${unit}m${-unit} 0l${unit} ${-unit}`,
      stroke: "#9c1c1c",
      "stroke-width": unit / 5,
      fill: "none",
    }),
    named ? svg("text", { y: -0.75 * unit, ...halo, ...look }, name) : null,
  );
}

/** @param {T.BattleReport} battle */
function cost({ sides }) {
  return sides.reduce((sum, host) => sum + host.lost + (host.taken ?? 0), 0);
}

/** The picture with what saves it. @param {SVGSVGElement} picture @param {string} name of the file, without its ending */
export function shareView(picture, name) {
  const source = () => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`;
  return el(
    "figure",
    { class: "share-figure" },
    picture,
    el(
      "figcaption",
      { class: "row no-print" },
      el(
        "button",
        { type: "button", class: "primary", dataset: { do: "save-png" }, onclick: async () => save(await png(source()), `${name}.png`) },
        "Save the picture (PNG)",
      ),
      el("button", { type: "button", dataset: { do: "save-svg" }, onclick: () => save(source(), `${name}.svg`) }, "Save it as SVG"),
    ),
  );
}

/** @param {string} href @param {string} download */
function save(href, download) {
  el("a", { href, download }).click();
}

/** @param {string} source @returns {Promise<string>} */
async function png(source) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = el("canvas", { width: 2 * WIDTH, height: 2 * HEIGHT });
  canvas.getContext("2d")?.drawImage(image, 0, 0, 2 * WIDTH, 2 * HEIGHT);
  return canvas.toDataURL("image/png");
}
