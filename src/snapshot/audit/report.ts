/** What an audit found, as `audit.json` publishes it, and the error that a refusal becomes. */
import { CrossfootError } from '../../errors.ts';

/** One place where the files say something else than they should. */
export interface Offence {
  /** The table, or the file. */
  readonly subject: string;
  /** The key or window. */
  readonly place: string;
  /** What is wrong there: a column, several, or `rows`. Cents where it ends in `_cents`. Snapshots of before have none. */
  readonly figure?: string;
  /** The value, or the condition in a few words; null for an empty one. */
  readonly expected: string | null;
  readonly found: string | null;
  /** Why that is expected, as a clause; null where it needs no reason. */
  readonly rule?: string | null;
}

export interface CheckResult {
  readonly name: string;
  /** Null where a script of before does not say what it reads. */
  readonly rows_examined: number | null;
  readonly passed: boolean;
  /** At most `OFFENCES_KEPT`. */
  readonly offences: readonly Offence[];
  /** True when there were more. */
  readonly cut: boolean;
}

/** A window of the portfolio, of all initiatives together or of one, its figures as `99-list-windows.sql` states them. */
export interface AuditedWindow {
  readonly place: string;
  readonly expected: string;
  readonly found: string;
}

/** The same files give the same report: it holds no time and no path. */
export interface AuditReport {
  readonly snapshot_id: string;
  readonly account_id: string;
  readonly engine: string;
  readonly passed: boolean;
  /** In the order they ran; a check that could not run is the last. */
  readonly checks: readonly CheckResult[];
  /** As many as there are windows, not initiatives: of those only the ones that differ. Empty when the audit did not come so far. */
  readonly windows: readonly AuditedWindow[];
}

/** Enough to see what happened; a table that is wrong throughout would fill the report. */
export const OFFENCES_KEPT = 100;

/** The offence as a person reads it, without a full stop. */
export function sentenceOf({ subject, place, figure, expected, found, rule = null }: Offence): string {
  if (figure === undefined) return `${subject} ${place}: expected ${expected}; found ${found}`;
  const [shownFound, shownExpected] = [shown(figure, found), shown(figure, expected)];
  const reason = rule === null ? '' : `: ${rule}`;
  return `${subject} ${place}: ${figure} is ${shownFound}, expected ${shownExpected}${reason}`;
}

function shown(figure: string, value: string | null): string {
  if (value === null) return 'empty';
  return centsIn(figure, value) === null ? value : `${value} cents`;
}

/** By how many cents the file is off; null where the figure is no money, or not an amount on both sides. */
export function centsOff({ figure = '', expected, found }: Offence): number | null {
  const [wanted, stated] = [centsIn(figure, expected), centsIn(figure, found)];
  if (wanted === null || stated === null) return null;
  const off = Number(stated < wanted ? wanted - stated : stated - wanted);
  return Number.isSafeInteger(off) ? off : null;
}

const WHOLE_NUMBER = /^-?\d+$/;

function centsIn(figure: string, value: string | null): bigint | null {
  return figure.endsWith('_cents') && value !== null && WHOLE_NUMBER.test(value) ? BigInt(value) : null;
}

/** The error for a report that did not pass: it names the first offence, and all checks that refused. */
export function refuse(report: AuditReport): CrossfootError {
  const refused = report.checks.filter((check) => !check.passed);
  const [check] = refused;
  const [offence] = check?.offences ?? [];
  if (check === undefined || offence === undefined) throw new RangeError('the audit passed');
  const { subject, ...rest } = offence;
  return new CrossfootError('audit_refused', `${sentenceOf(offence)}; nothing was published.`, {
    hint: 'The snapshot before stays in place; the files are kept for inspection, with every check as SQL beside them.',
    data: {
      check: check.name,
      table: subject,
      ...rest,
      cents_off: centsOff(offence),
      refused: refused.map(({ name }) => name),
    },
  });
}
