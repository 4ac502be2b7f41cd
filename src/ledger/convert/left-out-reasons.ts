/** Reads why amounts have no dollar figure: the outcome that a conversion now would have for each. It only reads. */
import type { ClientBase } from 'pg';
import { type Holding, readStatement } from '../../database/columns.ts';
import type { Day } from '../../figures/calendar.ts';
import type { LeftOutReason, LeftOutTable } from '../../figures/left-out-reasons.ts';
import { CONVERTED_TABLES } from './converted-tables.ts';
import { openKeyRates } from './key-rates.ts';
import { keysOfLeftOut, outcomesOfLeftOut } from './statements.ts';
import type { Outcome } from './tally.ts';

const KEY_COLUMNS = { currency: 'text', starts_on: 'date', ends_on: 'date' } as const;
const OUTCOME_COLUMNS = {
  currency: 'text',
  outcome: 'text' as Holding<'text', Outcome>,
  rates_ended: 'bool',
  entries: 'int4',
  amount_cents: 'numeric',
  capacity_entries: 'int4',
  capacity_amount_cents: 'numeric',
} as const;

/** All ids. */
const IDS = [-(2n ** 63n), 2n ** 63n - 1n] as const;

/** The reasons by table, reason and currency; rates dated after `today` are ignored. */
export async function readLeftOutReasons(
  client: ClientBase,
  { account_id, today }: { readonly account_id: bigint; readonly today: Day },
  names: readonly LeftOutTable[],
): Promise<LeftOutReason[]> {
  const rates = openKeyRates(client, today);
  const reasons: LeftOutReason[] = [];
  for (const table of CONVERTED_TABLES.filter(({ name }) => names.includes(name))) {
    const { name } = table;
    const text = keysOfLeftOut(table);
    const keys = await readStatement(client, { name, text, values: [account_id], columns: KEY_COLUMNS });
    if (keys.length === 0) continue;
    const outcomes = await readStatement(client, {
      name,
      text: outcomesOfLeftOut(table),
      values: [account_id, ...IDS, ...(await rates.of(keys))],
      columns: OUTCOME_COLUMNS,
    });
    for (const { currency, outcome, entries, rates_ended, capacity_entries, ...sums } of outcomes) {
      reasons.push({
        table: name,
        reason: reasonOf(outcome),
        currency,
        entries,
        ...ifExact('amount_cents', sums.amount_cents),
        ...(capacity_entries === 0
          ? {}
          : { capacity_entries, ...ifExact('capacity_amount_cents', sums.capacity_amount_cents) }),
        ...(rates_ended ? ({ rates_ended } as const) : {}),
      });
    }
  }
  return reasons;
}

/** The field with a sum; none if the sum is too large for an exact JSON number. */
function ifExact<Name extends string>(name: Name, sum: string): { readonly [Field in Name]?: number } {
  const exact = Number(sum);
  // One field: the type of a computed name is wider.
  return Number.isSafeInteger(exact) ? ({ [name]: exact } as { [Field in Name]: number }) : {};
}

/** A row without dollars that a conversion would give some has an outcome of converted rows. */
function reasonOf(outcome: Outcome): LeftOutReason['reason'] {
  return outcome === 'converted' || outcome === 'provisional' || outcome === 'locked_provisional'
    ? 'not_converted'
    : outcome;
}
