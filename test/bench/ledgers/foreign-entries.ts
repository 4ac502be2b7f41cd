/** An account whose every entry is in a foreign currency and not converted yet: half costs, half value. */
import type { Client } from 'pg';
import { foundAccount, inAccount } from '../../support/ledger-rows.ts';

const CURRENCIES = "array['EUR', 'EUR', 'EUR', 'GBP', 'GBP', 'JPY', 'CHF', 'BGN', 'KES']";
const INITIATIVES = 1_000;
const ROWS_OF_INSERT = 50_000;

/**
 * The entries begin in April 2024, as the sample of rates does. The period of an entry is a month, a quarter, a start without an
 * end, or missing.
 */
const DRAWN = `
  select n, (${CURRENCIES})[1 + n % 9] as currency, (date '2024-04-01' + make_interval(months => (n / 9 % 28)::integer))::date as month,
    n / 252 % 20 as shape, (n * 7919 % 1000003 - 50000) as amount_cents
  from generate_series($3::bigint, $4::bigint) as n`;

const COSTS = `
  insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, period_start, period_end, source_type, cost_category, created_at)
  select $1, $2 + n % ${INITIATIVES}, amount_cents, currency, case when shape < 18 then month end,
    case when shape < 12 then (month + interval '1 month - 1 day')::date when shape < 15 then (month + interval '3 months - 1 day')::date end,
    'system', 'opex', month + 14
  from (${DRAWN}) as drawn`;

const VALUE = `
  insert into ledger.value_entries (account_id, initiative_id, amount_cents, currency, status, entry_type, period_start, period_end, source_type)
  select $1, $2 + n % ${INITIATIVES}, amount_cents, currency, 'approved', 'cost_savings', case when shape < 19 then month end,
    case when shape < 12 then (month + interval '1 month - 1 day')::date when shape < 15 then (month + interval '3 months - 1 day')::date end,
    'manual'
  from (${DRAWN}) as drawn`;

const TRIGGERS = (verb: 'disable' | 'enable'): string =>
  `alter table ledger.cost_entries ${verb} trigger user; alter table ledger.value_entries ${verb} trigger user`;

/** Makes the account and its entries, and returns the id of the account. */
export async function addForeignEntries(owner: Client, rows: number): Promise<bigint> {
  const { account } = await foundAccount(owner);
  const { rows: initiatives } = await owner.query<{ id: bigint }>(
    `insert into ledger.initiatives (account_id, title, stage)
     select $1, 'Initiative ' || n, 'live' from generate_series(1, ${INITIATIVES}) as n returning id`,
    [account],
  );
  const [first] = initiatives.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1));
  // The triggers would take nine tenths of the time, and these rows already have all that the triggers would add.
  await owner.query(TRIGGERS('disable'));
  for (const statement of [COSTS, VALUE]) {
    for (let from = 1; from <= rows / 2; from += ROWS_OF_INSERT) {
      const through = Math.min(from + ROWS_OF_INSERT - 1, rows / 2);
      await inAccount(owner, account, () => owner.query(statement, [account, first, from, through]));
    }
  }
  await owner.query(TRIGGERS('enable'));
  await owner.query('analyze ledger.cost_entries, ledger.value_entries');
  return account;
}
