/** What an audit found, as `audit.json` publishes it, and the error that a refusal becomes. */
import { CrossfootError } from '../../errors.ts';

/** One place where the files say something else than they should; both sides are clauses of a sentence. */
export interface Offence {
  /** The table. */
  readonly subject: string;
  /** The key or window. */
  readonly place: string;
  readonly expected: string;
  readonly found: string;
}

export interface CheckResult {
  readonly name: string;
  readonly rows_examined: number;
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

/** The error for a report that did not pass: it names the first offence, and all checks that refused. */
export function refuse(report: AuditReport): CrossfootError {
  const refused = report.checks.filter((check) => !check.passed);
  const [check] = refused;
  const [offence] = check?.offences ?? [];
  if (check === undefined || offence === undefined) throw new RangeError('the audit passed');
  const { subject, place, expected, found } = offence;
  return new CrossfootError(
    'audit_refused',
    `${subject} ${place}: ${found}, ${expected}; nothing was published.`,
    {
      hint: 'The snapshot before stays in place; the files are kept for inspection, with every check as SQL beside them.',
      data: {
        check: check.name,
        table: subject,
        place,
        expected,
        found,
        refused: refused.map(({ name }) => name),
      },
    },
  );
}
