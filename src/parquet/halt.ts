/**
 * Shares the first failure between a stream, a thread and a sink, and ends all their waits. `Promise.race` is not used: the
 * long-lived promise of the failure would hold the result of every race in memory.
 */
export class Halt {
  #failure: { readonly error: unknown } | undefined;
  readonly #waiting = new Set<(error: unknown) => void>();

  /** Ends every current and later wait with this error; only the first error counts. */
  raise(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
  }

  /** The result of the promise, or the failure, whichever is first. */
  async orHalt<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#failure) reject(this.#failure.error);
      else this.#waiting.add(reject);
      promise.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /**
   * The items of a source until its end, or until `raise`. After a failure the source is closed, without waiting for it.
   */
  async *each<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = source[Symbol.asyncIterator]();
    let ended = false;
    try {
      for (;;) {
        const next = await this.orHalt(iterator.next());
        ended = next.done === true;
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // Do not await: closing may hang, and its error would hide the first one.
      if (!ended) iterator.return?.().catch(() => undefined);
    }
  }
}
