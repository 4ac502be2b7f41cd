/** The errors of a pull. */

/** The exit code. 1: failed, a retry may succeed. 2: wrong usage. 3: refused, retracted or corrupt: load nothing. */
export type PullExit = 1 | 2 | 3;

/** Ends the pull, with a sentence for people and an exit code for the calling program. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped';
  readonly exit: PullExit;
  /** The HTTP status of a refusal; null for other errors. */
  readonly status: number | null;

  constructor(exit: PullExit, message: string, cause?: unknown, status: number | null = null) {
    super(message, { cause });
    this.exit = exit;
    this.status = status;
  }
}

/** A failed attempt that may be retried: the connection ended, or the server is busy. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** The wait that the server asks for; 0 if it names none. */
  readonly wait_ms: number;

  constructor(message: string, wait_ms = 0, cause?: unknown) {
    super(message, { cause });
    this.wait_ms = wait_ms;
  }
}
