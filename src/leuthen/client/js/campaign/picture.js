// One picture of the war, made for sharing: how it ended, the front, its battles. An SVG of its own, with its colours in it,
// saved as it is or as a PNG.

import { button, el, fill, format, optionsOf, plural, svg } from "../dom.js";
import { Drawing, Grid, PAINT, UNIT, moveTo, fetchSheetText, parsedSheet, sizeOf, townsOn } from "../map/sheet.js";
import { CAMPAIGN, PLAYBACK, STORY } from "../strings/pages.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "../session/api.js" */

const [WIDTH, HEIGHT] = [1200, 630];
const INK = "#2a2418";
const PAPER = "#f4ead2";
const TINTS = ["#a8c6ff", "#f6dd8f"]; // as they are on the wash of the land
const STRONG = ["#24476f", "#8a6400", "#8b8069"];
const SERIF = "Georgia, 'Times New Roman', serif";
const MOST_BATTLES = 8;
const LINE = 46;
const LETTER = 0.6; // how wide a letter is for its height
/** Position of the map, in px. */
const MAP = { x: 560, y: 15.5, width: WIDTH - 575.5, height: HEIGHT - 31 };

/** Wrap a text into lines of about this many letters. @param {string} text @param {number} [most] */
function wrapped(text, most = LINE) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** As many whole sentences as fit, wrapped into lines. @param {readonly string[]} sentences @param {number} most lines */
export function fitSentences(sentences, most) {
  const told = sentences.reduce((text, next) => (wrapped(`${text} ${next}`, 48).length > most ? text : `${text} ${next}`), "");
  return wrapped(told.trim(), 48);
}

/**
 * @param {object} what @param {string} what.title @param {string} what.result @param {readonly string[]} what.sentences
 * @param {T.Scene} what.scene @param {FrontSheet} what.sheet @param {readonly T.BattleReport[]} what.battles
 * @param {Ground | null} what.ground
 */
export function sharePicture({ title, result, sentences, scene, sheet, battles, ground }) {
  /** @param {readonly string[]} lines @param {number} y @param {number} size @param {string} [weight] */
  const words = (lines, y, size, weight = "400") =>
    svg(
      "text",
      { x: 44, y, fill: INK, "font-family": SERIF, "font-size": size, "font-weight": weight },
      ...lines.map((line, at) => svg("tspan", { x: 44, dy: at ? size * 1.32 : 0 }, line)),
    );
  const head = wrapped(title, 26).slice(0, 2);
  const end = wrapped(result).slice(0, 4);
  const top = 84 + head.length * 48;
  const below = top + end.length * 28 + 34;
  const told = fitSentences(sentences, Math.floor((HEIGHT - 72 - below) / 27.72) + 1);
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT };
  return svg(
    "svg.share",
    { xmlns: "http://www.w3.org/2000/svg", ...size, role: "img", "aria-label": `${title}. ${result}` },
    svg("rect", { width: WIDTH, height: HEIGHT, fill: PAPER }),
    svg("rect", { x: 14, y: 14, width: WIDTH - 28, height: HEIGHT - 28, fill: "none", stroke: INK, "stroke-width": 3 }),
    words(head, 84, 36, "700"),
    words(end, top, 21, "600"),
    words(told, below, 21),
    svg("text", { x: 44, y: HEIGHT - 40, fill: INK, "font-family": SERIF, "font-size": 18, "font-style": "italic" }, CAMPAIGN.imprint),
    map(sheet, scene, battles, ground),
  );
}

/** The front with its battles, up to the picture's edge. @param {FrontSheet} sheet @param {T.Scene} scene @param {readonly T.BattleReport[]} battles @param {Ground | null} ground */
function map(sheet, scene, battles, ground) {
  const box = widenBox(sheet.box);
  const { left, top, right } = box;
  const scale = MAP.width / (right - left);
  const sideOf = (/** @type {string} */ place) => scene.holdings[place]?.side ?? 2;
  const tints = [...sheet.tinted].map(([place, paths]) =>
    svg("path", { d: paths.join(""), fill: sideOf(place) < 2 ? TINTS[sideOf(place)] : "none", style: { "mix-blend-mode": "multiply" } }),
  );
  const forts = sheet.forts.map(({ fortress, x, y }) => {
    const size = (fortress.is_great ? 7.5 : 5.4) / scale;
    const look = { fill: STRONG[sideOf(fortress.place)], stroke: PAPER, "stroke-width": 5 / 3 / scale };
    return svg("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, ...look });
  });
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

/** Widen a box to the proportions of the picture's map. @param {Box} box @returns {Box} */
function widenBox({ left, top, right, bottom }) {
  const [wide, high] = [right - left, bottom - top];
  const aspect = MAP.width / MAP.height;
  const [x, y] = [Math.max(0, high * aspect - wide) / 2, Math.max(0, wide / aspect - high) / 2];
  return { left: left - x, top: top - y, right: right + x, bottom: bottom + y };
}

/** True if a battle's name overlaps no other. @param {T.BattleReport} battle @param {readonly T.BattleReport[]} others @param {number} unit */
function isFree({ name, place }, others, unit) {
  const { x, y } = UNIT.centre(place);
  return others.every((other) => {
    const there = UNIT.centre(other.place);
    const wide = ((name.length + other.name.length) / 2) * LETTER * unit;
    return Math.abs(x - there.x) > wide || Math.abs(y - there.y) > unit;
  });
}

/** Crossed swords with the battle's name above. @param {T.BattleReport} battle @param {number} unit @param {boolean} named */
function battleMark({ name, place }, unit, named) {
  const d = `M${-unit / 2} ${-unit / 2}l${unit} ${unit}m${-unit} 0l${unit} ${-unit}`;
  const halo = { stroke: PAPER, "stroke-width": unit / 4, "paint-order": "stroke", "stroke-linejoin": "round" };
  const look = { "text-anchor": "middle", "font-size": unit, "font-family": SERIF, "font-weight": 700, fill: "#8e1616" };
  return svg(
    "g",
    { transform: moveTo(UNIT.centre(place)) },
    svg("path", { d, stroke: "#9c1c1c", "stroke-width": unit / 5, fill: "none" }),
    named ? svg("text", { y: -0.75 * unit, ...halo, ...look }, name) : null,
  );
}

const cost = (/** @type {T.BattleReport} */ { sides }) => sides.reduce((sum, host) => sum + host.lost + (host.taken ?? 0), 0);

/** The picture with its download buttons. @param {SVGSVGElement} picture @param {string} name of the file, without its ending */
export function shareView(picture, name) {
  const source = () => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`;
  return el(
    "figure.share-figure",
    picture,
    el(
      "figcaption.row.no-print",
      button(CAMPAIGN.savePng, "save-png", async () => save(await png(source()), `${name}.png`), "primary"),
      button(CAMPAIGN.saveSvg, "save-svg", () => save(source(), `${name}.svg`)),
    ),
  );
}

const save = (/** @type {string} */ href, /** @type {string} */ download) => el("a", { href, download }).click();

/** @param {string} source @returns {Promise<string>} */
async function png(source) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = el("canvas", { width: 2 * WIDTH, height: 2 * HEIGHT });
  canvas.getContext("2d")?.drawImage(image, 0, 0, 2 * WIDTH, 2 * HEIGHT);
  return canvas.toDataURL("image/png");
}

// Small maps of who held what: every hex near a fortress is tinted after the one that is nearest.

/** Radius in hexes that a fortress tints. */
const NEAR = 4.2;

let sheets = 0;
const ROW = Math.sqrt(3) / 2;

/** A hexagon as a path. @param {{x: number, y: number}} at */
const hexagon = ({ x, y }) => `M${x.toFixed(1)} ${(y - 0.58).toFixed(2)}l.5.29v.58l-.5.29-.5-.29v-.58z`;

/** The sheet of a rule set, created once and drawn for every year. */
export class FrontSheet {
  /**
   * @param {T.Setting} setting @param {T.Scene} scene whose fortresses are drawn: of a part of the map, if that is played
   * @param {Ground | null} ground on which it is drawn
   * @param {boolean} [isStill] whether its drawings stand beside each other: then each has the ground as an image
   */
  constructor(setting, scene, ground, isStill = false) {
    this.setting = setting;
    this.forts = setting.fortresses
      .filter(({ place }) => scene.holdings[place])
      .map((fortress) => ({ fortress, ...(ground?.townAt(fortress.place) ?? UNIT.centre(fortress.place)) }));
    const [xs, ys] = [this.forts.map(({ x }) => x), this.forts.map(({ y }) => y)];
    this.box = { left: Math.min(...xs) - 2, top: Math.min(...ys) - 2, right: Math.max(...xs) + 2, bottom: Math.max(...ys) + 2 };
    /** @type {Map<string, string[]>} the hexes that each fortress tints, as paths */
    this.tinted = new Map();
    this.#tint();
    this.ground = ground;
    this.isStill = isStill;
    this.layer = /** @type {SVGElement | null} */ (null);
  }

  #tint() {
    const { left, top, right, bottom } = this.box;
    for (let row = Math.floor(-bottom / ROW); row <= -top / ROW; row += 1)
      for (let column = Math.floor(left); column <= right; column += 1) {
        const at = UNIT.centre(String(row).padStart(2, "0") + String(column).padStart(2, "0"));
        const [nearest] = this.forts
          .map((fort) => ({ fort, far: Math.hypot(fort.x - at.x, fort.y - at.y) }))
          .toSorted((a, b) => a.far - b.far);
        if (!nearest || nearest.far > NEAR) continue;
        const { place } = nearest.fort.fortress;
        this.tinted.set(place, [...(this.tinted.get(place) ?? []), hexagon(at)]);
      }
  }

  /** Scale of drawn symbols: 1 on the whole map, less on a part of it. */
  get size() {
    return Math.max(0.5, Math.min(1, (this.box.right - this.box.left) / 44));
  }

  /** The map of a scene. @param {T.Scene} scene @param {string} title */
  draw(scene, title) {
    const { left, top, right, bottom } = this.box;
    const wide = right - left;
    const look = this.ground ? { class: "front map", "data-level": wide > WIDE ? "far" : "close" } : { class: "front" };
    const lines = svg("path", { d: "M0 0 1 1M-.5 .5 .5 1.5M.5-.5 1.5 .5" });
    const hatch = svg("pattern", { id: `front-${(sheets += 1)}`, width: 1, height: 1, patternUnits: "userSpaceOnUse" }, lines);
    const box = { viewBox: `${left} ${top} ${wide} ${bottom - top}`, style: { "--wide": wide } };
    const map = svg("svg", { ...look, ...box, role: "img" }, hatch, this.#layer());
    return this.show(map, scene, title);
  }

  /** Draw another scene; the ground, which is large, stays as it is. @param {SVGElement} map @param {T.Scene} scene @param {string} title */
  show(map, scene, title) {
    const sideOf = (/** @type {string} */ place) => scene.holdings[place]?.side ?? 2;
    const hatch = map.querySelector("pattern")?.id;
    const tints = [0, 1, 2].map((side) => {
      const d = [...this.tinted].flatMap(([place, paths]) => (sideOf(place) === side ? paths : [])).join("");
      return [svg("path.tint", { "data-side": side, d }), side === 1 ? svg("path", { d, fill: `url(#${hatch})` }) : null];
    });
    const marks = this.forts.map((fort) => this.#mark(fort, sideOf(fort.fortress.place), scene.holdings[fort.fortress.place]));
    const [first, second, third] = [0, 1, 2].map((side) => this.forts.filter(({ fortress }) => sideOf(fortress.place) === side).length);
    const [one, other] = this.setting.sides;
    map.setAttribute("aria-label", `${title}: ${format(CAMPAIGN.fortresses, { one, first, other, second, third })}`);
    map.querySelector(":scope > .front-marks")?.remove();
    map.append(svg("g.front-marks", tints.flat(), marks));
    return map;
  }

  /** The ground, shared by all drawings because it is large. */
  #layer() {
    if (this.isStill) return this.ground?.still(this.box) ?? null;
    this.layer ??= this.ground?.view(this.box) ?? null;
    return this.layer;
  }

  /** @param {{fortress: T.FortressCard, x: number, y: number}} fort @param {number} side @param {T.HeldFortress | undefined} holding */
  #mark({ fortress, x, y }, side, holding) {
    const size = (fortress.is_great ? 0.55 : 0.32) * (this.ground ? 0.7 * this.size : 1);
    const [square, lozenge] = [
      `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`,
      `M${x} ${y - size}l${size} ${size} ${-size} ${size} ${-size} ${-size}z`,
    ];
    return svg(
      "g",
      { class: holding?.is_held ? "fort held" : "fort", "data-side": side },
      side === 1 ? svg("circle", { cx: x, cy: y, r: size }) : svg("path", { d: side ? lozenge : square }),
      fortress.is_great && !this.ground ? svg("text", { x, y: y - 0.9 }, fortress.name) : null,
      svg("title", holding?.text ?? fortress.name),
    );
  }
}

// The engraved sheet under the maps of the story: one wash for every land, so that tints tell who holds it.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box in hexes */

const WASH = /var\(--map-wash-[a-z-]+,#[0-9a-f]+\)/g;
const LAND = "var(--map-land,#f2e7cb)";
/** From this width in hexes, only major fortresses are named. */
const WIDE = 26;
/** Height of names in a picture, in px. */
const WRITTEN = 15;
/** Width of a still image, in px. */
const STILL = 600;
const SMALL = [".legend", ".grid", ".names-town", ".names-walls", ".names-battle", ".names-pass", ".names-fortress"];

export class Ground {
  /** The current still image. @type {Drawing | null} */
  #still = null;

  /** @param {string} text of a sheet which has hexes */
  constructor(text) {
    this.text = text;
    const sheet = parsedSheet(text);
    this.grid = Grid.of(sheet);
    /** The sheet as an image, its size in px, and where its hexes lie. */
    this.print = { ...sizeOf(sheet), drawing: new Drawing(text), grid: this.grid };
    this.towns = townsOn(sheet, this.grid);
  }

  /** Position of the town in a hex, in hexes; null if there is none. @param {string} place */
  townAt(place) {
    const at = this.towns.get(place);
    const { size, zero } = this.grid;
    return at && { x: (at.x - zero.x) / size, y: (at.y - zero.y) / size };
  }

  /** The ground of a rule set, or null if its sheet has no hexes. @param {T.Setting} setting */
  static async fetch(setting) {
    const text = await fetchSheetText(setting.ruleset);
    return parsedSheet(text).hasAttribute("data-zero") ? new Ground(text) : null;
  }

  /** A part of the ground in the page's colours, in hexes. @param {Box} box */
  view(box) {
    const { left, top, right, bottom } = box;
    const place = { x: left, y: top, width: right - left, height: bottom - top };
    return this.#section(parsedSheet(this.text), box, place);
  }

  /** A part of the ground as an image, for pages that show many. @param {Box} box the same each time */
  still(box) {
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const drawn = () => this.#part(this.#land, box, { width: STILL, height: (STILL * height) / width });
    this.#still ??= new Drawing(new XMLSerializer().serializeToString(drawn()));
    return this.#still.image({ x: box.left, y: box.top, width, height });
  }

  /** A part of the ground for a picture on paper, at the given size. @param {Box} box @param {{width: number, height: number}} size */
  picture(box, size) {
    return this.#part(this.#land.replaceAll("sheet-", "share-").replaceAll(PAINT, "$2"), box, size);
  }

  /** The sheet with a wash of colour for each land. */
  get #land() {
    return this.text.replaceAll(WASH, LAND);
  }

  /** @param {string} text @param {Box} box @param {{width: number, height: number}} size */
  #part(text, box, { width, height }) {
    const sheet = parsedSheet(text);
    for (const name of SMALL) sheet.querySelector(name)?.remove();
    const size = (WRITTEN * (box.right - box.left) * this.grid.size) / width;
    const names = sheet.querySelector(".names-great");
    names?.setAttribute("font-size", size.toFixed(1));
    names?.setAttribute("stroke-width", (size / 5).toFixed(1));
    return this.#section(sheet, box, { width, height });
  }

  /** A part of a sheet. @param {SVGSVGElement} sheet @param {Box} box @param {Record<string, number>} place where it is put, and how large */
  #section(sheet, { left, top, right, bottom }, place) {
    const { size, zero } = this.grid;
    const box = [zero.x + left * size, zero.y + top * size, (right - left) * size, (bottom - top) * size];
    return svg("svg.sheet", { ...place, viewBox: box.join(" "), preserveAspectRatio: "none" }, ...sheet.childNodes);
  }
}

// The film of the campaign: the front turn by turn with the armies as they were seen, played or stepped through; battles are
// marked on the bar. Scenes are fetched as they are shown, the next ones meanwhile.

/** Turns per second, by name of the speed. */
const SPEEDS = { slow: 0.7, normal: 1.5, fast: 4 };

/** @typedef {{n: number, date: string, battles: readonly T.LogEntry[], scene?: T.Scene}} Frame */

/** @param {SeatApi} api @param {FrontSheet} sheet @param {readonly Frame[]} frames @param {number | undefined} viewer */
export function filmView(api, sheet, frames, viewer) {
  const last = frames.length - 1;
  let at = 0;
  let timer = 0;
  /** @type {SVGElement | null} */
  let map = null;
  /** @type {Map<number, Promise<T.Scene>>} */
  const scenes = new Map();
  const picture = el("div.film-picture");
  const words = el("p.film-words", { "aria-live": "polite" });
  const oninput = () => void show(Number(bar.value));
  const bar = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": CAMPAIGN.turnShown, oninput });
  const play = button(PLAYBACK.play, "film-play", () => toggle(), "primary");
  const onchange = () => timer && run();
  const speeds = Object.entries(SPEEDS).map(([name, value]) => [value, name]);
  const speed = el("select", { "aria-label": CAMPAIGN.speed, onchange }, ...optionsOf(speeds, SPEEDS.normal));

  const run = () => {
    clearInterval(timer);
    timer = window.setInterval(() => (at >= last ? stop() : void show(at + 1)), 1000 / Number(speed.value));
    play.textContent = PLAYBACK.pause;
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = PLAYBACK.play;
  };
  const toggle = () => {
    if (timer) return stop();
    if (at === last) void show(0);
    return run();
  };
  const step = (/** @type {number} */ by, /** @type {string} */ label, /** @type {string} */ sign) => {
    const onclick = () => {
      stop();
      void show(Math.max(0, Math.min(last, at + by)));
    };
    return el("button", { "aria-label": label, onclick }, sign);
  };
  /** @param {number} index @returns {Promise<T.Scene>} */
  const sceneAt = (index) => {
    const { scene, n } = /** @type {Frame} */ (frames[index]);
    const known = scenes.get(index) ?? (scene ? Promise.resolve(scene) : api.past(n, viewer).then((past) => past.scene));
    scenes.set(index, known);
    return known;
  };
  const show = async (/** @type {number} */ index) => {
    at = index;
    bar.value = String(index);
    const { date, battles } = /** @type {Frame} */ (frames[index]);
    bar.setAttribute("aria-valuetext", date);
    const scene = await sceneAt(index);
    if (at !== index) return;
    map = map ? sheet.show(map, scene, date) : sheet.draw(scene, date);
    map.lastElementChild?.append(...armies(scene, sheet.size), ...battles.map((told) => swordsView(told, sheet.size)));
    if (!map.isConnected) fill(picture, map);
    const names = battles.map((told) => told.battle?.name).join(", ");
    const vp = scene.scores[0];
    const score = vp ? `${vp.label} ${vp.values[0]} to ${vp.values[1]}` : "";
    const fought = names && `${plural(battles.length, STORY.battle)}: ${names}`;
    words.textContent = [date, score, fought].filter(Boolean).join(" · ");
    if (index < last) void sceneAt(index + 1);
  };
  const marks = frames.flatMap(({ battles, date }, index) => {
    if (!battles.length) return [];
    const label = format(CAMPAIGN.battlesAt, { date, battles: battles.map((told) => told.battle?.name).join(", ") });
    const style = { left: `${(100 * index) / Math.max(1, last)}%` };
    return [el("button.film-mark", { style, "aria-label": label, onclick: () => void show(index) }, "⚔")];
  });
  void show(0);
  return el(
    "div.film",
    picture,
    words,
    el("div.film-bar", bar, el("div.film-marks", ...marks)),
    el("p.row.no-print", play, step(-1, CAMPAIGN.previous, "‹"), step(1, CAMPAIGN.next, "›"), speed),
  );
}

/** The armies in the field, scaled by their known size. @param {T.Scene} scene @param {number} unit */
const armies = ({ pieces }, unit) =>
  Object.values(pieces)
    .filter(({ inside, side, leaders = [] }) => !inside && side < 2 && leaders.length)
    .map((piece) => {
      const size = unit * (0.6 + Math.min(0.6, Math.sqrt(Math.max(1, piece.low)) / 10));
      const block = svg("rect", { x: -1.25 * size, y: -size, width: 2.5 * size, height: 2 * size, rx: piece.side * 0.9 * size });
      const strength = svg("text", { style: { "font-size": `${1.3 * size}px` }, y: 0.45 * size }, piece.strength);
      const title = svg("title", piece.spoken);
      return svg("g.army", { "data-side": piece.side, transform: moveTo(UNIT.centre(piece.place)) }, block, strength, title);
    });

/** @param {T.LogEntry} told @param {number} unit */
function swordsView(told, unit) {
  return svg(
    "g.battle-mark",
    { transform: moveTo(UNIT.centre(told.battle?.place ?? "0000")) },
    svg("path", { d: "M-.9-.9.9.9M-.9.9.9-.9", transform: `scale(${unit})` }),
    svg("text", { y: -1.2 * unit }, told.battle?.name ?? ""),
  );
}
