/** An account with all that the rows of a loaded file refer to, and the SQL of those rows. */
import type { Client } from 'pg';
import { foundAccount, insert } from '../../support/ledger-rows.ts';

const INITIATIVES = 1_000;
/** A bill of each month of a year. */
const BILLS = 12;

export interface LoadableAccount {
  readonly id: bigint;
  /** The ids of its initiatives follow each other. */
  readonly firstInitiative: bigint;
  readonly formulaVersion: bigint;
}

/** Makes the account; it has no entries yet. */
export async function addLoadableAccount(owner: Client): Promise<LoadableAccount> {
  const { account } = await foundAccount(owner, { reporting_enabled_at: '2025-01-01Z' });
  const { rows } = await owner.query<{ id: bigint }>(
    `insert into ledger.initiatives (account_id, title, stage)
     select $1, 'Initiative ' || n, 'live' from generate_series(1, ${INITIATIVES}) as n returning id`,
    [account],
  );
  // As autovacuum has done in any ledger that runs. Without statistics the check of each key reads all initiatives.
  await owner.query('analyze ledger.initiatives');
  const [firstInitiative] = rows.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1));
  const formula = await insert(owner, 'ledger.formulas', {
    account_id: account,
    formula_key: 'hours_saved',
  });
  const formulaVersion = await insert(owner, 'ledger.formula_versions', {
    account_id: account,
    formula_id: formula,
    version: 1,
    name: 'Hours saved',
    expression: 'hours * price',
  });
  await owner.query(
    `insert into ledger.platforms (key, name, category) values ('bench', 'Bench', 'ai_provider') on conflict do nothing`,
  );
  const connection_id = await insert(owner, 'ledger.connections', {
    account_id: account,
    platform_key: 'bench',
    status: 'active',
  });
  await owner.query(
    `insert into ledger.provider_bills
       (account_id, connection_id, month, amount_cents, currency, ai_amount_cents, load_source, load_ref)
     select $1, $2, date '2025-01-01' + make_interval(months => n), 100000, 'USD', 100000, 'file', 'bill-' || n
     from generate_series(0, ${BILLS - 1}) as n`,
    [account, connection_id],
  );
  return { id: account, firstInitiative: firstInitiative ?? 0n, formulaVersion };
}

const input = (value: string): string =>
  `{"value": ' || ${value} || ', "source_type": "assumption", "label": "As agreed"}`;

/** The select of a file's rows; of the changed ones every hundredth has another amount. */
export function rowsOf(
  table: 'cost_entries' | 'value_entries' | 'usage',
  { id, firstInitiative, formulaVersion }: LoadableAccount,
  { rows, changed }: { readonly rows: number; readonly changed: boolean },
): string {
  const initiative = `${firstInitiative} + n % ${INITIATIVES}`;
  const cents = `n * 7919 % 1000003${changed ? ' + case when n % 100 = 0 then 1 else 0 end' : ''}`;
  const month = `(date '2024-01-01' + make_interval(months => (n % 30)::integer))::date`;
  const period = `${month} as period_start, (${month} + interval '1 month - 1 day')::date as period_end`;
  const currency = `(array['USD', 'USD', 'EUR', 'GBP'])[1 + n % 4] as currency`;
  const from = `from generate_series(1::bigint, ${rows}) as n`;
  if (table === 'cost_entries') {
    return `select ${id} as account_id, n as id, ${initiative} as initiative_id, ${cents} as amount_cents, ${currency},
      (array['software', 'cloud', 'hardware', 'seats'])[1 + n % 4] as cost_type,
      case when n % 4 = 2 then 'capex' else 'opex' end as cost_category, ${period},
      case when n % 3 <> 0 then 'Vendor ' || n % 200 end as vendor_name, 'Cost ' || n as description,
      case when n % 10 = 0 then 'Fixed price, accepted' end as notes, 'csv' as source_type, 'ref-' || n as source_ref ${from}`;
  }
  if (table === 'usage') {
    return `select ${id} as account_id, 'use-' || n as source_ref, 'bill-' || n % ${BILLS} as bill_ref,
      (date '2025-01-01' + make_interval(months => (n % ${BILLS})::integer, days => (n / ${BILLS} % 28)::integer))::date as used_on,
      ${initiative} as initiative_id, 'Models' as service, 'model-' || n % 7 as model,
      (array['input_tokens', 'cached_input_tokens', 'output_tokens'])[1 + n % 3] as unit, ${cents} as quantity ${from}`;
  }
  // One of three is worked out by a formula, from two frozen inputs.
  return `select ${id} as account_id, n as id, ${initiative} as initiative_id, ${cents} as amount_cents, ${currency},
    (array['approved', 'approved', 'calculated', 'reviewed'])[1 + n % 4] as status,
    (array['cost_savings', 'revenue_gain', 'capacity'])[1 + n % 3] as entry_type, ${period},
    case when n % 3 = 0 then 'calculated' else 'csv' end as source_type,
    case when n % 3 = 0 then ${formulaVersion} end as formula_version_id,
    case when n % 3 = 0 then '{"expression": "hours * price", "inputs": {"hours": ${input('n % 90')}, "price": ${input('n % 70')}}}'
      else '{}' end as input_snapshot,
    case when n % 7 = 0 then 'Worked out with sales' end as notes ${from}`;
}
