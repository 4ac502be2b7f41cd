/** The program's limit on work that runs at the same time: by key, with a waiting list for what comes beyond it. */

/** Calls `run` after so many milliseconds, unless the function it gives is called before. */
export type After = (ms: number, run: () => void) => () => void;

interface Limit {
  /** How much work of one key may run at once. */
  readonly at_once: number;
  /** How many of one key may wait, the first come first served; none if omitted. */
  readonly waiting?: number;
  /** The longest wait; without a limit if omitted. */
  readonly wait?: { readonly ms: number; readonly after: After };
  /** The error of work that finds the waiting list full, or waits too long. */
  readonly refusal: () => Error;
}

interface Slots {
  taken: number;
  /** Who waits, in the order of coming; calling one gives it a slot. */
  readonly waiting: Set<() => void>;
}

export class ConcurrencyLimit<Key> {
  readonly #limit: Limit;
  readonly #slots = new Map<Key, Slots>();

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /** Runs `work` once the key has a slot free. */
  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    using held = new DisposableStack();
    held.use(await this.take(key));
    return await work();
  }

  /** A slot of the key, free again once it is disposed of; rejects with the refusal. */
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

  /** Hands the slot to whoever has waited longest. */
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
