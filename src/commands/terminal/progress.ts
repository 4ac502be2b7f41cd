/** The progress line: the running step and its speed, rewritten every second as the last line of a terminal. */
import { printable, shownCount, shownMegabytes, shownRate } from '../../format.ts';
import type { Done, Follow } from '../../run/context.ts';

export interface Progress {
  readonly follow: Follow;
  /** Removes the line; call it before other output. */
  readonly clear: () => void;
}

interface Terminal {
  /** Absent or 0 if unknown. */
  readonly columns?: number;
  write(text: string): unknown;
}

interface Time {
  /** In milliseconds, from any moment. */
  readonly clock: () => number;
  /** Calls `run` at this interval until the returned function is called. */
  readonly every: (ms: number, run: () => void) => () => void;
}

const TO_THE_START = '\r';
const ERASE_THE_REST = '\u001B[K';
const USUAL_WIDTH = 80;
/** A step that ends sooner shows no progress. */
const PATIENCE_MS = 2_000;
const REDRAW_MS = 1_000;

/** The progress line of a terminal. */
export function openProgress(terminal: Terminal, { clock, every }: Time): Progress {
  let step: { readonly name: string; readonly began: number; done: Done | undefined } | null = null;
  let stop: (() => void) | null = null;
  let shown = false;
  const clear = (): void => {
    if (shown) terminal.write(`${TO_THE_START}${ERASE_THE_REST}`);
    shown = false;
  };
  const draw = (): void => {
    const ms = step === null ? 0 : clock() - step.began;
    if (step === null || ms < PATIENCE_MS) return;
    // A line that wraps could not be erased.
    const width = terminal.columns ?? 0;
    const line = printable(`${step.name} … ${shownDone(step.done, ms)}`);
    const text = line.slice(0, (width > 0 ? width : USUAL_WIDTH) - 1);
    terminal.write(`${TO_THE_START}${text}${ERASE_THE_REST}`);
    shown = true;
  };
  return {
    clear,
    follow(name, done) {
      if (step !== null && step.name === name) {
        step.done = done;
        return;
      }
      clear();
      stop?.();
      step = name === null ? null : { name, began: clock(), done };
      stop = step === null ? null : every(REDRAW_MS, draw);
    },
  };
}

/** The rows or bytes so far and their rate; for a step without a count, the seconds since it began. */
function shownDone(done: Done | undefined, ms: number): string {
  if (done === undefined) return `${Math.floor(ms / 1_000)} s`;
  if ('rows' in done) return `${shownCount(done.rows)} rows, ${shownRate(done.rows, ms)}`;
  const { bytes, of } = done;
  return `${shownMegabytes(bytes)} of ${shownMegabytes(of)}, ${shownMegabytes((bytes * 1_000) / ms)}/s`;
}
