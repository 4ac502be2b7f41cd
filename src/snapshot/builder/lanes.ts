/**
 * The two lanes of a build's reads. The first connection copies tables; what is left waits in a queue. Once a table turns
 * out to be large, a second connection at the same moment works through the queue beside it. The first connection reads
 * what the second has not begun, so a small account needs one connection only.
 */
import type { Client } from 'pg';

/** One read of a build, on either connection. */
export type Step = (client: Client) => Promise<void>;

/** Runs `run` on a second connection at the same moment; does nothing if that connection cannot join. */
export type OpenBeside = (run: Step) => Promise<unknown>;

export class Lanes implements AsyncDisposable {
  readonly #queue: Step[];
  readonly #openBeside: OpenBeside;
  readonly #stop: AbortController;
  #beside: Promise<unknown> | undefined;

  /** `queue` runs in its order. `stop` is aborted with the error of the second connection, to end the first. */
  constructor(queue: readonly Step[], openBeside: OpenBeside, stop: AbortController) {
    this.#queue = [...queue];
    this.#openBeside = openBeside;
    this.#stop = stop;
  }

  /** Call it when a table is large: the second connection starts, once. */
  widen(): void {
    if (this.#queue.length === 0) return;
    this.#beside ??= this.#openBeside((client) => this.drain(client)).catch((error: unknown) => {
      this.#stop.abort(error);
    });
  }

  /** Runs the steps that no connection has begun. */
  async drain(client: Client): Promise<void> {
    for (let step = this.#queue.shift(); step !== undefined; step = this.#queue.shift()) await step(client);
  }

  /** Resolves after the last step of the second connection; throws its error. */
  async joined(): Promise<void> {
    await this.#beside;
    this.#stop.signal.throwIfAborted();
  }

  /** Ends the second connection, also during a step. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the first connection of the build ended'));
    await this.#beside;
  }
}
