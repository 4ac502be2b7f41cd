/** The log on stderr: one JSON line per event, or a short one for a person, made only of the fields listed here. */
import { pino } from 'pino';
import type { LogLevel } from './config.ts';
import { type CrossfootError, isCrossfootError, REFUSAL_CODES } from './errors.ts';
import { isReadByPerson } from './log-format.ts';
import { textLines } from './log-text.ts';

/** Every field a line may carry, and its type. What is not listed cannot be logged: no tokens, free text, names. */
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

/** The log of this process, as its settings say, or as standard error is: short lines on a terminal, else JSON. */
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
  /** `LOG_FORMAT` as it was set, if it was. */
  readonly logFormat: string | null | undefined;
}

/** Written before the call returns, so that no line is lost at exit. */
function standardError(): Lines {
  return pino.destination({ fd: 2, sync: true });
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
    ...(ours ? findingOf(error) : {}),
    stack: frames(error),
  };
}

/** Where figures were refused: the facts that the message names. */
function findingOf({ code, data }: CrossfootError): LogFields {
  if (!REFUSAL_CODES.some((each) => each === code)) return {};
  const { check, table, place, figure, expected, found, cents_off } = data;
  const texts = { check, table, place, figure, expected: inText(expected), found: inText(found) };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, fact]) => typeof fact === 'string')),
    cents_off: typeof cents_off === 'number' ? cents_off : undefined,
  };
}

/** A count as the log states what was expected and found. */
function inText(fact: unknown): unknown {
  return typeof fact === 'number' ? String(fact) : fact;
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
