/**
 * How the guards of locked months compare what an update changed with what was there. A session plans them for its first
 * update and keeps the plan: made for one entry, it must do for the ten thousand of a month that is closed later.
 */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { addCost, addValue, type Founded, foundAccount, inAccount } from '../support/ledger-rows.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
/** How often all rows of the update, old or new, are read below a node. */
const readings = (node: PlanNode): number =>
  nodesOf(node).filter(({ 'Node Type': type }) => type === 'Named Tuplestore Scan').length;

let database: TestDatabase;
let owner: Client;
let home: Founded;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  home = await foundAccount(owner);
});
afterAll(() => database.drop());

/** The plan of the query with which `guard` looks at an update, made beside it for an update of one entry. */
async function planFor(guard: string, table: string): Promise<PlanNode> {
  const { rows: sources } = await owner.query<{ source: string }>(
    'select prosrc as source from pg_proc where oid = $1::regproc',
    [guard],
  );
  const query = /select (?:(?!select).)* into refused\s+(from old_rows.* limit 1)(?=;\s+end if)/s.exec(
    sources[0]?.source ?? '',
  )?.[1];
  if (query === undefined) throw new Error(`${guard} does not ask for old rows`);
  await owner.query(`begin; set local app.account_id = '${home.account}'`);
  try {
    await owner.query('create temp table plans (plan json) on commit drop');
    await owner.query(`
      create function pg_temp.explain_guard() returns trigger language plpgsql as $explain$
      declare
        plan json;
      begin
        execute $query$explain (format json) select 1 ${query}$query$ into plan;
        insert into pg_temp.plans values (plan);
        return null;
      end $explain$`);
    await owner.query(`
      create trigger explain_guard after update on ledger.${table} referencing old table as old_rows new table as new_rows
      for each statement execute function pg_temp.explain_guard()`);
    await owner.query(`update ledger.${table} set notes = 'changed' where account_id = $1`, [home.account]);
    const { rows } = await owner.query<{ plan: readonly [{ Plan: PlanNode }] }>(
      'select plan from pg_temp.plans',
    );
    if (rows[0] === undefined) throw new Error('nothing was explained');
    return rows[0].plan[0].Plan;
  } finally {
    await owner.query('rollback');
  }
}

describe.each([
  { guard: 'service.guard_costs', table: 'cost_entries', add: addCost },
  { guard: 'service.guard_value', table: 'value_entries', add: addValue },
])('the guard $guard after an update of one row', ({ guard, table, add }) => {
  let plan: PlanNode;
  beforeAll(async () => {
    await inAccount(owner, home.account, () => add(owner, home));
    plan = await planFor(guard, table);
  });
  const pairing = (): PlanNode | undefined => nodesOf(plan).findLast((node) => readings(node) === 2);

  it('finds the earlier row without looking through all rows for each', () => {
    expect(readings(plan)).toBe(2);
    expect(pairing()?.['Node Type']).toBe('Hash Join');
  });

  it('compares rows of locked months alone', () => {
    expect(pairing()?.Filter).toBeUndefined();
  });
});
