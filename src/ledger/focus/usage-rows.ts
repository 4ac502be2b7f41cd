/** Writes the use of bills into the ledger: it replaces what an earlier load of the same bills wrote. */
import type { Client } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { shownUnits } from './decimals.ts';
import type { FocusLedger } from './ledger-state.ts';
import type { UsageSum } from './usage-sums.ts';

const COSTS = ['billed', 'effective', 'list', 'priced'] as const;

/** Makes the table that sums wait in until their bills are written; returns what adds rows to it. */
export async function openUsage(client: Client): Promise<(sums: readonly UsageSum[]) => Promise<void>> {
  await client.query(`create temp table read_usage (bill text, used_on date, initiative text, is_ai boolean, service text,
    model text, unit text, cost_class text, quantity numeric, billed numeric, effective numeric, list numeric,
    priced numeric) on commit drop`);
  return async (sums) => {
    const numbers = (name: 'quantity' | (typeof COSTS)[number]): readonly (string | null)[] =>
      sums.map(({ [name]: units }) => (units === null ? null : shownUnits(units)));
    await client.query(
      `insert into pg_temp.read_usage
       select * from unnest($1::text[], $2::date[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[])`,
      [
        sums.map(({ bill }) => bill),
        sums.map(({ used_on }) => used_on),
        sums.map(({ initiative }) => initiative),
        sums.map(({ is_ai }) => is_ai),
        sums.map(({ service }) => service),
        sums.map(({ model }) => model),
        sums.map(({ unit }) => unit),
        sums.map(({ cost_class }) => cost_class),
        numbers('quantity'),
        ...COSTS.map(numbers),
      ],
    );
  };
}

const KEY = ['used_on', 'initiative_id', 'is_ai', 'service', 'model', 'unit', 'cost_class'] as const;
const COLUMNS = ['bill_id', ...KEY, 'quantity', ...COSTS.map((cost) => `${cost}_cost`)];

/** The sum of a column; null if a charge did not say it. */
const sumOf = (column: string, name: string): string =>
  `case when count(*) = count(r.${column}) then sum(r.${column}) end as ${name}`;

// An empty text and NaN are null here: the ledger has neither, and a join by equality is fast.
const SAME = [
  'bill_id',
  'used_on',
  'coalesce(initiative_id, 0)',
  'is_ai',
  ...['service', 'model', 'unit'].map((column) => `coalesce(${column}, '')`),
  'cost_class',
  'coalesce(cost_cents, 0)',
  ...['quantity', 'billed_cost', 'effective_cost', 'list_cost', 'priced_cost'].map(
    (column) => `coalesce(${column}, 'NaN')`,
  ),
];
const IS_SAME = SAME.map((each) => {
  const of = (alias: string): string => each.replace(/[a-z_]+(?=[,)])|^[a-z_]+$/, `${alias}.$&`);
  return `${of('n')} = ${of('o')}`;
}).join(' and ');

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
  await client.query('analyze pg_temp.read_usage');
  await client.query(
    `create temp table written_bills on commit drop as
     select b.load_ref as ref, b.id, b.amount_cents::bigint as amount_cents, c.billed from ledger.provider_bills b
     join unnest($3::text[], $4::numeric[]) as c (ref, billed) on c.ref = b.load_ref
     where b.account_id = $1 and b.load_source = $2`,
    [account, source, [...bills.keys()], [...bills.values()].map(shownUnits)],
  );
  await client.query(
    `create temp table new_usage on commit drop as
     with sums as (
     select b.id as bill_id, r.used_on, i.id as initiative_id, r.is_ai, r.service, r.model, r.unit, r.cost_class,
       ${[sumOf('quantity', 'quantity'), ...COSTS.map((cost) => sumOf(cost, `${cost}_cost`))].join(', ')}
     from pg_temp.read_usage r join pg_temp.written_bills b on b.ref = r.bill
     left join unnest($1::text[], $2::bigint[]) as i (title, id) on i.title = r.initiative
     group by b.id, r.used_on, i.id, r.is_ai, r.service, r.model, r.unit, r.cost_class), parts as (
       select *, floor(billed_cost * 100) as whole, billed_cost * 100 - floor(billed_cost * 100) as rest from sums)
     select ${COLUMNS.map((column) => `p.${column}`).join(', ')},
       (p.whole + case when row_number() over of_bill <= b.amount_cents - sum(p.whole) over (partition by p.bill_id)
         then 1 else 0 end)::bigint as cost_cents
     from parts p join pg_temp.written_bills b on b.id = p.bill_id
     window of_bill as (partition by p.bill_id order by p.rest desc, ${KEY.map((column) => `p.${column}`).join(', ')})`,
    [named.map(({ title }) => title), named.map(({ id }) => id)],
  );
  // What a load has just written has no statistics yet, and a plan without them would compare each row with each other one.
  await client.query(
    `create temp table old_usage on commit drop as
     select id, ${COLUMNS.join(', ')}, cost_cents from ledger.usage u
     where u.account_id = $1 and u.load_ref is null and u.bill_id in (select id from pg_temp.written_bills)`,
    [account],
  );
  await client.query('analyze pg_temp.written_bills, pg_temp.new_usage, pg_temp.old_usage');
  // Of equal rows the first stays: an initiative that was deleted may have left two.
  await client.query(
    `create temp table kept_usage on commit drop as
     select min(o.id) as id, n.ctid as place from pg_temp.new_usage n join pg_temp.old_usage o on ${IS_SAME} group by n.ctid`,
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
  await requireTied(client, account);
}

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
