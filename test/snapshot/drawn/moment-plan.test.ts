/** The plan of a moment: a program that follows it reads the rows of that moment, or fails. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sourceTables } from '../../../src/ledger/moment/source-tables.ts';
import { withMoment } from '../../../src/ledger/moment/moment.ts';
import { type MomentPlan, planMoment } from '../../../src/snapshot/builder/moment-plan.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { AT, change } from '../builder/real-build.ts';

/** The company has 60 costs: eight steps of 8 rows, which are cut into three ranges. */
const CUT = { ranges: 3, step_rows: 8 };

let database: TestDatabase;
let holder: Client;
let owner: Client;
let reader: Client;
let plan: MomentPlan;
let close: () => void;
let held: Promise<void>;
/** The rows of each table at the moment. */
const atMoment = new Map<string, readonly unknown[]>();
beforeAll(async () => {
  database = await createDatabase('template_company');
  holder = await database.client('cf_reader');
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  const planned = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  close = closing.resolve;
  const options = { account_id: 1n, tables: await sourceTables(), statementTimeoutMs: 60_000, at: AT };
  held = withMoment(holder, options, async (moment) => {
    plan = await planMoment(holder, moment, { account_id: 1n, app_url: 'https://app.example', ...CUT });
    for (const { name, select } of plan.tables) {
      const { rows } = await holder.query<object>(select);
      atMoment.set(name, rows);
    }
    planned.resolve();
    await closing.promise;
  });
  await Promise.race([planned.promise, held]);
  await change(owner, `update ledger.cost_entries set notes = 'changed' where account_id = 1 and id = 3087`);
});
afterAll(async () => {
  close();
  await held;
  await database.drop();
});

/** The rows of a condition, in a transaction that begins as told. */
async function read(start: string, select: string, predicate: string): Promise<readonly unknown[]> {
  try {
    await reader.query(`begin; ${start}`);
    return (await reader.query<object>(`select * from (${select}) rows where ${predicate}`)).rows;
  } finally {
    await reader.query('rollback');
  }
}

it('the ranges of a plan hold each row of the moment once, although the ledger has changed since', async () => {
  for (const { name, select, predicates } of plan.tables) {
    const rows: unknown[] = [];
    for (const predicate of predicates) rows.push(...(await read(plan.session_start, select, predicate)));
    expect(rows).toEqual(atMoment.get(name));
  }
  const costs = plan.tables.find(({ name }) => name === 'costs');
  expect(costs?.predicates).toHaveLength(3);
  const account = `set local app.account_id = '1'`;
  expect(await read(account, costs?.select ?? '', 'true')).not.toEqual(atMoment.get('costs'));
});

it('a plan has all tables but those of figures, which are computed from the others', () => {
  const missing = TABLES.map(({ name }) => name).filter((name) => !atMoment.has(name));
  expect(missing).toEqual(['budget_vs_actual', 'reported_totals']);
});

it.each([
  ['another moment', `set local app.account_id = '1'`],
  ['the moment, but no account', 'the moment'],
])('a session that sees %s fails at every range', async (_, start) => {
  const [isolation = '', , ...rest] = plan.session_start.split('; ');
  // The second statement names the account.
  const begun = start === 'the moment' ? [isolation, ...rest].join('; ') : start;
  for (const { select, predicates } of plan.tables)
    for (const predicate of predicates)
      expect(await outcomeOf(read(begun, select, predicate))).toMatchObject({ message: 'division by zero' });
});

it('a plan says which columns are required, their field ids, and the values that the select lacks', () => {
  const snapshot = plan.tables.find(({ name }) => name === 'snapshot');
  expect(snapshot?.columns.slice(0, 2)).toEqual([
    { name: 'snapshot_id', kind: 'string', required: true, field_id: 1, value: '20260715T020000Z' },
    { name: 'schema_version', kind: 'string', required: true, field_id: 2, value: 'v1' },
  ]);
  const costs = plan.tables.find(({ name }) => name === 'costs');
  expect(costs?.columns.slice(0, 2)).toEqual([
    { name: 'snapshot_id', kind: 'string', required: true, field_id: 1, value: '20260715T020000Z' },
    { name: 'cost_entry_id', kind: 'id', required: true, field_id: 2 },
  ]);
  expect(costs?.columns.find(({ name }) => name === 'notes')).toMatchObject({ required: false });
});

it('a plan names its moment, the role of its sessions and their application address', () => {
  expect(plan).toMatchObject({
    account_id: '1',
    snapshot_id: '20260715T020000Z',
    generated_at: '2026-07-15T02:00:00.123456Z',
    session_options: '-c role=cf_reader -c timezone=UTC -c datestyle=ISO -c app.app_url=https://app.example',
  });
});
