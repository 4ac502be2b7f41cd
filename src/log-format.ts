/** The one place that decides how this process writes its log: as JSON lines, or as short lines for a person. */
import { isatty } from 'node:tty';

export const LOG_FORMATS = ['json', 'text'] as const;

export type LogFormat = (typeof LOG_FORMATS)[number];

const STANDARD_ERROR = 2;

/** True if a person reads the log: as `LOG_FORMAT` says; if it is not set, if standard error is a terminal. */
export function isReadByPerson(
  format: string | null | undefined,
  isTerminal = isatty(STANDARD_ERROR),
): boolean {
  return format === 'text' || (format !== 'json' && isTerminal);
}
