/**
 * Limits how much work runs at the same time: of one key, such as an account, and of all keys. Further work waits in the list of
 * its key or is refused. A key that fills its list delays no other key by more than one piece of work for each slot, because
 * the lists are served in turn.
 */

/** Calls `run` after this many milliseconds; the returned function cancels it. */
export type After = (ms: number, run: () => void) => () => void;

interface Limit {
  /** How much work of one key may run at once. */
  readonly at_once: number;
  /** The total weight of work that may run at once, of all keys; without a limit if omitted. Heavier work runs alone. */
  readonly in_all?: number;
  /** How many may wait per key, first come, first served; none if omitted. */
  readonly waiting?: number;
  /** The longest wait, without a limit if omitted; and the error after it, `refusal` if omitted. */
  readonly wait?: { readonly ms: number; readonly after: After; readonly refusal?: () => Error };
  /** The error if the waiting list is full. */
  readonly refusal: () => Error;
}

interface Waiter {
  readonly weight: number;
  /** Gives the slot to the work. */
  readonly start: () => void;
}

interface Slots {
  taken: number;
  /** The waiting list, in order of arrival. */
  readonly waiting: Set<Waiter>;
}

export class ConcurrencyLimit<Key> {
  readonly #limit: Limit;
  /** Keys with running or waiting work, the key that was served longest ago first. */
  readonly #slots = new Map<Key, Slots>();
  /** The weight of all running work. */
  #running = 0;

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /** Runs `work` once the key has a free slot. `weight` counts against `in_all`; 1 if omitted. */
  async run<Result>(key: Key, work: () => Promise<Result>, weight = 1): Promise<Result> {
    using held = new DisposableStack();
    held.use(await this.take(key, weight));
    return await work();
  }

  /**
   * Takes a slot of the key, waiting for a free one if the limit allows; disposing frees the slot. Rejects with `refusal`.
   */
  async take(key: Key, weight = 1): Promise<Disposable> {
    const slots = this.#slots.get(key) ?? { taken: 0, waiting: new Set() };
    const isNext = ![...this.#slots.values()].some((each) => this.#isWaiting(each));
    if (isNext && this.#fits(slots, weight)) this.#start(key, slots, weight);
    else await this.#wait(key, slots, weight);
    return { [Symbol.dispose]: () => this.#give(key, slots, weight) };
  }

  #fits({ taken }: Slots, weight: number): boolean {
    const { at_once, in_all = Infinity } = this.#limit;
    return taken < at_once && (this.#running === 0 || this.#running + weight <= in_all);
  }

  #start(key: Key, slots: Slots, weight: number): void {
    slots.taken += 1;
    this.#running += weight;
    this.#moveToEnd(key, slots);
  }

  async #wait(key: Key, slots: Slots, weight: number): Promise<void> {
    const { waiting: most = 0, wait, refusal } = this.#limit;
    if (slots.waiting.size >= most) throw refusal();
    this.#slots.set(key, slots);
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        weight,
        start: () => {
          forget?.();
          resolve();
        },
      };
      const forget = wait?.after(wait.ms, () => {
        slots.waiting.delete(waiter);
        if (slots.taken === 0 && slots.waiting.size === 0) this.#slots.delete(key);
        reject((wait.refusal ?? refusal)());
        this.#serve();
      });
      slots.waiting.add(waiter);
    });
  }

  #give(key: Key, slots: Slots, weight: number): void {
    slots.taken -= 1;
    this.#running -= weight;
    this.#moveToEnd(key, slots);
    this.#serve();
  }

  /** Starts waiting work, the key that was served longest ago first, until the next in turn does not fit. */
  #serve(): void {
    for (;;) {
      const [key, slots] = [...this.#slots].find((each) => this.#isWaiting(each[1])) ?? [];
      const [next] = slots?.waiting ?? [];
      if (key === undefined || slots === undefined || next === undefined) return;
      if (!this.#fits(slots, next.weight)) return;
      slots.waiting.delete(next);
      this.#start(key, slots, next.weight);
      next.start();
    }
  }

  /** Whether work of a key waits for others only. Until it runs, no other work starts: light work overtakes no heavy work. */
  #isWaiting({ taken, waiting }: Slots): boolean {
    return waiting.size > 0 && taken < this.#limit.at_once;
  }

  #moveToEnd(key: Key, slots: Slots): void {
    this.#slots.delete(key);
    if (slots.taken > 0 || slots.waiting.size > 0) this.#slots.set(key, slots);
  }
}
