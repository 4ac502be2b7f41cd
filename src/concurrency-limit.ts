/** Limits how much work of one key, such as an account, runs at the same time. Further work waits or is refused. */

/** Calls `run` after this many milliseconds; the returned function cancels it. */
export type After = (ms: number, run: () => void) => () => void;

interface Limit {
  /** How much work of one key may run at once. */
  readonly at_once: number;
  /** How many may wait per key, first come, first served; none if omitted. */
  readonly waiting?: number;
  /** The longest wait; without a limit if omitted. */
  readonly wait?: { readonly ms: number; readonly after: After };
  /** The error if the waiting list is full or the wait is too long. */
  readonly refusal: () => Error;
}

interface Slots {
  taken: number;
  /** The waiting list, in order of arrival. Each item is a function that gives its work the slot. */
  readonly waiting: Set<() => void>;
}

export class ConcurrencyLimit<Key> {
  readonly #limit: Limit;
  readonly #slots = new Map<Key, Slots>();

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /** Runs `work` once the key has a free slot. */
  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    using held = new DisposableStack();
    held.use(await this.take(key));
    return await work();
  }

  /**
   * Takes a slot of the key, waiting for a free one if the limit allows; disposing frees the slot. Rejects with `refusal`.
   */
  async take(key: Key): Promise<Disposable> {
    const slots = this.#slots.get(key) ?? { taken: 0, waiting: new Set() };
    this.#slots.set(key, slots);
    if (slots.taken < this.#limit.at_once) slots.taken += 1;
    else await this.#wait(slots);
    return { [Symbol.dispose]: () => this.#give(key, slots) };
  }

  async #wait({ waiting }: Slots): Promise<void> {
    const { waiting: most = 0, wait, refusal } = this.#limit;
    if (waiting.size >= most) throw refusal();
    await new Promise<void>((resolve, reject) => {
      const call = (): void => {
        forget?.();
        resolve();
      };
      const forget = wait?.after(wait.ms, () => {
        waiting.delete(call);
        reject(refusal());
      });
      waiting.add(call);
    });
  }

  /** Gives the slot to the first waiter, or frees it. */
  #give(key: Key, slots: Slots): void {
    const [next] = slots.waiting;
    if (next !== undefined) {
      slots.waiting.delete(next);
      next();
      return;
    }
    slots.taken -= 1;
    if (slots.taken === 0) this.#slots.delete(key);
  }
}
