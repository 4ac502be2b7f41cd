/** The context of a command: signals, output and environment, created by `cli.ts`. */
import type { Settings } from '../config.ts';
import { openEnvironment } from './secret-files.ts';
import { openLog, type Logger } from '../log.ts';

/** What a step has done so far: a number of rows, or `bytes` out of `of` bytes. */
export type Done = { readonly rows: number } | { readonly bytes: number; readonly of: number };

/** Shows the running step and what it has done. A new name begins a new step; null ends the last step. */
export type Follow = (step: string | null, done?: Done) => void;

export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Prints a line of the result to stdout. */
  readonly print: (line: string) => void;
  /** Prints a line of progress or a remark for people to stderr. */
  readonly say: (line: string) => void;
  /** Present only if standard error is a terminal. */
  readonly follow?: Follow;
}

/** The settings and the log of a command. Throws if the command was stopped while it loaded. */
export function openSettings({ env, signal }: CommandContext): { settings: Settings; logger: Logger } {
  signal.throwIfAborted();
  const settings = openEnvironment(env);
  return { settings, logger: openLog(settings) };
}
