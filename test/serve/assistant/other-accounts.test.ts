/** No tool shows one account anything of another: by its queries, and by row security under them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAccount } from '../../../src/ledger/account-session.ts';
import { TOOLS } from '../../../src/serve/assistant/all.ts';
import type { Authenticate } from '../../../src/serve/auth/authenticate.ts';
import { fakeApp } from '../fake-parts.ts';
import { tokenOf } from '../live/live-company.ts';
import { rewriting, withoutAccount } from '../without-account.ts';
import { askingOf, openAsking, type Asking } from './questions.ts';

const UNKNOWN = 999_999_999_999;
const readToday = async () => '2026-07-15';
/** A personal token of each account. */
const authenticate: Authenticate = async (token) => {
  const account = [1, 2].find((each) => tokenOf(each) === token);
  if (account === undefined) return null;
  const [token_id, account_id] = [BigInt(account), BigInt(account)];
  return { token_id, account_id, user_id: 1n, kind: 'personal', api_access: true, reporting_enabled: true };
};

/** What each tool is asked: every tool must be here. */
const QUESTIONS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  get_roi_summary: [{}, { window: '1yr' }, { initiative_id: 101 }, { initiative_id: 201 }],
  list_initiatives: [{ limit: 50 }, { status: 'active' }],
  get_initiative: [{ initiative_id: 101 }, { initiative_id: 201 }],
  search: [
    { query: 'op' },
    { query: 'a b' },
    { query: 'quote' },
    { query: 'assistant', types: ['initiative'] },
  ],
  list_integrations: [{}],
  get_help_article: [{ slug: 'hidden' }, { id: 9001 }],
  get_platform_setup_guide: [{ platform: 'openai' }, { platform: 'SALESFORCE' }],
  // Of snapshots, `snapshot-tools` has the tenants.
  list_snapshots: [],
  explain_change: [],
  get_ai_spend: [{}, { window: 'fy2026' }, { vendor: 'a' }],
};

let asking: Asking;
let ids: Readonly<Record<number, number>>;
let deleted: number;
beforeAll(async () => {
  asking = await openAsking({ readToday });
  const owner = await asking.company.database.client('cf_owner');
  const { rows } = await owner.query<{ account_id: bigint; id: bigint }>(
    'select account_id, min(id) as id from ledger.initiatives where not is_sample group by account_id',
  );
  ids = Object.fromEntries(rows.map(({ account_id, id }) => [Number(account_id), Number(id)]));
  const made = await owner.query<{ id: bigint }>(
    `insert into ledger.initiatives (account_id, title, stage) values (1, 'To be deleted', 'identified') returning id`,
  );
  deleted = Number(made.rows[0]?.id);
  await owner.query('delete from ledger.initiatives where account_id = 1 and id = $1', [deleted]);
});
afterAll(() => asking.company.close());

/** All bytes of an answer. */
async function bytes(
  from: Asking,
  tool: string,
  asked: Record<string, unknown>,
  account_id: number,
): Promise<string> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: asked } };
  const response = await from.send(message, {}, account_id);
  return `${response.status} ${await response.text()}`;
}

it('the questions name every tool', () => {
  expect(Object.keys(QUESTIONS)).toEqual(TOOLS.map(({ name }) => name));
});

describe.each(['get_roi_summary', 'get_initiative'])('the tool %s', (tool) => {
  it('A-1: answers the same bytes for an id that is foreign, unknown, deleted or a sample’s', async () => {
    const none = await bytes(asking, tool, { initiative_id: UNKNOWN }, 1);
    expect(none).toContain('"isError":true');
    expect(none).toContain('There is no such record in this account.');
    for (const initiative_id of [ids[2], deleted, 115]) {
      expect(await bytes(asking, tool, { initiative_id }, 1)).toBe(none);
    }
    expect(await bytes(asking, tool, { initiative_id: ids[2] }, 2)).not.toContain('isError');
  });
});

it('every answer shows each account its own data', async () => {
  for (const tool of ['get_roi_summary', 'list_initiatives', 'list_integrations']) {
    const [one, two] = await Promise.all([1, 2].map((account) => bytes(asking, tool, {}, account)));
    expect(one).not.toBe(two);
    expect(one).toContain('halden');
    expect(one).not.toContain('kestrel');
    expect(two).not.toContain('halden');
  }
});

it('the answer shows each account the models of its own bills alone', async () => {
  const owner = await asking.company.database.client('cf_owner');
  await owner.query(`
    with bill as (
      insert into ledger.provider_bills (account_id, connection_id, month, amount_cents, currency, ai_amount_cents)
      select 2, min(id), '2026-05-01', 500, 'USD', 500 from ledger.connections where account_id = 2 returning account_id, id)
    insert into ledger.usage (account_id, bill_id, used_on, model, unit, quantity, billed_cost, cost_cents)
    select account_id, id, '2026-05-02', 'kestrel-1', 'input_tokens', 100, 5, 500 from bill`);
  const [one, two] = await Promise.all([1, 2].map((account) => bytes(asking, 'get_ai_spend', {}, account)));
  expect(one).toContain('gpt-5');
  expect(one).not.toContain('kestrel-1');
  expect(two).toContain('kestrel-1');
  expect(two).not.toContain('gpt-5');
});

it('A-34: the search and the connections show only what is the account’s own', async () => {
  const owner = await asking.company.database.client('cf_owner');
  await owner.query(`
    insert into ledger.initiatives (account_id, title, stage)
    values (1, 'Zanzibar of one', 'live'), (2, 'Zanzibar of two', 'live')`);
  const found = await bytes(asking, 'search', { query: 'zanzibar' }, 1);
  expect(found).toContain('Zanzibar of one');
  expect(found).not.toContain('Zanzibar of two');
  const { rows } = await owner.query<{ platform_key: string }>(
    `select platform_key from ledger.connections where account_id = 1
     except select platform_key from ledger.connections where account_id = 2 order by 1 limit 1`,
  );
  const platform = rows[0]?.platform_key ?? '';
  const guide = async (account: number) =>
    (await asking.call('get_platform_setup_guide', { platform }, account)).structured;
  expect(await guide(1)).toMatchObject({ connected: true });
  expect(await guide(2)).toMatchObject({ connected: false, connections: [] });
});

/** What another application over the same ledger answers with other bytes. */
async function differing(other: Asking): Promise<readonly string[]> {
  // Search is one function that runs as the owner and names the account itself; it has tests of its own.
  const asked = Object.entries(QUESTIONS).filter(([tool]) => tool !== 'search');
  const different: string[] = [];
  for (const [tool, questions] of asked) {
    for (const question of questions) {
      for (const account of [1, 2]) {
        const given = await bytes(other, tool, question, account);
        if (given !== (await bytes(asking, tool, question, account)))
          different.push(`${tool} ${account}: ${given}`);
      }
    }
  }
  return different;
}

/** The same application, whose sessions are another role's or whose statements are others. */
function besides(role: 'cf_backup' | 'cf_reader', rewrite: (text: string) => string): Asking {
  const pool = asking.company.database.pool(role);
  const { app } = fakeApp({
    readToday,
    authenticate,
    inAccount: (session, run) =>
      asAccount(pool, session, (client, horizon) => run(rewriting(client, rewrite), horizon)),
  });
  return askingOf({ ...asking.company, app });
}

describe('A-3: another application over the same ledger answers every tool alike', () => {
  it('though it reads as a role that sees the rows of all accounts: predicates alone', async () => {
    expect(await differing(besides('cf_backup', (text) => text))).toEqual([]);
  });

  it('though every query has lost the account from its predicate: row security alone', async () => {
    expect(await differing(besides('cf_reader', (text) => withoutAccount(text)))).toEqual([]);
  });

  it('which it would not with neither: this comparison sees a leak', async () => {
    expect((await differing(besides('cf_backup', (text) => withoutAccount(text)))).length).toBeGreaterThan(5);
  });
});
