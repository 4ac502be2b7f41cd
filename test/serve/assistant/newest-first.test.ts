/** The assistant lists rows newest first: costs and value by period, other rows by change. Of rows that changed at the same moment, the one with the highest id comes first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCost, addInitiative, addValue, inAccount, insert } from '../../support/ledger-rows.ts';
import { openLive } from '../live/live-company.ts';
import { type Asking, askingOf } from './questions.ts';

const TABLES = ['initiatives', 'connections', 'cost_entries', 'value_entries', 'initiative_notes'] as const;
/** A month that is not locked. */
const JULY = { period_start: '2026-07-01', period_end: '2026-07-31' };
const ids = new Map<(typeof TABLES)[number], number[]>();

let asking: Asking;
let initiative: number;
beforeAll(async () => {
  // Without index scans, no index returns the rows in the expected order by chance.
  const company = await openLive(
    'template_company',
    { readToday: async () => '2026-07-15' },
    (query) => async (text, values) => {
      await query(
        'set local enable_indexscan = off; set local enable_indexonlyscan = off; set local enable_bitmapscan = off',
      );
      return await query(text, values);
    },
  );
  asking = askingOf(company);
  const owner = await company.database.client('cf_owner');
  await inAccount(owner, 1n, async () => {
    const id = await addInitiative(owner, 1n, { title: 'The last' });
    initiative = Number(id);
    const of = { account: 1n, person: 1n, initiative: id };
    for (let count = 0; count < 4; count += 1) {
      await addInitiative(owner, 1n);
      await addCost(owner, of, JULY);
      await addValue(owner, of, JULY);
      await insert(owner, 'ledger.connections', { account_id: 1n, platform_key: 'openai', status: 'active' });
      await insert(owner, 'ledger.initiative_notes', {
        account_id: 1n,
        initiative_id: id,
        body: `Note ${count}`,
      });
    }
  });
  const admin = await company.database.admin();
  await admin.query('set session_replication_role = replica'); // no trigger sets the time
  for (const table of TABLES) {
    const stamp = table === 'initiative_notes' ? 'created_at' : 'updated_at';
    const own = table === 'initiatives' || table === 'connections' ? 'true' : `initiative_id = ${initiative}`;
    const { rows } = await admin.query<{ id: string }>(
      `select id from ledger.${table} where account_id = 1 and ${own} order by id`,
    );
    ids.set(
      table,
      rows.map(({ id }) => Number(id)),
    );
    // Updates one row at a time: the table then stores them by rising id, the opposite of the expected order.
    for (const { id } of rows) {
      await admin.query(
        `update ledger.${table} set ${stamp} = '2026-06-30 12:00:00.000001Z' where account_id = 1 and id = $1`,
        [id],
      );
    }
  }
  await admin.query('reset session_replication_role');
});
afterAll(() => asking.company.close());

const downwards = (table: (typeof TABLES)[number]): number[] => (ids.get(table) ?? []).toReversed();

/** Calls a tool and returns its structured answer, which holds each list under its name. */
async function listed(tool: string, asked: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const { structured, text } = await asking.call(tool, asked);
  if (structured === undefined) throw new Error(text);
  return structured;
}

const idsOf = (rows: unknown): number[] => (rows as { id: number }[]).map(({ id }) => id); // as the tools declare them

describe('rows that changed at one moment', () => {
  it('are listed by falling id: initiatives, also when a limit cuts the list', async () => {
    const samples = await asking.company.ask('/initiatives?limit=500');
    const shown = new Set(idsOf((samples.body as { data: unknown }).data)); // the envelope of every list
    const expected = downwards('initiatives').filter((id) => shown.has(id));
    expect(expected.length).toBeGreaterThan(10);
    expect(idsOf((await listed('list_initiatives', { limit: 50 }))['initiatives'])).toEqual(
      expected.slice(0, 50),
    );
    const few = await listed('list_initiatives', { limit: 3 });
    expect([idsOf(few['initiatives']), few['has_more']]).toEqual([expected.slice(0, 3), true]);
  });

  it('are listed by falling id: integrations', async () => {
    expect(idsOf((await listed('list_integrations'))['integrations'])).toEqual(downwards('connections'));
  });

  it('are listed by falling id: costs, value and notes of an initiative', async () => {
    const { recent_costs, recent_value_entries, notes } = (await listed('get_initiative', {
      initiative_id: initiative,
    })) as Record<string, { entries: unknown }>; // as the tool declares it
    expect(idsOf(recent_costs?.entries)).toEqual(downwards('cost_entries'));
    expect(idsOf(recent_value_entries?.entries)).toEqual(downwards('value_entries'));
    const bodies = ((notes?.entries ?? []) as { body: { text: string } }[]).map(({ body }) => body.text);
    expect(bodies).toEqual(['Note 3', 'Note 2', 'Note 1', 'Note 0']);
  });
});

it('the costs and value of an initiative begin with the latest period, undated entries last', async () => {
  const owner = await asking.company.database.client('cf_owner');
  const id = await inAccount(owner, 1n, async () => {
    const made = await addInitiative(owner, 1n, { title: 'Periods' });
    const of = { account: 1n, person: 1n, initiative: made };
    for (const period_start of ['2026-07-01', null, '2026-08-01', '2026-06-01']) {
      await addCost(owner, of, { period_start, period_end: null });
      await addValue(owner, of, { period_start, period_end: null });
    }
    // A draft without a kind.
    await addValue(owner, of, { period_start: '2026-01-01', entry_type: null, status: 'draft' });
    return Number(made);
  });
  const { recent_costs, recent_value_entries } = (await listed('get_initiative', {
    initiative_id: id,
  })) as Record<string, { entries: { period_start: string | null; counts_as?: string }[] }>; // as the tool declares it
  const latest = ['2026-08-01', '2026-07-01', '2026-06-01'];
  const periods = (list: typeof recent_costs) => list?.entries.map(({ period_start }) => period_start);
  expect(periods(recent_costs)).toEqual([...latest, null]);
  expect(periods(recent_value_entries)).toEqual([...latest, '2026-01-01', null]);
  expect(recent_value_entries?.entries.map(({ counts_as }) => counts_as)).toEqual([
    'cash_value',
    'cash_value',
    'cash_value',
    'undecided',
    'cash_value',
  ]);
});

async function shownConnections() {
  const { integrations, has_more } = await listed('list_integrations');
  return [(integrations as readonly unknown[]).length, has_more];
}

describe('more rows than are shown are told of', () => {
  it('six notes of an initiative are five and more, five are all', async () => {
    const owner = await asking.company.database.client('cf_owner');
    const account_id = 1n;
    const note = (initiative_id: bigint, body: string) =>
      insert(owner, 'ledger.initiative_notes', { account_id, initiative_id, body });
    const id = await inAccount(owner, account_id, async () => {
      const made = await addInitiative(owner, account_id, { title: 'Notes' });
      for (let count = 1; count <= 5; count += 1) await note(made, `Remark ${count}`);
      return made;
    });
    const shown = async () => {
      const { notes } = await listed('get_initiative', { initiative_id: Number(id) });
      const { entries, has_more } = notes as { entries: { body: { text: string } }[]; has_more: boolean }; // as the tool declares it
      return [entries.map(({ body }) => body.text).toSorted(), has_more];
    };
    const all = [1, 2, 3, 4, 5].map((count) => `Remark ${count}`);
    expect(await shown()).toEqual([all, false]);
    await inAccount(owner, account_id, () => note(id, 'Remark 6'));
    expect(await shown()).toEqual([[...all.slice(1), 'Remark 6'], true]);
  });

  it('fifty-one connections are fifty and more, fifty are all', async () => {
    const owner = await asking.company.database.client('cf_owner');
    const connect = () =>
      inAccount(owner, 1n, () =>
        insert(owner, 'ledger.connections', { account_id: 1n, platform_key: 'openai', status: 'active' }),
      );
    const before = downwards('connections').length;
    for (let count = before; count < 50; count += 1) await connect();
    expect(await shownConnections()).toEqual([50, false]);
    await connect();
    expect(await shownConnections()).toEqual([50, true]);
  });
});
