import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addLoadCommand } from '../../../src/commands/load.ts';
import { close as closeAsOwner } from '../../../src/commands/people/change-months.ts';
import { addMonthCommand } from '../../../src/commands/people/people.ts';
import type { CommandContext } from '../../../src/run/context.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Ran, runCommand } from '../in-process.ts';

let database: TestDatabase;
let owner: Client;
let folder: string;

beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-month-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

const env = () => ({ DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') });
const run = (...args: readonly string[]): Promise<Ran> =>
  runCommand(addMonthCommand, env(), 'month', ...args);
const close = (month: string, account = '1', by = '1'): Promise<Ran> =>
  run('close', month, '--account', account, '--by', by);
const reopen = (month: string, reason = 'A bill came late.', by = '2'): Promise<Ran> =>
  run('reopen', month, '--account', '1', '--by', by, '--reason', reason);

/** All months, and the fields `locked` and `updated_at` that their entries have from them. */
async function months(): Promise<unknown> {
  const { rows } = await owner.query(
    `select (select json_agg(m order by account_id, month) from ledger.accounting_months m) as months,
       (select max(updated_at) from ledger.cost_entries) as costs, (select json_agg(g) from ledger.account_gates g) as gates`,
  );
  return rows;
}

async function monthOf(first_day: string): Promise<unknown> {
  const { rows } = await owner.query(
    `select status, locked_by_id::int, reopened_by_id::int, reopen_reason, locked_at > now() - interval '1 hour' as locked_now
       from ledger.accounting_months where account_id = 1 and month = $1`,
    [first_day],
  );
  return rows[0];
}

/** Loads one cost into account 1. */
async function loadCost(source_ref: string, currency = 'USD', day = '2025-05-31'): Promise<Ran> {
  const file = join(folder, 'cost_entries.csv');
  await writeFile(
    file,
    `account_id,initiative_id,amount,currency,cost_category,period_start,source_type,source_ref\n1,101,12.50,${currency},opex,${day},csv,${source_ref}\n`,
  );
  return await runCommand(addLoadCommand, env(), 'load', file, '--account', '1');
}

it('closing works for a month without a row, refuses its costs, and works again after a reopening', async () => {
  const closed = await close('2025-05');
  expect(closed).toMatchObject({
    error: undefined,
    printed: ['month 2025-05 of account 1 is closed by person 1'],
  });
  expect(closed.said.at(-1)).toBe('next: npx --no crossfoot build --account 1');
  expect(await monthOf('2025-05-01')).toMatchObject({ status: 'locked', locked_by_id: 1, locked_now: true });
  const late = await loadCost('late');
  expect(late.error).toMatchObject({ code: 'load_rejected' });
  expect(late.said.join('\n')).toContain('2025-05 is locked');
  expect((await reopen('2025-05', ' A bill came late. ')).printed).toEqual([
    'month 2025-05 of account 1 is reopened by person 2: A bill came late.',
  ]);
  expect((await loadCost('late')).error).toBeUndefined();
  expect((await close('2025-05', '1', '5')).error).toBeUndefined();
  // Who reopened it and why stays beside the second close.
  expect(await monthOf('2025-05-01')).toMatchObject({
    status: 'locked',
    locked_by_id: 5,
    reopened_by_id: 2,
    reopen_reason: 'A bill came late.',
  });
});

it.each([
  ['open', '2025-04'],
  ['in review', '2025-03'],
  ['reopened before', '2025-02'],
])('close locks a month that is %s', async (_, name) => {
  expect((await close(name)).error).toBeUndefined();
  expect(await monthOf(`${name}-01`)).toMatchObject({ status: 'locked', locked_by_id: 1, locked_now: true });
});

it('close says that the rates are the sample of the demo before it locks the month', async () => {
  const said: string[] = [];
  const refuses = closeAsOwner(
    [owner, { embedded: true }],
    '2026-03', // closed already: nothing after the lock is said
    { account: 1n, by: 1n },
    {
      say: (line: string) => said.push(line),
      print: (line: string) => said.push(line),
    } as unknown as CommandContext,
  );
  await expect(refuses).rejects.toMatchObject({ code: 'month_refused' });
  expect(said).toEqual([expect.stringContaining("The stored rates are the demo's sample")]);
});

it('close says how many entries of the closed month stay without a dollar figure, a final rate or an approval', async () => {
  // The stored rates end before August 2026: a cost in euros takes the latest one.
  expect((await loadCost('early', 'EUR', '2026-08-31')).error).toBeUndefined();
  const { rows } = await owner.query<{
    month: string;
    costs: number;
    values: number;
    provisional: number;
    unapproved: number;
  }>(
    `with waiting as (
        select booked_month as month, (usd_amount_cents is null)::int as costs, 0 as values, coalesce(usd_rate_provisional, false)::int as provisional,
          0 as unapproved
          from ledger.cost_entries where account_id = 1 and (usd_amount_cents is null or usd_rate_provisional)
        union all select period_month, 0, (status = 'approved')::int, 0, (status <> 'approved')::int from ledger.value_entries
          where account_id = 1 and (status in ('calculated', 'reviewed') or status = 'approved' and usd_amount_cents is null))
      select to_char(w.month, 'YYYY-MM') as month, sum(costs)::int as costs, sum(values)::int as values, sum(provisional)::int as provisional, sum(unapproved)::int as unapproved
      from waiting w left join ledger.accounting_months m on m.account_id = 1 and m.month = w.month
      where w.month is not null and m.status is distinct from 'locked' group by 1 order by 1`,
  );
  expect(rows.find(({ month: name }) => name === '2026-08')?.provisional).toBeGreaterThan(0);
  for (const { month: name, costs, values, provisional, unapproved } of rows) {
    const { said, error } = await close(name);
    expect(error).toBeUndefined();
    const text = said.join('\n');
    expect(/without a dollar figure: (\d+);/.exec(text)?.[1] ?? '0').toBe(String(costs + values));
    expect(/at a provisional rate: (\d+);/.exec(text)?.[1] ?? '0').toBe(String(provisional));
    expect(/without an approval: (\d+);/.exec(text)?.[1] ?? '0').toBe(String(unapproved));
  }
});

it.each([
  [
    'closed already',
    () => close('2026-03'),
    'month_refused',
    'Month 2026-03 of account 1 is closed already, since 2026-04-12 16:00 UTC. Nothing was changed.',
  ],
  [
    'of the future',
    () => close('2199-12'),
    'month_refused',
    'Month 2199-12 of account 1 has not ended. Nothing was changed.',
  ],
  [
    'closed by a viewer',
    () => close('2025-06', '1', '6'),
    'member_refused',
    'Person 6 is a viewer of account 1, who closes and reopens no month.',
  ],
  [
    'closed by a person of another account',
    () => close('2025-06', '1', '21'),
    'member_refused',
    'Account 1 has no person 21, or the person has left it.',
  ],
  [
    'closed by a person who has left',
    () => close('2025-06', '1', '7'),
    'member_refused',
    'Account 1 has no person 7, or the person has left it.',
  ],
  [
    'of an account that is not there',
    () => close('2025-06', '99'),
    'not_found',
    'There is no account 99 in this ledger.',
  ],
  [
    'never closed, at its reopening',
    () => reopen('2025-06'),
    'month_refused',
    'Month 2025-06 of account 1 is not closed. Nothing was changed.',
  ],
  [
    'reopened already, at its reopening',
    () => reopen('2025-09'),
    'month_refused',
    'Month 2025-09 of account 1 was reopened already, since 2025-11-03 08:00 UTC. Nothing was changed.',
  ],
  [
    'reopened by a viewer',
    () => reopen('2026-03', 'x', '6'),
    'member_refused',
    'Person 6 is a viewer of account 1, who closes and reopens no month.',
  ],
  [
    'reopened by a person of another account',
    () => reopen('2026-03', 'x', '21'),
    'member_refused',
    'Account 1 has no person 21, or the person has left it.',
  ],
])('the command refuses a month %s, and changes nothing', async (_, attempt, code, message) => {
  const before = await months();
  const { error, printed } = await attempt();
  expect(error).toMatchObject({ code, message, exitCode: 1 });
  expect(printed).toEqual([]);
  expect(await months()).toEqual(before);
});

it('close takes a month from the hour in which it has ended anywhere, and no hour before', async () => {
  const { rows } = await owner.query<{ ended: string; running: string }>(
    `select to_char(now() at time zone 'UTC' + interval '14 hours' - interval '1 month', 'YYYY-MM') as ended,
       to_char(now() at time zone 'UTC' + interval '14 hours', 'YYYY-MM') as running`,
  );
  const { ended = '', running = '' } = rows[0] ?? {};
  expect((await close(running)).error).toMatchObject({ code: 'month_refused' });
  expect((await close(ended)).error).toBeUndefined();
});

it.each(['2026-3', '2026-13', '2026-00', '03/2026', '2026-03-01', '1989-12', '2200-01', ' 2026-03', ''])(
  'close refuses %j as a month',
  async (text) => {
    expect((await close(text)).error).toMatchObject({ code: 'commander.invalidArgument' });
  },
);

it.each([
  ['empty', ''],
  ['blank', '  '],
  ['of two lines', 'a\nb'],
  ['of 501 letters', 'a'.repeat(501)],
])('reopen refuses a reason that is %s', async (_, reason) => {
  expect((await reopen('2026-03', reason)).error).toMatchObject({ code: 'commander.invalidArgument' });
});

it('a month is closed once when two commands close it at the same time', async () => {
  const ran = await Promise.all([close('2025-07'), close('2025-07')]);
  expect(ran.filter(({ error }) => error === undefined)).toHaveLength(1);
});
