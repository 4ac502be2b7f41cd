/** The log: one JSON line per event on stderr, made only of the fields listed here. */
import { pino } from 'pino';
import type { LogLevel } from './config.ts';
import { isCrossfootError } from './errors.ts';

/** Every field a line may carry, and its type. What is not listed cannot be logged: no tokens, free text, names. */
const FIELDS = {
  account: 'id',
  attempt: 'number',
  bytes: 'number',
  check: 'text',
  checks: 'number',
  code: 'text',
  column: 'text',
  error: 'text',
  expected: 'text',
  file: 'text',
  found: 'text',
  hint: 'text',
  line: 'number',
  message: 'text',
  method: 'text',
  ms: 'number',
  night: 'text',
  outcome: 'text',
  port: 'number',
  request_id: 'text',
  route: 'text',
  rows: 'number',
  seq: 'number',
  snapshot: 'text',
  stack: 'text',
  status: 'number',
  step: 'text',
  table: 'text',
  token_id: 'id',
  url: 'text',
  webhook: 'id',
} as const;

interface FieldTypes {
  readonly id: bigint;
  readonly number: number;
  readonly text: string;
}

export type LogFields = {
  readonly [Name in keyof typeof FIELDS]?: FieldTypes[(typeof FIELDS)[Name]] | undefined;
};

/** Noun, dot, past participle: `snapshot.published`. */
export type EventName = `${Lowercase<string>}.${Lowercase<string>}`;

/** What every part of the program logs through; always an argument, never a global. */
export interface Logger {
  debug(event: EventName, fields?: LogFields): void;
  info(event: EventName, fields?: LogFields): void;
  warn(event: EventName, fields?: LogFields): void;
  error(event: EventName, fields?: LogFields): void;
  /** A logger whose every line carries these fields too. */
  with(fields: LogFields): Logger;
}

interface Lines {
  write(line: string): void;
}

/** A logger from this level up; lines go to stderr, written before the call returns, so that none is lost at exit. */
export function createLogger(
  level: LogLevel,
  lines: Lines = pino.destination({ fd: 2, sync: true }),
): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    messageKey: 'event',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  return new LineLogger(pino(options, lines), {});
}

/**
 * What of an error may be logged. Only our own messages: those of libraries repeat values (a driver quotes the
 * row that failed), so theirs is cut off and class, code and frames must do.
 */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const ours = isCrossfootError(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    error: causes(error).join(' < '),
    code: typeof code === 'string' ? code : undefined,
    message: ours ? error.message : undefined,
    hint: ours ? error.hint : undefined,
    stack: frames(error),
  };
}

type Line = Readonly<Record<string, string | number>>;

/** Its fields become text only in a line that is written: a request has three loggers, and most write one line. */
class LineLogger implements Logger {
  readonly #inner: pino.Logger;
  readonly #known: Line;

  constructor(inner: pino.Logger, known: Line) {
    this.#inner = inner;
    this.#known = known;
  }

  debug(event: EventName, fields?: LogFields): void {
    this.#inner.debug(this.#line(fields), event);
  }

  info(event: EventName, fields?: LogFields): void {
    this.#inner.info(this.#line(fields), event);
  }

  warn(event: EventName, fields?: LogFields): void {
    this.#inner.warn(this.#line(fields), event);
  }

  error(event: EventName, fields?: LogFields): void {
    this.#inner.error(this.#line(fields), event);
  }

  with(fields: LogFields): Logger {
    return new LineLogger(this.#inner, this.#line(fields));
  }

  #line(fields?: LogFields): Line {
    return { ...this.#known, ...listed(fields) };
  }
}

/** The compiler already refuses other fields, but an object that carries more than its type says can get here. */
function listed(fields: LogFields = {}): Record<string, string | number> {
  const line: Record<string, string | number> = {};
  for (const name of Object.keys(FIELDS) as (keyof typeof FIELDS)[]) {
    const value = fields[name];
    // As text, because JSON numbers end at 2^53 and ids do not.
    if (value !== undefined) line[name] = typeof value === 'bigint' ? value.toString() : value;
  }
  return line;
}

function causes(error: Error): string[] {
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  const own = `${error.name}${code}`;
  return error.cause instanceof Error ? [own, ...causes(error.cause)] : [own];
}

/** A stack begins with the message; the frames are the lines that begin with "at". */
function frames(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
    .join('\n');
}
