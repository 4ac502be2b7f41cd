/** An account made larger by copies of itself: minutes, where making as many entries one by one takes hours. */
import type { Client } from 'pg';
import { putIndexesAside } from './indexes.ts';

/** Above every id of a generated account, so that the ids of two copies never meet. */
const STRIDE = 100_000_000n;

/**
 * What an initiative has of its own, in the order of its references. Accounts, people, vendors, bills, readings and
 * formulas are shared by all copies, and so are the readings that an entry was worked out from.
 */
const COPIED = [
  'initiatives',
  'implementations',
  'recurring_costs',
  'charters',
  'approval_decisions',
  'budget_versions',
  'cost_entries',
  'value_entries',
] as const;

/** A bill is booked once: what a copy holds are costs of the same amounts that were booked by hand. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  cost_entries: [
    'provider_bill_id',
    'vendor_bill_id',
    'card_charge_id',
    'allocation_line_id',
    'ai_amount_cents',
    'ai_usd_amount_cents',
  ],
};

/** Every copied table's initiatives, decisions, budgets and entries, `times` as many as there are. */
export async function multiplyAccount(
  owner: Client,
  request: { readonly account: bigint; readonly times: number; readonly say: (line: string) => void },
): Promise<void> {
  const { account, times, say } = request;
  await owner.query('begin');
  await owner.query("select set_config('app.account_id', $1, true)", [account]);
  for (const table of COPIED) {
    // What triggers settle is settled in the rows that are copied; references are checked as ever.
    await owner.query(`alter table ledger.${table} disable trigger user`);
    const indexes = await putIndexesAside(owner, table);
    const checks = await putChecksAside(owner, table);
    const { columns, values } = await copyOf(owner, table);
    for (let copy = 1n; copy < times; copy += 1n) {
      await owner.query(
        `insert into ledger.${table} (account_id, ${columns}) overriding system value
         select account_id, ${values} from ledger.${table} where account_id = $1 and id < ${STRIDE}`,
        [account, copy * STRIDE],
      );
    }
    for (const index of indexes) await owner.query(index);
    for (const check of checks) await owner.query(check);
    await owner.query(`alter table ledger.${table} enable trigger user`);
    say(`  ${table}: ${times} times as many`);
  }
  await owner.query('commit');
  await owner.query(`vacuum analyze ${COPIED.map((table) => `ledger.${table}`).join(', ')}`);
}

/**
 * Drops the checks that call functions, which take most of the time of a copied value entry: the rows that are copied have
 * passed them. Returns the statements that make them again for rows to come.
 */
async function putChecksAside(owner: Client, table: string): Promise<readonly string[]> {
  const { rows } = await owner.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%service.%'`,
    [`ledger.${table}`],
  );
  for (const { name } of rows) await owner.query(`alter table ledger.${table} drop constraint ${name}`);
  return rows.map(
    ({ name, definition }) => `alter table ledger.${table} add constraint ${name} ${definition} not valid`,
  );
}

/** The columns of a table that are not generated, and what a copy has in them; $2 is by how much its ids are higher. */
async function copyOf(
  owner: Client,
  table: string,
): Promise<{ readonly columns: string; readonly values: string }> {
  const { rows } = await owner.query<{ name: string; refers_to: string | null }>(
    `select a.attname as name,
       (select f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = a.attrelid and f.contype = 'f' and f.conkey[2] = a.attnum) as refers_to
     from pg_attribute a
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and a.attname <> 'account_id'`,
    [`ledger.${table}`],
  );
  const moved = new Set(COPIED.map((copied) => `ledger.${copied}`));
  const valueOf = ({ name, refers_to }: { name: string; refers_to: string | null }): string => {
    if (LEFT_OUT[table]?.includes(name)) return 'null';
    // What a decision is about is named by a kind and an id, and all kinds are copied.
    const isMoved = name === 'id' || name === 'subject_id' || (refers_to !== null && moved.has(refers_to));
    return isMoved ? `${name} + $2::bigint` : name;
  };
  return {
    columns: rows.map(({ name }) => name).join(', '),
    values: rows.map(valueOf).join(', '),
  };
}
