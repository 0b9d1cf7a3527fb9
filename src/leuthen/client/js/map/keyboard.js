// The keyboard on the map: arrows walk the hexes, Tab goes from stack to stack, Enter chooses, Escape leaves. Where the
// cursor stands is shown, and said to screen readers.

/** @import { SheetMap } from "./index.js" */
/** @import { Arrow } from "./walker.js" */

export class Keyboard {
  /** @param {SheetMap} map */
  constructor(map) {
    this.map = map;
    map.view.addEventListener("keydown", (event) => this.#onKey(event));
    map.view.addEventListener("focus", () => this.#focus());
    map.view.addEventListener("blur", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && map.tip.node.contains(relatedTarget))) map.tip.hide();
    });
  }

  #focus() {
    if (this.map.view.matches(":focus-visible")) this.#walkTo(this.map.walker.place || this.#middle());
  }

  /** The hex in the middle of the view. */
  #middle() {
    const { view, camera, grid } = this.map;
    return grid.placeAt(camera.toSheet({ x: view.clientWidth / 2, y: view.clientHeight / 2 })) || this.#stacks()[0] || "";
  }

  /** Where the stacks of this side stand; a watcher goes to all. */
  #stacks() {
    const { scene, side } = this.map.ctx.store;
    return Object.values(scene.pieces).flatMap((piece) => (piece.side === side || side > 1 ? piece.place : []));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.target !== this.map.view || event.ctrlKey || event.metaKey || event.altKey) return;
    const isChoice = event.key === "Enter" || event.key === " " || event.key === "Escape";
    if ((event.repeat && isChoice) || this.#does(event.key, event.shiftKey)) event.preventDefault();
  }

  /** @param {string} key @param {boolean} isShift @returns {boolean} whether the key did something */
  #does(key, isShift) {
    if (key.startsWith("Arrow")) return this.#walk(/** @type {Arrow} */ (key));
    if (key === "Tab") return this.#walkTo(this.map.walker.next(this.#stacks(), isShift ? -1 : 1));
    if (key === "Enter" || key === " ") return this.#enter();
    return key === "Escape" && this.#escape();
  }

  /** @param {Arrow} arrow */
  #walk(arrow) {
    const { walker } = this.map;
    if (!walker.place) walker.go(this.#middle());
    else walker.step(arrow);
    return this.#show();
  }

  #enter() {
    const { walker, plans, counters, ctx } = this.map;
    const place = walker.place;
    if (!place) return false;
    if (plans.kind) plans.add(place);
    else {
      const own = (counters.seats.get(place) ?? []).filter(({ piece }) => piece.side === ctx.store.side);
      const key = (own.find(({ piece }) => !piece.inside) ?? own[0])?.key;
      this.map.choose(key ? { place, key } : { place });
    }
    return true;
  }

  /** @returns {boolean} whether there was something to leave */
  #escape() {
    const { playing, plans, tip } = this.map;
    const { isPinned } = tip;
    tip.hide();
    if (playing.isOn) this.map.skip();
    else if (plans.kind) plans.leave();
    else return isPinned;
    return true;
  }

  /** @param {string} place @returns {boolean} whether it is a place */
  #walkTo(place) {
    if (!place) return false;
    this.map.walker.go(place);
    return this.#show();
  }

  /** Shows and says where the cursor stands. */
  #show() {
    const { walker, grid, camera, counters, ctx, tip } = this.map;
    const place = walker.place;
    const middle = grid.centre(place);
    camera.reveal(middle);
    const key = counters.seats.get(place)?.find(({ piece }) => piece.side === ctx.store.side)?.key;
    this.map.point(key ? { place, key } : { place });
    this.map.tell(place);
    const below = { x: middle.x + 0.33 * grid.size, y: middle.y + 0.33 * grid.size };
    requestAnimationFrame(() => tip.show(place, camera.toView(below)));
    return true;
  }
}
