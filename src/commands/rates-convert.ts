/** `crossfoot rates convert`: dollars for everything that can change, and a report of how all of it stands. */
import { CrossfootError } from '../errors.ts';
import { OUTCOMES, type Outcome } from '../ledger/conversion-tally.ts';
import { type Conversion, convert } from '../ledger/convert.ts';
import { aligned } from './aligned.ts';
import { withOwner } from './as-owner.ts';
import type { CommandContext } from './command.ts';
import { shownCount } from './shown.ts';
import { unlessStopped } from './stopping.ts';

/** Converts and reports, by account and currency. */
export async function convertRates(
  { account, json }: { readonly account?: bigint; readonly json: boolean },
  context: CommandContext,
): Promise<void> {
  const { signal } = context;
  const converting = withOwner(context, 'crossfoot rates', (owner) =>
    convert(owner, {
      accountId: account,
      signal,
      onBatch: (accountId, { table, rows }) =>
        context.follow?.(`account ${accountId}: ${shownCount(rows)} rows of ${table}`),
    }),
  );
  const conversion = await unlessStopped(signal, converting);
  if (json) context.print(JSON.stringify(asJson(conversion), null, 2));
  else for (const line of conversionLines(conversion)) context.print(line);
  refuseUnfinished(conversion);
}

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

/** The report for people: a line for each account, currency and outcome. */
function conversionLines({ as_of, published_through, accounts }: Conversion): readonly string[] {
  if (published_through === null) return [`no rates are published by ${as_of}: nothing was converted`];
  const cells = accounts.flatMap(({ account_id, currencies }) =>
    currencies.flatMap(({ currency, written, entries }) => [
      [`account ${account_id}`, currency, shownCount(written), 'changed by this run'],
      ...(Object.keys(OUTCOMES) as Outcome[]) // its own keys
        .filter((outcome) => entries[outcome] !== undefined)
        .map((outcome) => ['', '', shownCount(entries[outcome] ?? 0), OUTCOMES[outcome]]),
    ]),
  );
  return [`rates published through ${published_through}`, ...aligned(cells)];
}

function asJson({ as_of, published_through, accounts }: Conversion): unknown {
  const rows = accounts.flatMap(({ account_id, currencies }) =>
    // As text, because JSON numbers end at 2^53 and ids do not.
    currencies.map((each) => ({ account_id: String(account_id), ...each })),
  );
  return {
    as_of,
    published_through,
    held: accounts.reduce((sum, { held }) => sum + held, 0),
    currencies: rows,
  };
}
