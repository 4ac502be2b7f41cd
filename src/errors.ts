/**
 * The error catalogue. Every error this program raises on purpose has a stable code here, with the exit code
 * and the HTTP status it leads to; a message adds what, where, expected and found.
 */

/** 1: the work failed. 2: wrong usage or settings. 3: the audit refused the figures. */
export type ExitCode = 1 | 2 | 3;

interface Kind {
  readonly exit: ExitCode;
  /** The HTTP status a client sees when this error reaches a route; 500 says nothing of the inside. */
  readonly status: number;
  readonly meaning: string;
}

/** Sorted by code; a test holds the order. */
export const ERRORS = {
  not_found: { exit: 1, status: 404, meaning: 'There is no such record in this account.' },
  settings_invalid: { exit: 2, status: 500, meaning: 'Settings are missing or malformed.' },
  usage_invalid: { exit: 2, status: 500, meaning: 'A command was called with wrong arguments.' },
} as const satisfies Record<string, Kind>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorContext {
  /** What a person can do about it, in one sentence. */
  readonly hint?: string;
  /** The facts behind the sentence: table, window, expected, found. Never tokens, names or free text. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An error we foresaw: its code says which, its message says where, its hint says what to do. */
export class CrossfootError extends Error {
  override readonly name = 'CrossfootError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? {} : { cause: context.cause });
    this.code = code;
    this.hint = context.hint;
    this.data = context.data ?? {};
  }

  get exitCode(): ExitCode {
    return ERRORS[this.code].exit;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** True for an error of the catalogue, optionally of one code. */
export function isCrossfootError(error: unknown, code?: ErrorCode): error is CrossfootError {
  return error instanceof CrossfootError && (code === undefined || error.code === code);
}
