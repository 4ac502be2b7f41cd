/** `crossfoot rates convert`: computes the dollar figures of all unlocked entries, and reports the result. */
import { OUTCOMES, type Outcome } from '../../ledger/convert/tally.ts';
import { type Conversion, convert } from '../../ledger/convert/convert.ts';
import { aligned } from '../terminal/aligned.ts';
import { withOwner } from '../../run/as-owner.ts';
import type { CommandContext } from '../../run/context.ts';
import { shownCount } from '../../format.ts';
import { unlessStopped } from '../../run/stopping.ts';
import { refuseUnfinished } from '../../run/worker/rates-report.ts';
import { printJson } from '../terminal/print-json.ts';

/** Converts, and reports by account and currency. */
export async function convertRates(
  { account, json }: { readonly account?: bigint; readonly json: boolean },
  context: CommandContext,
): Promise<void> {
  const { signal, follow } = context;
  const done = new Map<string, number>();
  const converting = withOwner(context, 'crossfoot rates', (owner) =>
    convert(owner, {
      account_id: account,
      signal,
      onBatch: (account_id, { table, rows }) => {
        const step = `account ${account_id}, ${table}`;
        done.set(step, (done.get(step) ?? 0) + rows);
        follow?.(step, { rows: done.get(step) ?? 0 });
      },
    }),
  );
  const conversion = await unlessStopped(signal, converting);
  follow?.(null);
  if (json) printJson(context.print, asJson(conversion));
  else for (const line of conversionLines(conversion)) context.print(line);
  refuseUnfinished(conversion);
}

/** The report for people: for each account and currency the changed entries, then a line for each outcome. */
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
    // As text: a JSON number is exact only below 2^53, and ids can be larger.
    currencies.map((each) => ({ account_id: String(account_id), ...each })),
  );
  return {
    as_of,
    published_through,
    held: accounts.reduce((sum, { held }) => sum + held, 0),
    currencies: rows,
  };
}
