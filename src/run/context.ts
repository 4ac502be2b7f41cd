/** What every command is given: the process it runs in, lent by `cli.ts`. */
import { type Settings, readSettings } from '../config.ts';
import { openLog, type Logger } from '../log.ts';

export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Results, one line a call, to stdout. */
  readonly print: (line: string) => void;
  /** Progress and remarks for people, one line a call, to stderr. */
  readonly say: (line: string) => void;
  /** What is being done right now, on a terminal alone: the next line takes its place. */
  readonly follow?: (line: string) => void;
}

/** The settings and the log of a command that runs now, unless it was told to stop while it was loaded. */
export function openSettings({ env, signal }: CommandContext): { settings: Settings; logger: Logger } {
  signal.throwIfAborted();
  const settings = readSettings(env);
  return { settings, logger: openLog(settings) };
}
