/** What every command is given: the process it runs in, lent by `cli.ts`. */
import { type Settings, readSettings } from '../config.ts';
import { createLogger, type Logger } from '../log.ts';

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

/** The settings and the log of a command; read when it runs, so that help needs neither. */
export function openSettings(context: CommandContext): { settings: Settings; logger: Logger } {
  const settings = readSettings(context.env);
  return { settings, logger: createLogger(settings.logLevel) };
}
