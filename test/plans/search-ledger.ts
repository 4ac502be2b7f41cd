/**
 * A ledger to search: a hundred thousand records in one account, half as many in a second, a handful in a third. Only
 * the words count: rows are written by the administrator without triggers.
 */
import type { Client } from 'pg';

export const BIG = 1n;
export const SMALL = 3n;
/** How many of each thing an account has, as a part of the big one's. */
const ACCOUNTS = [
  [BIG, 1],
  [2n, 1 / 2],
  [SMALL, 1 / 1000],
] as const;

const words = (...list: readonly string[]): string => `(array['${list.join("', '")}'])`;
const VERBS = words(
  'Match',
  'Sort',
  'Draft',
  'Route',
  'Forecast',
  'Inspect',
  'Translate',
  'Price',
  'Review',
  'Plan',
);
const THINGS = words(
  'invoices',
  'contracts',
  'tickets',
  'orders',
  'defects',
  'quotes',
  'returns',
  'shipments',
  'claims',
  'recipes',
  'budgets',
  'emails',
  'meetings',
  'drawings',
  'receipts',
  'leads',
  'renewals',
  'timesheets',
);
const TEAMS = words('finance', 'sales', 'quality', 'logistics', 'service', 'legal', 'procurement');
const FIRMS = words('Northwind', 'Contoso', 'Fabrikam', 'Globex', 'Initech', 'Umbra', 'Hooli', 'Stark');
const NAMES = words('Ada', 'Ben', 'Carla', 'Dev', 'Eva', 'Femi', 'Grete', 'Hiro', 'Ines', 'Jonas', 'Kofi');
const SURNAMES = words('Lovelace', 'Okafor', 'Schmidt', 'Tanaka', 'Rossi', 'Nguyen', 'Kowalski');

interface Filling {
  readonly table: string;
  readonly rows: number;
  /** The columns and their values by `n`, the row's number. */
  readonly columns: Readonly<Record<string, string>>;
}

const FILLINGS: readonly Filling[] = [
  {
    table: 'initiatives',
    rows: 60_000,
    columns: {
      // A thousand have a code of their own, one in fifty is a sample.
      title: `${VERBS}[n % 10 + 1] || ' ' || ${THINGS}[n / 10 % 18 + 1] || ' of team ' || n % 997 || case when n % 60 = 7 then ' pelican' else '' end`,
      description: `'Initiative of the ' || ${TEAMS}[n % 7 + 1] || ' department which reads ' || ${THINGS}[n % 18 + 1] || ', number ' || n`,
      stage: `'live'`,
      is_sample: 'n % 50 = 0',
    },
  },
  {
    table: 'metrics',
    rows: 20_000,
    columns: { metric_key: `'m.' || n`, name: `'Minutes per ' || ${THINGS}[n % 18 + 1] || ' ' || n` },
  },
  {
    table: 'vendors',
    rows: 10_000,
    columns: { name: `${FIRMS}[n % 8 + 1] || ' Systems ' || n` },
  },
  {
    table: 'cost_entries',
    rows: 20_000,
    columns: {
      initiative_id: 'n % 1000 + 1',
      vendor_id: 'n / 2 + 1',
      amount_cents: '1',
      usd_amount_cents: '1',
      currency: `'USD'`,
      cost_category: `'opex'`,
      source_type: `'manual'`,
    },
  },
  {
    table: 'connections',
    rows: 5_000,
    columns: { platform_key: `'platform_' || n % 50`, name: `'Books of ' || n`, status: `'active'` },
  },
  {
    table: 'assessments',
    rows: 5_000,
    columns: { title: `'Readiness of ' || ${TEAMS}[n % 7 + 1] || ' ' || n`, status: `'active'` },
  },
  { table: 'memberships', rows: 10_000, columns: { user_id: 'n', role: `'member'` } },
];

/** Fills a migrated database and leaves it as autovacuum would. */
export async function fillSearchLedger(admin: Client): Promise<void> {
  await admin.query('set session_replication_role = replica');
  await admin.query(`
    insert into ledger.platforms (key, name, category)
      select 'platform_' || n, 'Platform ' || n, 'finance' from generate_series(0, 149) n;
    insert into ledger.help_articles (slug, title, summary, body, published)
      select 'article-' || n, 'How to read figure ' || n, 'What it holds', '-', true from generate_series(1, 100) n;
    insert into ledger.users (id, name) overriding system value
      select n, ${NAMES}[n % 11 + 1] || ' ' || ${SURNAMES}[n % 7 + 1] || ' ' || n from generate_series(1, 15000) n`);
  for (const [account, part] of ACCOUNTS) {
    await admin.query(
      `insert into ledger.accounts (id, name, plan, plan_includes_api) values ($1, 'A', 'team', true)`,
      [account],
    );
    for (const { table, rows, columns } of FILLINGS) {
      await admin.query(
        `insert into ledger.${table} (account_id, id, ${Object.keys(columns).join(', ')}) overriding system value
         select $1, n, ${Object.values(columns).join(', ')} from generate_series(1, $2) as n`,
        [account, rows * part],
      );
    }
  }
  await admin.query('vacuum analyze');
}
