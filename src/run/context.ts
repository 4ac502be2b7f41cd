/** What every command is given: the process it runs in, lent by `cli.ts`. */
import { type Settings, readSettings } from '../config.ts';
import { openLog, type Logger } from '../log.ts';

/** What a step has done so far: rows, or bytes of how many. */
export type Done = { readonly rows: number } | { readonly bytes: number; readonly of: number };

/** Shows the step that runs and what it has done. A step of another name begins now; null: none runs any longer. */
export type Follow = (step: string | null, done?: Done) => void;

export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Results, one line a call, to stdout. */
  readonly print: (line: string) => void;
  /** Progress and remarks for people, one line a call, to stderr. */
  readonly say: (line: string) => void;
  /** Present where a person reads a terminal. */
  readonly follow?: Follow;
}

/** The settings and the log of a command that runs now, unless it was told to stop while it was loaded. */
export function openSettings({ env, signal }: CommandContext): { settings: Settings; logger: Logger } {
  signal.throwIfAborted();
  const settings = readSettings(env);
  return { settings, logger: openLog(settings) };
}
