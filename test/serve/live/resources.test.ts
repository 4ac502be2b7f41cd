import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import { type LiveCompany, openLive } from './live-company.ts';
import { expectedIds, expectedOf, idOf, pageOf, touch, walk, walkedIds } from './listed-rows.ts';
import { itInSweeps } from '../../support/sweeps.ts';

let company: LiveCompany;
/** The same, as a replica answers that replays what the primary did. */
let standby: LiveCompany;
/** The same, where no index gives rows in the order of a list: the order is the statement's own. */
let unindexed: LiveCompany;
let owner: Client;
beforeAll(async () => {
  company = await openLive();
  standby = await openLive(
    'template_company',
    {},
    (query) => (text, values) => query(text.replace('pg_is_in_recovery()', 'true'), values),
  );
  unindexed = await openLive('template_company', {}, (query) => async (text, values) => {
    await query('set local enable_indexscan = off; set local enable_indexonlyscan = off');
    return await query(text, values);
  });
  owner = await company.database.client('cf_owner');
});
afterAll(() => Promise.all([company.close(), standby.close(), unindexed.close()]));

/** Gives all rows of a list one change time. Written from the highest id down: they lie in no helpful order. */
async function changeAtOnce({ database }: LiveCompany, name: string): Promise<void> {
  const { table } = expectedOf(name);
  const [reader, admin] = [await database.client('cf_owner'), await database.admin()];
  await admin.query('set session_replication_role = replica'); // no trigger stamps
  for (const id of (await expectedIds(reader, name)).toSorted((a, b) => b - a)) {
    await admin.query(
      `update ledger.${table} set updated_at = '2026-06-30 12:00:00.000001Z' where account_id = 1 and id = $1`,
      [id],
    );
  }
  await admin.query('reset session_replication_role');
}

describe.each(RESOURCES)('the list $name', ({ name, row, filters }) => {
  it('answers with rows of its contract in the envelope', async () => {
    const listed = await pageOf(company, `/${name}`);
    expect(listed.data.length).toBeGreaterThan(2);
    for (const each of listed.data) expect(row.parse(each)).toEqual(each);
    expect(listed.page).toEqual({ next_cursor: null, has_more: false });
  });

  it.each(['?limit=1', '?limit=2', '', '?limit=500'])(
    'walked to its end holds what the table holds, oldest change first: %s',
    async (query) => {
      expect(await walkedIds(company, `/${name}${query}`)).toEqual(await expectedIds(owner, name));
    },
  );

  it('cuts pages to the limit and says of each whether there is a next', async () => {
    const pages = await Array.fromAsync(walk(company, `/${name}?limit=2`));
    const all = await expectedIds(owner, name);
    expect(pages).toHaveLength(Math.ceil(all.length / 2));
    for (const [index, { data, page }] of pages.entries()) {
      const last = index === pages.length - 1;
      expect(data).toHaveLength(last ? all.length - 2 * index : 2);
      expect(page.has_more).toBe(!last);
      expect(typeof page.next_cursor).toBe(last ? 'object' : 'string');
    }
  });

  it('has no empty last page when the rows fill the pages exactly', async () => {
    const all = await expectedIds(owner, name);
    const { page } = await pageOf(company, `/${name}?limit=${all.length}`);
    expect(page).toEqual({ next_cursor: null, has_more: false });
  });

  it('misses no row while rows change during the walk, and repeats rows that changed behind the cursor', async () => {
    const [first, , last] = [...(await expectedIds(owner, name)), 0, 0];
    const seen: number[] = [];
    for await (const { data } of walk(company, `/${name}?limit=2`)) {
      if (seen.length === 0) await touch(owner, name, [first ?? 0, last ?? 0]);
      seen.push(...data.map(idOf));
    }
    // The touched rows stand last now: one was on the first page already, the other is met where it went.
    expect([...new Set(seen)].toSorted((a, b) => a - b)).toEqual(
      (await expectedIds(owner, name)).toSorted((a, b) => a - b),
    );
    expect(seen.filter((id) => id === first)).toHaveLength(2);
    expect(seen.filter((id) => id === last)).toHaveLength(1);
  });

  it('goes on from the same place when the last row of a page has gone', async () => {
    const all = await expectedIds(owner, name);
    const { data, page } = await pageOf(company, `/${name}?limit=1`);
    expect(data.map(idOf)).toEqual(all.slice(0, 1));
    await touch(owner, name, all.slice(0, 1)); // it stands elsewhere now
    const rest = await walkedIds(company, `/${name}?limit=500&cursor=${page.next_cursor}`);
    expect(rest).toEqual([...all.slice(1), ...all.slice(0, 1)]);
  });

  it('shows no row of an open writer or a later one until it ends (F-38)', async () => {
    const before = await expectedIds(owner, name);
    const writer = await company.database.client('cf_owner');
    await writer.query("begin; set local app.account_id = '1'");
    await writer.query(
      "insert into ledger.platforms (key, name, category) values ('held', 'Held', 'finance')",
    );
    await touch(owner, name, before.slice(0, 1)); // committed, but after the writer began
    const held = await walkedIds(company, `/${name}`);
    await writer.query('rollback');
    expect(held).toEqual(before.slice(1));
    expect(await walkedIds(company, `/${name}`)).toEqual([...before.slice(1), ...before.slice(0, 1)]);
  });

  itInSweeps('walked in pages of any size loses no row of those that changed at one moment', async () => {
    await changeAtOnce(unindexed, name);
    const changed = await unindexed.database.client('cf_owner');
    const all = await expectedIds(changed, name);
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    for (const limit of [1, 2, 3]) {
      expect(await walkedIds(unindexed, `/${name}?limit=${limit}`)).toEqual(all);
    }
    if (!('period_from' in filters)) return;
    const dated = await expectedIds(changed, name, "period_start >= '2000-01-01'");
    expect(await walkedIds(unindexed, `/${name}?limit=2&period_from=2000-01-01`)).toEqual(dated);
  });

  it('shows another account only its own', async () => {
    const { body } = await company.ask(`/${name}`, 2);
    const ours = new Set((await pageOf(company, `/${name}?limit=500`)).data.map(idOf));
    const theirs = (body as { data: Record<string, unknown>[] }).data.map(idOf);
    expect(theirs.filter((id) => ours.has(id))).toEqual([]);
  });

  it('refuses the cursor of another account, of another list and of other filters', async () => {
    const { page } = await pageOf(company, `/${name}?limit=1`);
    const other = name === 'metrics' ? 'integrations' : 'metrics';
    const filter = 'updated_since' in filters ? 'updated_since=2026-01-01T00:00:00Z' : 'include_sample=true';
    const refused = { error: { status: 400, message: expect.stringContaining('The parameter cursor ') } };
    const cursor = `cursor=${page.next_cursor}`;
    expect((await company.ask(`/${name}?${cursor}`, 2)).body).toEqual(refused);
    expect((await company.ask(`/${other}?${cursor}`)).body).toEqual(refused);
    expect((await company.ask(`/${name}?${filter}&${cursor}`)).body).toEqual(refused);
    expect((await company.ask(`/${name}?cursor=x`)).body).toEqual(refused);
  });

  it('A-31: shows nothing of what stands in the vault, and no address', async () => {
    const { rows } = await owner.query<{ secret: string }>(
      `select unnest(array[credentials, error_text, nullif(settings::text, '{}')]) as secret from vault.connection_secrets
       union select email from vault.user_emails union select url from vault.document_contents`,
    );
    const secrets = rows.map(({ secret }) => secret).filter((secret) => secret !== null);
    expect(secrets.length).toBeGreaterThan(5);
    const all = JSON.stringify(await Array.fromAsync(walk(company, `/${name}`)));
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  });

  it('is refused on a standby, which cannot see the writers (F-11)', async () => {
    const { status } = await standby.ask(`/${name}`);
    expect(status).toBe(503);
  });
});
