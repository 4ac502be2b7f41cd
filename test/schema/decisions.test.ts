import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { changeableColumns } from '../support/guarded-columns.ts';
import {
  type Founded,
  type Row,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
  insert,
} from '../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let writer: Client;
let home: Founded;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  writer = await database.client('cf_writer');
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
});

const write = <Result>(work: () => Promise<Result>): Promise<Result> => inAccount(writer, home.account, work);

const TABLES = ['portfolio_decisions', 'approval_decisions'] as const;
type Table = (typeof TABLES)[number];

const decide = (table: Table, row: Row = {}): Promise<bigint> =>
  write(() =>
    insert(writer, `ledger.${table}`, {
      account_id: home.account,
      initiative_id: home.initiative,
      subject_title: 'Invoices',
      decided_by_id: home.person,
      decided_at: '2026-04-05Z',
      ...(table === 'portfolio_decisions' ? PORTFOLIO : { ...APPROVAL, subject_id: home.initiative }),
      ...row,
    }),
  );

const PORTFOLIO = {
  outcome: 'continue',
  stage_before: 'live',
  stage_after: 'live',
  rationale: 'It pays.',
  cash_value_cents: 1,
  freed_capacity_cents: 0,
  cost_to_date_cents: 1,
  currency: 'USD',
};
const APPROVAL = { subject_kind: 'initiative', decision: 'approved', source: 'direct' };

const read = async (table: Table, id: bigint): Promise<Row | undefined> => {
  const { rows } = await owner.query<Row>(`select * from ledger.${table} where id = $1`, [id]);
  return rows[0];
};

describe.each(TABLES)('a row of %s', (table) => {
  it('keeps every column once written', async () => {
    const id = await decide(table);
    const free = await changeableColumns(writer, write, {
      table: `ledger.${table}`,
      id,
      own: ['updated_at'],
      refusal: /is never changed once written$/,
      other: { currency: "'EUR'" },
    });
    expect(free).toEqual([]);
  });

  it('is never deleted', async () => {
    const id = await decide(table);
    const refused = { code: '23001', hint: 'Record a new decision instead.' };
    await expect(
      write(() => writer.query(`delete from ledger.${table} where id = $1`, [id])),
    ).rejects.toMatchObject(refused);
    await expect(owner.query(`delete from ledger.${table} where id = $1`, [id])).rejects.toMatchObject(
      refused,
    );
  });

  it('outlives its initiative, losing only its id', async () => {
    const id = await decide(table);
    const before = await read(table, id);
    await write(() => writer.query('delete from ledger.initiatives where id = $1', [home.initiative]));
    const after = await read(table, id);
    expect(after).toEqual({ ...before, initiative_id: null, updated_at: after?.updated_at });
    expect(after?.updated_at).not.toBe(before?.updated_at);
  });

  it('does not lose the id of an initiative that is still there', async () => {
    const id = await decide(table);
    await expect(
      write(() => writer.query(`update ledger.${table} set initiative_id = null where id = $1`, [id])),
    ).rejects.toMatchObject({ code: '23001' });
  });

  it('remembers whether its initiative was a sample when it was made', async () => {
    const sample = await addInitiative(owner, home.account, { is_sample: true });
    // What the writer says of the mark does not matter while the initiative is there to ask.
    const demo = await decide(table, { initiative_id: sample, is_sample: false });
    const real = await decide(table, { is_sample: true });
    await write(() => writer.query('update ledger.initiatives set is_sample = not is_sample'));
    await write(() => writer.query('delete from ledger.initiatives'));
    expect([(await read(table, demo))?.is_sample, (await read(table, real))?.is_sample]).toEqual([
      true,
      false,
    ]);
  });
});

const approve = (entry: bigint, decided_at: string, row: Row = {}): Promise<bigint> =>
  decide('approval_decisions', { subject_kind: 'value_entry', subject_id: entry, decided_at, ...row });
const approvalOf = async (entry: bigint): Promise<bigint | null | undefined> => {
  const { rows } = await owner.query<{ approval_decision_id: bigint | null }>(
    'select approval_decision_id from ledger.value_entries where id = $1',
    [entry],
  );
  return rows[0]?.approval_decision_id;
};

describe('the approval of a value entry', () => {
  it('is the latest approved decision, in any order of arrival', async () => {
    const entry = await addValue(owner, home);
    const latest = await approve(entry, '2026-04-05Z');
    await approve(entry, '2026-04-04Z');
    expect(await approvalOf(entry)).toBe(latest);
    const same = await approve(entry, '2026-04-05Z'); // the same moment: the later id
    expect(await approvalOf(entry)).toBe(same);
  });

  it.each(['step_approved', 'rejected', 'disputed', 'sent_back'])(
    'is no decision that says %s',
    async (decision) => {
      const entry = await addValue(owner, home);
      await approve(entry, '2026-04-05Z', { decision });
      expect(await approvalOf(entry)).toBeNull();
    },
  );

  it('is found when the entry arrives after it', async () => {
    const decision = await approve(4_000_000_001n, '2026-04-05Z');
    await write(() => addValue(writer, home, { id: 4_000_000_001n }));
    expect(await approvalOf(4_000_000_001n)).toBe(decision);
  });

  it('is not another account’s, and not one of another kind', async () => {
    const neighbour = await foundAccount(owner);
    const entry = await addValue(owner, neighbour);
    await approve(entry, '2026-04-05Z');
    const own = await addValue(owner, home);
    await decide('approval_decisions', { subject_id: own });
    expect([await approvalOf(entry), await approvalOf(own)]).toEqual([null, null]);
  });

  it('is not pointed elsewhere by hand', async () => {
    const entry = await addValue(owner, home);
    const decision = await approve(entry, '2026-04-05Z');
    await write(() => writer.query('update ledger.value_entries set approval_decision_id = null'));
    expect(await approvalOf(entry)).toBe(decision);
  });
});

const budget = (currency: string, initiative = home.initiative): Promise<bigint> =>
  insert(writer, 'ledger.budget_versions', {
    account_id: home.account,
    initiative_id: initiative,
    status: 'pending',
    source: 'manual',
    capex_cents: 0,
    opex_cents: 100,
    opex_cadence: 'monthly',
    currency,
    effective_from: '2026-01-15',
  });

describe('budget versions of an initiative', () => {
  it('have one currency, seen at commit', async () => {
    await write(() => budget('EUR'));
    await expect(write(() => budget('USD'))).rejects.toMatchObject({ code: '23514', column: 'currency' });
    const other = await addInitiative(owner, home.account);
    await write(() => budget('USD', other));
    // All of them change together.
    await write(async () => {
      await budget('USD');
      await writer.query("update ledger.budget_versions set currency = 'USD'");
    });
  });
});
