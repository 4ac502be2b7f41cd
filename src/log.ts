/**
 * The log on standard error: one JSON line per event, or a short line for a person. Only the fields listed here are
 * logged.
 */
import { pino } from 'pino';
import type { LogLevel } from './config.ts';
import { isCrossfootError } from './errors.ts';
import { findingOf } from './failure.ts';
import { FULL_DISK_CODES } from './full-disk.ts';
import { isReadByPerson } from './log-format.ts';
import { textLines } from './log-text.ts';

/** All fields of a log line, with their types. Other fields cannot be logged: no tokens, free text or names. */
const FIELDS = {
  account: 'id',
  attempt: 'number',
  bytes: 'number',
  cents_off: 'number',
  check: 'text',
  checks: 'number',
  code: 'text',
  column: 'text',
  error: 'text',
  expected: 'text',
  figure: 'text',
  file: 'text',
  found: 'text',
  grant_id: 'id',
  hint: 'text',
  line: 'number',
  message: 'text',
  method: 'text',
  ms: 'number',
  night: 'text',
  outcome: 'text',
  place: 'text',
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
  target: 'id',
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

/** A name of an event: noun, dot, past participle, such as `snapshot.published`. */
export type EventName = `${Lowercase<string>}.${Lowercase<string>}`;

/** The logger; it is always an argument, never a global. */
export interface Logger {
  debug(event: EventName, fields?: LogFields): void;
  info(event: EventName, fields?: LogFields): void;
  warn(event: EventName, fields?: LogFields): void;
  error(event: EventName, fields?: LogFields): void;
  /** A logger that adds these fields to every line. */
  with(fields: LogFields): Logger;
}

interface Lines {
  write(line: string): void;
}

/** The log of this process, in the format of `isReadByPerson`: short lines for a person, else JSON lines. */
export function openLog({ logLevel, logFormat }: LogSettings): Logger {
  const lines = standardError();
  if (!isReadByPerson(logFormat)) return createLogger(logLevel, lines);
  const { stderr } = process;
  return createLogger(
    logLevel,
    textLines({
      isTTY: stderr.isTTY,
      hasColors: () => stderr.isTTY && stderr.hasColors(),
      write: (text) => lines.write(text),
    }),
  );
}

interface LogSettings {
  readonly logLevel: LogLevel;
  /** The setting `LOG_FORMAT`; null or undefined if it is not set. */
  readonly logFormat: string | null | undefined;
}

/** What waits for a disk that is full again with space; lines beyond it are lost. */
const MAX_UNWRITTEN_BYTES = 1_000_000;

/** Standard error, written before the call returns, so that no line is lost at exit. */
function standardError(): Lines {
  const lines = pino.destination({ fd: 2, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  // The terminal or the reader has gone: the program then stops in order, which its log must not prevent. Or the disk of the
  // log is full: the program goes on, because it serves, or frees that disk.
  lines.on('error', (error: NodeJS.ErrnoException) => {
    const { code = '' } = error;
    if (code !== 'EIO' && code !== 'EPIPE' && !FULL_DISK_CODES.has(code)) throw error;
  });
  return lines;
}

/** A logger from this level up that writes JSON lines. */
export function createLogger(level: LogLevel, lines: Lines = standardError()): Logger {
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
 * The fields of an error that may be logged. Messages of libraries may contain values (a driver quotes the failed row), so
 * only our own messages are logged; for other errors there are class, code and stack frames.
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
    ...(ours ? findingOf(error) : null),
    stack: frames(error),
  };
}

type Line = Readonly<Record<string, string | number>>;

/**
 * A logger that formats its fields only when a line is written: a request has three loggers, and most requests log one
 * line.
 */
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

/** Drops unknown fields. The compiler refuses them too, but an object may have more fields than its type. */
function listed(fields: LogFields = {}): Record<string, string | number> {
  const line: Record<string, string | number> = {};
  for (const name of Object.keys(FIELDS) as (keyof typeof FIELDS)[]) {
    const value = fields[name];
    // Ids become text, because JSON numbers are exact only below 2^53.
    if (value !== undefined) line[name] = typeof value === 'bigint' ? value.toString() : value;
  }
  return line;
}

/** Clients of other servers name an error by what the server wrote, which may be anything. */
const SHORT = /^[\w .:-]{1,128}$/;

function causes(error: Error): string[] {
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  const own = SHORT.test(error.name + code) ? error.name + code : 'an error of an unreadable name';
  return error.cause instanceof Error ? [own, ...causes(error.cause)] : [own];
}

/** The stack without its message: the lines that begin with "at". */
function frames(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
    .join('\n');
}
