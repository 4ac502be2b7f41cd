/**
 * Where work spread over a stream, a thread and a sink learns that one of them has failed. The first failure ends
 * every wait. (Racing each wait against one long-lived promise would keep every chunk that ever won a race.)
 */
export class Halt {
  #failure: { readonly error: unknown } | undefined;
  readonly #waiting = new Set<(error: unknown) => void>();

  /** Ends every wait, now and later, with this error; only the first one counts. */
  raise(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
  }

  /** What the promise comes to, or the failure if that is first. */
  async orHalt<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#failure) reject(this.#failure.error);
      else this.#waiting.add(reject);
      promise.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /** The items of a source until it ends or something fails; a source left early is told so, but not waited for. */
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
      // It may hang, being what we stopped waiting for, and its own error would hide the first.
      if (!ended) iterator.return?.().catch(() => undefined);
    }
  }
}
