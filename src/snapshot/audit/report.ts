/** The report of an audit, as in `audit.json`, and the error for a report that did not pass. */
import { CrossfootError } from '../../errors.ts';

/** One difference between the files and what is expected. */
export interface Offence {
  /** The table or file. */
  readonly subject: string;
  /** The key or window. */
  readonly place: string;
  /**
   * What is wrong there: one or several columns, or `rows`. If it ends in `_cents`, both values are cents. Absent in reports
   * of older snapshots.
   */
  readonly figure?: string;
  /** The expected value, or the condition in a few words; null if the cell must be empty. */
  readonly expected: string | null;
  /** The value found; null for an empty cell. */
  readonly found: string | null;
  /** The violated rule, as a clause; null if the rule is obvious. */
  readonly rule?: string | null;
}

export interface CheckResult {
  readonly name: string;
  /** Null for older scripts, which do not say what they read. */
  readonly rows_examined: number | null;
  readonly passed: boolean;
  /** At most `MAX_OFFENCES`. */
  readonly offences: readonly Offence[];
  /** True if there were more offences. */
  readonly cut: boolean;
}

/** A window of the portfolio, of all initiatives together or of one initiative, with the figures of `99-list-windows.sql`. */
export interface AuditedWindow {
  readonly place: string;
  readonly expected: string;
  readonly found: string;
}

/** The report has no time and no path, so the same files give the same report. */
export interface AuditReport {
  readonly snapshot_id: string;
  readonly account_id: string;
  readonly engine: string;
  readonly passed: boolean;
  /** In the order they ran; a check that could not run is the last. */
  readonly checks: readonly CheckResult[];
  /** The windows of the portfolio, and those of initiatives that differ. Empty if the audit ended earlier. */
  readonly windows: readonly AuditedWindow[];
}

/** Enough to see the cause; without a limit, a table with only wrong rows would fill the report. */
export const MAX_OFFENCES = 100;

/** The offence as a sentence, without a full stop. */
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

/** The difference in cents; null if the figure is not money, or one side is not an amount. */
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

/** The error for a report that did not pass; it names the first offence and all failed checks. */
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
