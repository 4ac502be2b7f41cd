/** Texts about an import of rates and a conversion: lines for people, and the error of an incomplete conversion. */
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { shownCount, shownCountOf } from '../../format.ts';
import type { Conversion } from '../../ledger/convert/convert.ts';
import type { ChangedRate, ImportedRates } from '../../ledger/convert/import-rates.ts';
import type { ImplausibleRate } from '../../ledger/convert/plausible-rates.ts';
import { exhaustedResource, hasSqlState, lostSession, SQLSTATE_CLASS } from '../../postgres-errors.ts';
import type { RateFault } from '../../rates/reference-csv.ts';

/** Why an account failed, in words: never a statement of SQL. */
function causeOf(cause: unknown): string {
  const known = lostSession(cause) ?? exhaustedResource(cause) ?? cause;
  if (isCrossfootError(known)) return known.message;
  // The ledger's own triggers write for people.
  if (hasSqlState(known, SQLSTATE_CLASS.plpgsql_error)) return `${known.message}.`;
  if (hasSqlState(known, SQLSTATE_CLASS.integrity_constraint_violation))
    return `a row of ${known.table} breaks the rule ${known.constraint}.`;
  return 'the error was not foreseen.';
}

/** Throws if the conversion is incomplete, because an account failed or other sessions kept rows locked. */
export function refuseUnfinished({ accounts, failures }: Conversion): void {
  const [failure] = failures;
  if (failure !== undefined) {
    const count = `${failures.length} ${failures.length === 1 ? 'account' : 'accounts'}`;
    throw new CrossfootError(
      'conversion_failed',
      `${count} could not be fully converted; the first is account ${failure.account_id}: ${causeOf(failure.cause)}`,
      {
        hint: 'Converted rows stay. Run `npx --no crossfoot rates convert` again to convert the others.',
        cause: failure.cause,
      },
    );
  }
  const locked = accounts.filter((each) => each.held > 0);
  if (locked.length === 0) return;
  const rows = locked.reduce((sum, each) => sum + each.held, 0);
  const ids = locked.map(({ account_id }) => account_id).join(', ');
  throw new CrossfootError(
    'entries_held',
    `Other sessions locked ${shownCountOf(rows, 'row')} of account ${ids}: the earlier rates stay there.`,
    {
      hint: 'Run `npx --no crossfoot rates convert` again. If they stay locked, look for a session that is idle in a transaction.',
    },
  );
}

/** The result of an import in one line. */
export function importLine({ added, unchanged, revised }: ImportedRates): string {
  const kept = `${shownCountOf(added, 'rate')} added, ${shownCount(unchanged)} unchanged`;
  return revised.length === 0 ? kept : `${kept}, ${shownCount(revised.length)} revised`;
}

/** Lines for the faults of a file, for rates that contradict published ones, or for rates far from the days before. */
export function detailLines(data: Readonly<Record<string, unknown>>): readonly string[] {
  const {
    faults = [],
    changed = [],
    implausible = [],
  } = data as { faults?: RateFault[]; changed?: ChangedRate[]; implausible?: ImplausibleRate[] }; // the types of the thrown data
  return [...faults.map(faultLine), ...changed.map(changeLine), ...implausible.map(implausibleLine)];
}

function implausibleLine({ day, currency, units_per_euro, median }: ImplausibleRate): string {
  return `${day} ${currency}: ${units_per_euro} for a euro, expected about ${median}; --accept-rate ${currency}=${day} takes it`;
}

function faultLine({ line, column, value, expected }: RateFault): string {
  const location = column === null ? `line ${line}` : `line ${line}, ${column}`;
  return `${location}: ${value === null ? 'nothing' : JSON.stringify(value)}, expected ${expected}`;
}

/** The line for a published rate that differs from the file. */
export function changeLine({ day, currency, published, found }: ChangedRate): string {
  return `${day} ${currency}: published ${published}, the file has ${found ?? 'none'}`;
}
