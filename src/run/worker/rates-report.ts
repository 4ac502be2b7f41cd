/** The outcome of a rates import and a conversion: lines for people, and the error of an unfinished conversion. */
import { CrossfootError } from '../../errors.ts';
import { shownCount } from '../../format.ts';
import type { Conversion } from '../../ledger/convert/convert.ts';
import type { ChangedRate, ImportedRates } from '../../ledger/convert/import-rates.ts';
import type { RateFault } from '../../rates/reference-csv.ts';

/** An error where the run was not all: an account failed, or other sessions kept rows from being written. */
export function refuseUnfinished({ accounts, failures }: Conversion): void {
  const [failure] = failures;
  if (failure !== undefined) {
    const count = `${failures.length} ${failures.length === 1 ? 'account' : 'accounts'}`;
    throw new CrossfootError(
      'conversion_failed',
      `${count} could not be converted to the end, the first: account ${failure.account_id}.`,
      { hint: 'What was written stays, and converting again goes on from there.', cause: failure.cause },
    );
  }
  const held = accounts.filter((each) => each.held > 0);
  if (held.length === 0) return;
  const rows = held.reduce((sum, each) => sum + each.held, 0);
  const ids = held.map(({ account_id }) => account_id).join(', ');
  throw new CrossfootError(
    'entries_held',
    `${rows} rows of account ${ids} were held by other sessions and keep the rates they had.`,
    { hint: 'Convert again; if they stay held, look for a session that is idle in a transaction.' },
  );
}

/** What an import did, in one line. */
export function importLine({ added, unchanged, revised }: ImportedRates): string {
  const kept = `${shownCount(added)} rates added, ${shownCount(unchanged)} unchanged`;
  return revised.length === 0 ? kept : `${kept}, ${shownCount(revised.length)} revised`;
}

/** The faults of a file, or what it contradicts: the data of the errors that say so. */
export function detailLines(data: Readonly<Record<string, unknown>>): readonly string[] {
  const { faults = [], changed = [] } = data as { faults?: RateFault[]; changed?: ChangedRate[] }; // as they are thrown
  return [...faults.map(faultLine), ...changed.map(changeLine)];
}

function faultLine({ line, column, value, expected }: RateFault): string {
  const place = column === null ? `line ${line}` : `line ${line}, ${column}`;
  return `${place}: ${value === null ? 'nothing' : JSON.stringify(value)}, expected ${expected}`;
}

/** A published rate that the file contradicts. */
export function changeLine({ day, currency, published, found }: ChangedRate): string {
  return `${day} ${currency}: published ${published}, the file has ${found ?? 'none'}`;
}
