// An order in the making: keeps what the player has chosen, asks the server what that comes to, and sends it.

import { Emitter, deviceStorage, tabStorage } from "../dom.js";
import { Refused } from "../session/api.js";
import * as forms from "./form.js";
import { HALT, Sequel } from "./going-on.js";
import { settingOf } from "../settings.js";
import { ORDER } from "../strings/order.js";

/** @import * as T from "../../types" */
/** @import { Pointed } from "../map/index.js" */
/** @import { SeatApi } from "../session/api.js" */
/** @import { Sender } from "../session/sender.js" */
/** @import { Store } from "../session/store.js" */

const DELAY = 120;
/** Storage key of the setting that marches halt at their last hex. */
const HALTS = "leuthen.halts";

/** @typedef {Record<string, string>} PartialOrder */

/**
 * Dispatches `change` when the form or guide is new, `stale` when the form belongs to an earlier question, `recovered` when the connection is back, `point` when another path is pointed at, `refused`
 * (detail Reason) when a click is refused, `sending` before and `sent` after the player's order, and `left` (detail: the stage) when the rest is to be skipped.
 */
export class Composer extends Emitter {
  /** @type {PartialOrder} */
  partialOrder = {};
  /** @type {T.Form | null} the order so far; null while nobody is asked */
  form = null;
  /** @type {Guide} */
  guide = new Guide();
  /** @type {string[]} the way pointed at */
  pointed = [];
  /** True if the form belongs to an earlier question. */
  isStale = false;
  /** True for touch: pointing needs a tap of its own, and the second tap sends. */
  isTouched = false;

  /** True if the last request for a form was not answered: it is repeated when the connection is back. */
  #isLost = false;
  #decision = "";
  /** Number of the latest news when the order was begun. */
  #n = -1;
  /** True if the order was begun before the page was left. */
  #isTakenUp = false;
  #timer = 0;
  /** @type {AbortController | null} */
  #asking = null;
  /** The selection on the map in progress. @type {Promise<void>} */
  #picking = Promise.resolve();
  /** True if the question was reached by an undo: the player then answers it, even if there is only one answer. */
  #isReopened = false;
  /** True while the player is asked to confirm the end of the phase. */
  #isEnding = false;
  /** The answer to send along with this order. */
  #halt = "";

  /** The suggested order, which ends a phase without a warning; "" for none. */
  advised = "";

  /** @param {Store} store @param {SeatApi} api @param {Sender} sender @param {() => Promise<boolean>} mayEnd asked before a phase ends */
  constructor(store, api, sender, mayEnd) {
    super();
    this.store = store;
    this.api = api;
    this.sender = sender;
    this.mayEnd = mayEnd;
    this.keptAs = `leuthen.order.${api.seat}`;
    this.sequel = new Sequel(store, api, sender, {
      ask: () => this.#restart(),
      refresh: () => this.refresh(),
      fail: (error) => this.#failed(error),
      leave: (until) => this.tell("left", until),
    });
    store.on("connection", (connection) => connection === "live" && this.#isLost && void this.ask());
  }

  /** The form with the displayed reach: the order's own, or that of the force that may march on. @returns {T.Form | null} */
  get walking() {
    const own = this.form && Object.keys(this.form.reach ?? {}).length > 0 ? this.form : null;
    return own ?? (this.form && !forms.kindField(this.form)?.value ? (this.guide.walk?.[1] ?? null) : null);
  }

  /** Handle new log entries. @param {readonly T.LogEntry[]} told @param {boolean} isAnew something was taken back, or is not known */
  onEntries(told, isAnew) {
    this.sequel.onEntries(told, isAnew);
    if (isAnew || told.length) this.#isReopened = isAnew;
  }

  /** Handle a change of the table: continue what runs by itself, or start a new order, of the same kind if the decision is the same. */
  refresh() {
    if (!this.#canOrder || !this.sequel.proceed()) this.#restart();
  }

  /** End a march where it is. */
  halt() {
    this.sequel.stop();
    this.#restart();
  }

  #restart() {
    const asked = this.store.asked;
    const decision = asked ? `${asked.decision} ${asked.rule}` : "";
    const { n } = this.store.table;
    const isSame = decision === this.#decision && n === this.#n;
    if (!this.#decision) this.#takeUp(decision);
    const kind = this.partialOrder.do;
    const wasRepeatable = this.form?.fields.some((field) => field.kind === "hex" || field.kind === "leader") ?? false;
    const goesOn = decision === this.#decision && kind !== undefined && wasRepeatable;
    if (!isSame && !this.#isTakenUp) this.partialOrder = goesOn ? { do: kind } : {};
    this.#isTakenUp = false;
    this.#decision = decision;
    this.#n = n;
    this.#halt = "";
    this.guide = new Guide();
    this.pointed = [];
    this.isStale = true;
    this.tell("stale");
    if (!asked) this.#setForm(null); // nobody answers what is not asked any more
    void this.#askAgain();
  }

  /** Restore the unfinished order of an earlier visit, if the question is the same. @param {string} decision */
  #takeUp(decision) {
    const { n = -1, asked = "", partialOrder = {} } = JSON.parse(tabStorage.getItem(this.keptAs) ?? "{}");
    this.#isTakenUp = decision !== "" && asked === decision && n === this.store.table.n && Object.keys(partialOrder).length > 0;
    if (this.#isTakenUp) this.partialOrder = partialOrder;
  }

  async #askAgain() {
    await this.ask();
    if (this.form?.refused?.length && this.isBegun) {
      this.partialOrder = {};
      await this.ask();
    }
    await this.#answerEvident();
  }

  /** Answer questions that need no player, unless the player wants to answer them; a lesson or drill leaves all to the player. */
  async #answerEvident() {
    const { asked, table } = this.store;
    const order = this.form && forms.evidentOf(this.form, this.guide.forms);
    const isLesson = table.scenario.includes(":");
    const isOff = isLesson || this.isBegun || this.isStale || this.#isReopened || this.sender.isBusy || table.staff?.is_at_work;
    if (order && asked && !isOff && settingOf("evident") === "skip") await this.sender.order(order);
  }

  /** Add or change answers. @param {PartialOrder} partialOrder @param {readonly string[]} [without] names of what is dropped */
  choose(partialOrder, without = []) {
    this.partialOrder = { ...forms.withoutNames(this.partialOrder, without), ...partialOrder };
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.ask(), DELAY);
  }

  /** Start a new order. @param {PartialOrder} partialOrder */
  async begin(partialOrder) {
    this.partialOrder = partialOrder;
    await this.ask();
    await this.#includeCompanions();
  }

  /** Show a suggested order, which the player can change. @param {PartialOrder} partialOrder */
  async propose(partialOrder) {
    this.partialOrder = partialOrder;
    await this.ask();
    const places = this.form ? [...(this.form.start ? [this.form.start] : []), ...forms.chosenPath(this.form)] : [];
    if (places.length) this.tell("proposed", places);
  }

  /** Choose a kind of order; a complete one is sent. @param {string} token */
  async chooseKind(token) {
    const field = this.form && forms.kindField(this.form);
    if (!field || this.isStale) return;
    await this.begin({ [field.key]: token });
    if (this.form && forms.needsNoMore(this.form)) await this.send();
  }

  /** Answer with the ending order, or show why it is barred. */
  async end() {
    const field = this.form && forms.kindField(this.form);
    const kinds = field?.choices.map(({ token }) => token) ?? [];
    if (kinds.includes(forms.ENDING) && this.form?.neutral === forms.ENDING) return this.chooseKind(forms.ENDING);
    const text = kinds.includes(HALT) ? ORDER.endMarchFirst : ORDER.nothingToEnd;
    return this.tell("refused", field?.barred?.find(({ token }) => token === forms.ENDING)?.reason ?? { rule: "", text });
  }

  /** Cancel the order in progress. @returns {boolean} whether there was one */
  cancel() {
    const had = this.isBegun;
    this.partialOrder = {};
    this.pointed = [];
    if (had) this.tell("cancelled");
    if (had) void this.ask();
    return had;
  }

  /** True if an order is in progress. */
  get isBegun() {
    return Object.keys(this.partialOrder).length > 0;
  }

  /** True unless the viewer is a spectator, looks back, or the game has ended. */
  get #canOrder() {
    return this.store.side < 2 && this.store.isLive && !this.store.table.has_ended;
  }

  /** Request the form of the current answers; only the latest answer counts. */
  async ask() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    if (!this.#canOrder) return this.#setForm(null);
    const asking = (this.#asking = new AbortController());
    try {
      const form = await this.api.form(this.partialOrder, asking.signal);
      if (asking.signal.aborted) return;
      if (this.#isLost) this.tell("recovered");
      this.#isLost = false;
      this.#setForm(form.fields.length ? form : null);
      if (this.form && !this.guide.forms.size) await this.#loadGuide(this.form, asking.signal);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** @param {T.Form | null} form */
  #setForm(form) {
    this.form = form;
    this.isStale = false;
    const made = { n: this.store.table.n, asked: this.#decision, partialOrder: this.partialOrder };
    if (Object.keys(this.partialOrder).length) tabStorage.setItem(this.keptAs, JSON.stringify(made));
    else tabStorage.removeItem(this.keptAs);
    this.tell("change");
  }

  /** Request all forms that an open choice of kinds leads to. @param {T.Form} form @param {AbortSignal} signal */
  async #loadGuide(form, signal) {
    const base = Object.keys(this.partialOrder).length ? await this.api.form({}, signal) : form;
    const field = forms.kindField(base);
    if (!field?.choices.length || field.value) return;
    const kinds = field.choices.map(({ token }) => token);
    const found = await Promise.all(kinds.map((kind) => this.api.form({ [field.key]: kind }, signal)));
    if (signal.aborted) return;
    this.guide = new Guide(new Map(kinds.map((kind, index) => [kind, found[index]])));
    this.tell("change");
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    if (!(error instanceof Refused)) throw error;
    this.#isLost = error.isOffline;
    if (error.isOffline) this.tell("refused", { rule: "", text: ORDER.choiceKept });
    else this.tell("refused", { rule: error.problem.rule, text: error.problem.detail, place: error.problem.place });
    this.isStale = this.isStale && error.isOffline;
  }

  /** Include every possible companion, until the player decides otherwise. */
  async #includeCompanions() {
    const crew = this.form && forms.marchersOf(this.form);
    const first = crew?.list[0];
    if (!first || first.is_given) return;
    const others = first.choices.map((choice) => choice.token).filter((token) => Number(token) >= 0);
    if (!others.length) return;
    this.partialOrder = { ...this.partialOrder, ...forms.listAnswers(first.name, others) };
    await this.ask();
  }

  // --- the map ---

  /** Handle a selected hex or counter. @param {Pointed} pointed @param {{isVia?: boolean}} [how] */
  pick(pointed, { isVia = false } = {}) {
    return (this.#picking = this.#pick(pointed, isVia));
  }

  /** @param {Pointed} pointed @param {boolean} isVia */
  async #pick({ place, key }, isVia) {
    if (!this.form || !place || this.isStale || this.sender.isBusy) return;
    if (await this.#pickPath(place, isVia)) return;
    if (await this.#pickHex(place, key)) return;
    if (this.walking?.start !== place) await this.#startOrderAt(place, key);
  }

  /** Prepare the march of a counter dragged to a hex. @param {string} place */
  async drop(place) {
    await this.#picking;
    if (this.walking && place !== this.walking.start) await this.pick({ place });
  }

  /** Start an order for the stack at a place, or show why there is none. @param {string} place @param {string} [key] */
  async #startOrderAt(place, key) {
    const before = this.partialOrder;
    const isOwn = key !== undefined && this.store.scene.pieces[key]?.side === this.store.side;
    const barred = isOwn || !this.form ? undefined : (forms.barredAt(this.form, place) ?? (await this.#explainUnreachable(place)));
    await this.begin({ at: key ?? place });
    const refused = this.form?.refused?.[0];
    if (!refused) return;
    const partialOrder = await this.#answerByPlace(before, key ?? place);
    this.partialOrder = partialOrder ?? before;
    await this.ask();
    if (!partialOrder) this.tell("refused", barred ?? refused);
  }

  /**
   * Answer the question for a side or force by the place of the stack.
   * @param {PartialOrder} before @param {string} at @returns {Promise<PartialOrder | undefined>}
   */
  async #answerByPlace(before, at) {
    for (const form of [await this.api.form(before), ...this.guide.forms.values()]) {
      const [kind, field] = [forms.kindField(form), forms.openField(form)];
      if (field?.kind !== "power") continue;
      for (const { token } of field.choices) {
        const partialOrder = { ...(kind?.value ? { [kind.key]: kind.value } : {}), [field.key]: token, at };
        if (!(await this.api.form(partialOrder)).refused?.length) return partialOrder;
      }
    }
    return undefined;
  }

  /** Show why the moving force cannot reach a place. @param {string} place @returns {Promise<T.Objection | undefined>} */
  async #explainUnreachable(place) {
    const walking = this.walking;
    if (!walking) return undefined;
    const kind = walking === this.form ? this.partialOrder : { do: this.guide.walk?.[0] ?? "" };
    const form = await this.api.form({ ...forms.withoutNames(kind, ["path"]), path: place });
    return form.refused?.[0];
  }

  /** Prepare a march to a reachable hex; a second click there orders it. @param {string} place @param {boolean} isVia */
  async #pickPath(place, isVia) {
    const walking = this.walking;
    if (!walking?.reach?.[place]) return false;
    if (this.form?.order && forms.chosenPath(this.form).at(-1) === place) return this.send();
    /** @type {PartialOrder} */
    const kind = walking === this.form ? {} : { do: this.guide.walk?.[0] ?? "" };
    const before = isVia && this.form ? forms.chosenPath(this.form).slice(1) : [];
    const answers = { ...forms.withoutNames(this.partialOrder, ["path", "at"]), ...this.#settledAnswers(), ...kind };
    this.partialOrder = { ...answers, path: [...before, place].join("-") };
    await this.ask();
    if (settingOf("at-once") === "yes" && this.form && forms.isPlain(this.form) && !this.isTouched && !isVia) await this.send();
    return true;
  }

  /** Answer the question for a hex. @param {string} place @param {string} [key] */
  async #pickHex(place, key) {
    const form = /** @type {T.Form} */ (this.form);
    const field = form.fields.findLast((candidate) => candidate.kind === "hex" && forms.choiceAt(candidate, place));
    const kind = forms.kindField(form);
    if (!field || (kind && !kind.value)) return false;
    const token = field.choices.find((choice) => choice.token === key)?.token ?? forms.choiceAt(field, place)?.token ?? "";
    if (form.order && field.value === token) return this.send();
    const wasOpen = forms.openField(form) === field;
    this.partialOrder = { ...forms.withoutNames(this.partialOrder, ["at"]), ...this.#settledAnswers(), [field.key]: token };
    await this.ask();
    if (wasOpen && this.form && forms.isPlain(this.form) && !this.isTouched) await this.send();
    return true;
  }

  /** Answers given by a click, by name, so that the next click can answer something else. @returns {PartialOrder} */
  #settledAnswers() {
    const given = this.form?.fields.filter((field) => field.is_given && !forms.isListed(field) && field.kind !== "path");
    return Object.fromEntries((given ?? []).flatMap(({ key, value }) => (value ? [[key, value]] : [])));
  }

  /** Handle the pointer over a hex. @param {string} place */
  point(place) {
    const walking = this.walking;
    const way = walking && place ? forms.pathTo(walking, place) : [];
    if (way.join() === this.pointed.join()) return;
    this.pointed = way;
    this.tell("point");
  }

  // --- sending ---

  /** The answer sent along with the order, or "": the latest choice, if it is still legal. */
  get ending() {
    const ways = this.form?.halts ?? [];
    if (ways.some(({ token }) => token === this.#halt)) return this.#halt;
    const [only] = ways;
    return only && ways.length === 1 && !only.price && deviceStorage.getItem(HALTS) ? only.token : "";
  }

  /** Send or stop sending an answer along. @param {string} token */
  follow(token) {
    this.#halt = token === this.ending ? "" : token;
    if (this.#halt) deviceStorage.setItem(HALTS, "yes");
    else deviceStorage.removeItem(HALTS);
    this.tell("change");
  }

  /** True if the rest can be skipped with this order. */
  get canSkip() {
    const kinds = (this.form && forms.kindField(this.form)?.choices) ?? [];
    const hasOrder = this.form?.order && this.form.order !== forms.ENDING;
    return Boolean(hasOrder) && kinds.some(({ token }) => token === forms.ENDING || token === HALT);
  }

  /** Send the order. @param {string} [until] what ends that is left as it is behind it, "" for nothing @returns {Promise<boolean>} */
  async send(until = "") {
    const order = this.form?.order;
    if (!order || this.isStale || this.#isEnding || this.sender.remind()) return false;
    if (order === forms.ENDING && order !== this.advised) {
      this.#isEnding = true; // asked once, however often the button is pressed
      const may = await this.mayEnd().finally(() => (this.#isEnding = false));
      if (!may) {
        this.cancel();
        return false;
      }
    }
    this.tell("sending");
    const form = /** @type {T.Form} */ (this.form);
    const halt = this.ending || ((until && form.halts?.[0]?.token) ?? "");
    const counts = await this.sequel.order(form, halt, this.canSkip ? until : "");
    this.tell("sent");
    if (!counts || this.sequel.isOn) this.refresh();
    else await this.#answerEvident();
    return counts;
  }
}

// What may be done where, before a kind of order is chosen: the forms of all the kinds that there are.

class Guide {
  /** @param {ReadonlyMap<string, T.Form>} [forms] by kind of order */
  constructor(forms = new Map()) {
    this.forms = forms;
  }

  /** All hexes where an order is possible. */
  get places() {
    const fields = [...this.forms.values()].flatMap((form) => form.fields);
    return new Set(fields.filter((field) => field.kind === "hex" || field.kind === "leader").flatMap(forms.placesOf));
  }

  /** The kind of order that lets a force march on, with its form. @returns {[string, T.Form] | undefined} */
  get walk() {
    return [...this.forms].find(([, form]) => Object.keys(form.reach ?? {}).length > 0);
  }
}
