// How many requests of a kind are on their way at once: the server has places for few of one seat, and refuses more.

/** Lets so many through at once; the next waits until one has come back. */
export class Gate {
  /** @type {(() => void)[]} */
  #waiting = [];
  #inside = 0;

  /** @param {number} places */
  constructor(places) {
    this.places = places;
  }

  /**
   * Runs a request in its turn. One that is left before its turn is never sent; one that is left afterwards holds its
   * place until it is answered, as it does on the server.
   * @template R
   * @param {() => Promise<R>} run @param {AbortSignal} [signal]
   * @returns {Promise<R>}
   */
  async pass(run, signal) {
    if (this.#inside >= this.places) await new Promise((/** @type {(value: void) => void} */ resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    if (signal?.aborted) {
      this.#leave();
      throw left();
    }
    const answer = run();
    void answer.catch(() => {}).finally(() => this.#leave());
    return signal ? Promise.race([answer, aborted(signal)]) : answer;
  }

  #leave() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inside -= 1;
  }
}

const left = () => new DOMException("left", "AbortError");

/** @param {AbortSignal} signal @returns {Promise<never>} */
function aborted(signal) {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(left()), { once: true }));
}
