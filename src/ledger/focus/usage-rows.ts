/** Writes the use of bills into the ledger: it replaces what an earlier load of the same bills wrote. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readStatement } from '../../database/columns.ts';
import { type CopyCells, copyLines } from '../../database/copy-text.ts';
import { shownUnits } from './decimals.ts';
import type { FocusLedger } from './ledger-state.ts';
import type { UsageSum } from './usage-sums.ts';

/** The columns of `read_usage`: the fields of a sum. */
const READ = {
  bill: 'text',
  used_on: 'date',
  initiative: 'text',
  is_ai: 'boolean',
  service: 'text',
  model: 'text',
  unit: 'text',
  cost_class: 'text',
  quantity: 'numeric',
  billed: 'numeric',
  effective: 'numeric',
  list: 'numeric',
  priced: 'numeric',
} as const satisfies Record<keyof UsageSum, string>;
const FIELDS = Object.keys(READ) as (keyof UsageSum)[]; // its keys alone

/** Makes the table that sums wait in until their bills are written; returns what adds rows to it. */
export async function openUsage(client: Client): Promise<(sums: Iterable<UsageSum>) => Promise<void>> {
  const columns = FIELDS.map((field) => `${field} ${READ[field]}`);
  await client.query(`create temp table read_usage (${columns.join(', ')}) on commit drop`);
  return async (sums) => {
    const copy = client.query(copyFrom(`copy pg_temp.read_usage from stdin`));
    await pipeline(Readable.from(copyLines(cellsOf(sums))), copy);
  };
}

function* cellsOf(sums: Iterable<UsageSum>): Generator<CopyCells> {
  for (const sum of sums) {
    yield FIELDS.map((field) => {
      const { [field]: value } = sum;
      return typeof value === 'bigint' ? shownUnits(value) : (value?.toString() ?? null);
    });
  }
}

const COSTS = ['billed', 'effective', 'list', 'priced'] as const;
const KEY = ['used_on', 'initiative_id', 'is_ai', 'service', 'model', 'unit', 'cost_class'] as const;
const NUMBERS = ['quantity', ...COSTS.map((cost) => `${cost}_cost`)];
const COLUMNS = ['bill_id', ...KEY, ...NUMBERS];

/** SQL of the read rows of the bills in a table, with the ids of bill and initiative; `$1` and `$2` are titles and their ids. */
const readRows = (bills: string): string => `
  select b.id as bill_id, r.used_on, i.id as initiative_id, r.is_ai, r.service, r.model, r.unit, r.cost_class, r.quantity,
    ${COSTS.map((cost) => `r.${cost} as ${cost}_cost`).join(', ')}
  from pg_temp.read_usage r join pg_temp.${bills} b on b.ref = r.bill
  left join unnest($1::text[], $2::bigint[]) as i (title, id) on i.title = r.initiative`;

/** The cents of a cost, rounded down, and the rest. */
const PARTS = 'floor(billed_cost * 100) as whole, billed_cost * 100 - floor(billed_cost * 100) as rest';

/** SQL that is true if the rows `n` and `o` are equal in these columns. */
const equal = (columns: readonly string[]): string => {
  // An empty text and NaN are null here: the ledger has neither, and a join by equality is fast.
  const none: Readonly<Record<string, string>> = {
    initiative_id: '0',
    service: "''",
    model: "''",
    unit: "''",
  };
  return columns
    .map((column) => {
      const other = NUMBERS.includes(column) ? "'NaN'" : none[column];
      const of = (row: string): string =>
        other === undefined ? `${row}.${column}` : `coalesce(${row}.${column}, ${other})`;
      return `${of('n')} = ${of('o')}`;
    })
    .join(' and ');
};

export interface WrittenBills {
  readonly account: bigint;
  readonly source: string;
  /** The exact sums of the bills, in the units of `decimals.ts`, by `billRef`. */
  readonly bills: ReadonlyMap<string, bigint>;
  readonly ledger: Pick<FocusLedger, 'initiatives'>;
}

/**
 * Replaces the use of the bills by the rows of `openUsage`. Rows that stay the same are not written. The cents of a bill are
 * spread over its rows by largest remainder. Throws if the costs of a bill do not add up to it.
 */
export async function writeUsage(
  client: Client,
  { account, source, bills, ledger }: WrittenBills,
): Promise<void> {
  const named = [...ledger.initiatives].flatMap(([title, [id, ...others]]) =>
    id === undefined || others.length > 0 ? [] : [{ title, id }],
  );
  const initiatives = [named.map(({ title }) => title), named.map(({ id }) => id)];
  await client.query(
    `create temp table written_bills on commit drop as
     select b.load_ref as ref, b.id, b.amount_cents::bigint as amount_cents, c.billed from ledger.provider_bills b
     join unnest($3::text[], $4::numeric[]) as c (ref, billed) on c.ref = b.load_ref
     where b.account_id = $1 and b.load_source = $2`,
    [account, source, [...bills.keys()], [...bills.values()].map(shownUnits)],
  );
  await client.query('analyze pg_temp.read_usage, pg_temp.written_bills');
  // A merge join would sort millions of texts.
  await client.query('set local enable_mergejoin = off');
  if (await findChanged(client, account, initiatives)) await replaceChanged(client, account, initiatives);
  await requireTied(client, account);
}

/**
 * Makes the table of the bills whose use is not in the ledger as it was read; false if there is none. A bill is unchanged if each of
 * its rows has exactly one equal row in the ledger, and if its cents are spread by largest remainder: of rows with equal
 * remainders, those that got a cent keep it.
 */
async function findChanged(
  client: Client,
  account: bigint,
  initiatives: readonly unknown[],
): Promise<boolean> {
  const { rowCount } = await client.query(
    `create temp table changed_bills on commit drop as
     with pairs as (
       select coalesce(n.bill_id, o.bill_id) as id, count(*) as rows, sum(o.cents) as cents,
         bool_and(coalesce(n.bill_id = o.bill_id and ${equal(NUMBERS)} and o.cents - o.whole in (0, 1), false)) as is_same,
         max(o.rest) filter (where o.cents = o.whole) <= min(o.rest) filter (where o.cents > o.whole) as is_spread
       from (${readRows('written_bills')}) n
       full join (
         select *, coalesce(cost_cents, 0) as cents, ${PARTS} from ledger.usage
         where account_id = $3 and load_ref is null and bill_id in (select id from pg_temp.written_bills)) o
         on ${equal(['bill_id', ...KEY])}
       group by 1)
     select b.* from pg_temp.written_bills b
     left join pairs p on p.id = b.id
     left join (select bill, count(*) as rows from pg_temp.read_usage group by bill) n on n.bill = b.ref
     left join (
       select bill_id, count(*) as rows from ledger.usage
       where account_id = $3 and load_ref is null and bill_id in (select id from pg_temp.written_bills) group by bill_id) o
       on o.bill_id = b.id
     where not coalesce(p.is_same and p.rows = n.rows and p.rows = o.rows and p.cents = b.amount_cents
       and coalesce(p.is_spread, true), false)`,
    [...initiatives, account],
  );
  return rowCount !== 0;
}

/** Replaces the use of the changed bills. */
async function replaceChanged(
  client: Client,
  account: bigint,
  initiatives: readonly unknown[],
): Promise<void> {
  const summed = NUMBERS.map(
    // Null if a charge did not say it.
    (column) => `case when count(*) = count(r.${column}) then sum(r.${column}) end as ${column}`,
  );
  await client.query(
    `create temp table new_usage on commit drop as
     with sums as (
       select bill_id, ${KEY.join(', ')}, ${summed.join(', ')} from (${readRows('changed_bills')}) r group by bill_id, ${KEY.join(', ')}),
     parts as (select *, ${PARTS} from sums)
     select ${COLUMNS.map((column) => `p.${column}`).join(', ')},
       (p.whole + case when row_number() over of_bill <= b.amount_cents - sum(p.whole) over (partition by p.bill_id)
         then 1 else 0 end)::bigint as cost_cents
     from parts p join pg_temp.changed_bills b on b.id = p.bill_id
     window of_bill as (partition by p.bill_id order by p.rest desc, ${KEY.map((column) => `p.${column}`).join(', ')})`,
    [...initiatives],
  );
  // What a load has just written has no statistics yet, and a plan without them would compare each row with each other one.
  await client.query(
    `create temp table old_usage on commit drop as
     select id, ${COLUMNS.join(', ')}, cost_cents from ledger.usage u
     where u.account_id = $1 and u.load_ref is null and u.bill_id in (select id from pg_temp.changed_bills)`,
    [account],
  );
  await client.query('analyze pg_temp.new_usage, pg_temp.old_usage');
  // Of equal rows the first stays: an initiative that was deleted may have left two.
  await client.query(
    `create temp table kept_usage on commit drop as
     select min(o.id) as id, n.ctid as place from pg_temp.new_usage n
     join pg_temp.old_usage o on ${equal(COLUMNS)} and n.cost_cents = coalesce(o.cost_cents, 0)
     group by n.ctid`,
  );
  await client.query('analyze pg_temp.kept_usage');
  await client.query(
    `delete from ledger.usage u using pg_temp.old_usage o
     where u.account_id = $1 and u.id = o.id and not exists (select from pg_temp.kept_usage k where k.id = o.id)`,
    [account],
  );
  await client.query(
    `insert into ledger.usage (account_id, ${COLUMNS.join(', ')}, cost_cents)
     select $1, ${COLUMNS.map((column) => `n.${column}`).join(', ')}, n.cost_cents from pg_temp.new_usage n
     where not exists (select from pg_temp.kept_usage k where k.place = n.ctid)
     order by bill_id, ${KEY.join(', ')}`,
    [account],
  );
}

/** Throws if the use of a bill does not cost what the bill does. */
async function requireTied(client: Client, account: bigint): Promise<void> {
  const [untied] = await readStatement(client, {
    name: 'usage',
    text: `select b.ref, b.billed::text as billed, coalesce(sum(u.billed_cost), 0)::text as used
       from pg_temp.written_bills b
       left join ledger.usage u on u.account_id = $1 and u.bill_id = b.id and u.load_ref is null
       group by b.ref, b.billed having b.billed <> coalesce(sum(u.billed_cost), 0) limit 1`,
    values: [account],
    columns: { ref: 'text', billed: 'text', used: 'text' },
  });
  if (untied !== undefined)
    throw new TypeError(
      `the use of bill ${untied.ref} costs ${untied.used}, and the bill is ${untied.billed}`,
    );
}
