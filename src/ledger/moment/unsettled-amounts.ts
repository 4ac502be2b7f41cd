/** Reads the unsettled amounts of a scope: amounts that its dollar sums leave out, or include at a provisional rate. */
import type { ClientBase } from 'pg';
import { type Holding, readStatement } from '../../database/columns.ts';
import type { UnsettledSum } from '../../figures/unsettled.ts';
import { type EntryScope, entryCondition } from './entry-scope.ts';

export const UNSETTLED_COLUMNS = {
  kind: 'text' as Holding<'text', UnsettledSum['kind']>,
  currency: 'text',
  amount_cents: 'int8',
  entries: 'int8',
} as const;

/** The unsettled amounts of a scope, ordered by kind and currency: at most four rows per currency. */
export async function readUnsettledAmounts(
  client: ClientBase,
  scope: EntryScope,
): Promise<readonly UnsettledSum[]> {
  const { text, values } = entryCondition(scope);
  return await readStatement(client, {
    name: 'the unsettled amounts of a scope',
    text: `
      select kind, currency, sum(amount_cents)::bigint as amount_cents, count(*) as entries
      from reporting.unsettled_amounts
      where ${text}
      group by kind, currency
      order by kind, currency`,
    values,
    columns: UNSETTLED_COLUMNS,
  });
}

/** The same amounts of each initiative in a scope. An initiative without such amounts has no row. */
export async function readInitiativeUnsettled(
  client: ClientBase,
  scope: EntryScope,
): Promise<readonly (UnsettledSum & { readonly initiative_id: bigint })[]> {
  const { text, values } = entryCondition(scope);
  return await readStatement(client, {
    name: 'the unsettled amounts of initiatives',
    text: `
      select initiative_id, kind, currency, sum(amount_cents)::bigint as amount_cents, count(*) as entries
      from reporting.unsettled_amounts
      where ${text}
      group by initiative_id, kind, currency`,
    values,
    columns: { initiative_id: 'int8', ...UNSETTLED_COLUMNS },
  });
}
