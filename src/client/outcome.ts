/** How a pull can end, beside well. */

/** 1: it failed and may be tried again. 2: wrong usage. 3: refused, retracted or corrupt: nobody should load anything. */
export type PullExit = 1 | 2 | 3;

/** Ends a pull: one sentence for people, and the exit code for whatever started it. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped';
  readonly exit: PullExit;

  constructor(exit: PullExit, message: string, cause?: unknown) {
    super(message, { cause });
    this.exit = exit;
  }
}

/** An attempt that failed in a way that the next one may not: the connection ended, or the server is busy. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** How long the server asks to be left alone; 0 when it said nothing. */
  readonly wait_ms: number;

  constructor(message: string, wait_ms = 0, cause?: unknown) {
    super(message, { cause });
    this.wait_ms = wait_ms;
  }
}
