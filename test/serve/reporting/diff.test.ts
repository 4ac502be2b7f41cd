import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import type { Change } from '../../../src/diff/change.ts';
import { flipBit } from '../../commands/published-folder.ts';
import { compared, compareTools } from '../../diff/compared.ts';
import { DAYS, keptHistory, type PublishedHistory } from '../../diff/published-history.ts';
import { readerAt } from '../../snapshot/builder/build-harness.ts';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';
import { withNames } from '../named-in.ts';
import { refusal } from '../http/refusal.ts';

const FOURTEEN_DAYS = 14n * 86_400_000_000n;

interface Answer {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly Record<string, unknown>[];
  readonly data: readonly Change[];
  readonly page: { readonly next_cursor: string | null; readonly has_more: boolean };
}

let published: PublishedHistory;
let server: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  published = await keptHistory();
  server = await open();
});
afterAll(async () => {
  await server.diffs.close();
  await published.close();
});

/** A server that has read nothing yet. */
async function open() {
  const snapshots = readerAt(published.store, () => DAYS[1]);
  const diffs = await openDiffs({ snapshots, root: `${published.root}/spool` });
  return { ...fakeApp({ snapshots, diffs }), diffs };
}

const path = (query = '', from = published.earlier, to = published.later): string =>
  `/v1/reporting/diff/${from}/${to}${query}`;

async function ask(asked: string, token = TOKENS.personal): Promise<Answer> {
  const answer = await server.app.request(asked, bearer(token));
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer; // held to its contract
}

/** Every row, page by page. */
async function walk(limit: number, more = ''): Promise<readonly Change[]> {
  const rows: Change[] = [];
  let next: string | null = '';
  while (next !== null) {
    const cursor: string = next === '' ? '' : `&cursor=${next}`;
    const { data, page } = await ask(path(`?limit=${limit}${more}${cursor}`));
    expect([data.length <= limit, page.has_more]).toEqual([true, page.next_cursor !== null]);
    rows.push(...data);
    next = page.next_cursor;
  }
  return rows;
}

describe('the comparison of two snapshots', () => {
  it('has every changed row, in pages that are together the whole', async () => {
    const reader = readerAt(published.store, () => DAYS[1]);
    const [later, earlier] = await reader.list(7n);
    if (earlier === undefined || later === undefined) throw new Error('two were published');
    const tools = await compareTools(published.root, reader);
    const all = await compared({ account_id: 7n, earlier, later }, tools);
    expect(all.length).toBeGreaterThan(40);
    for (const limit of [1, 7, 500]) expect(await walk(limit)).toEqual(all);
    const costs = all.filter(({ table }) => table === 'costs');
    expect(await walk(5, '&table=costs')).toEqual(costs);
  });

  it('counts the rows of every table', async () => {
    const { from, to, tables } = await ask(path('?limit=1'));
    expect([from, to]).toEqual([published.earlier, published.later]);
    expect(tables.length).toBe(14);
    // Entries 6 and 16 came, and 12 with its initiative; 9 and 14 went, and 13 with its; nine others differ.
    expect(tables).toContainEqual({ name: 'costs', added: 3, removed: 3, changed: 10 });
    expect(tables).toContainEqual({ name: 'budgets', added: 0, removed: 0, changed: 0 });
  });

  it('is reversed from the later to the earlier', async () => {
    const there = await ask(path('?table=costs'));
    const back = await ask(path('?table=costs', published.later, published.earlier));
    expect(back.tables).toContainEqual({ name: 'costs', added: 3, removed: 3, changed: 10 });
    expect(back.data.map(({ before, after, reason }) => [after, before, reason])).toEqual(
      there.data.map(({ before, after, reason }) => [before, after, reason]),
    );
    const [totals] = (await ask(path('?table=reported_totals', published.later, published.earlier))).data;
    // Initiative 1, all time: 50,000 + 30,000 + 5,000 + 8,000 + 1,000 at last, 60,000 + 20,000 + 15,000 + 30,000 +
    // 1,000 at first.
    expect(totals?.moved[0]).toMatchObject({
      figure: 'cash_value_cents',
      before_cents: 94_000,
      after_cents: 126_000,
    });
  });

  it('takes latest on either side, and names the address that stays', async () => {
    for (const [from, to, ids] of [
      [published.earlier, 'latest', [published.earlier, published.later]],
      ['latest', published.earlier, [published.later, published.earlier]],
      ['latest', 'latest', [published.later, published.later]],
    ] as const) {
      const answer = await server.app.request(path('?table=costs', from, to), bearer(TOKENS.personal));
      expect([answer.status, answer.headers.get('content-location')]).toEqual([
        200,
        path('?table=costs', ...ids),
      ]);
      expect(await answer.json()).toEqual(await ask(path('?table=costs', ...ids)));
    }
    const pinned = await server.app.request(path(), bearer(TOKENS.personal));
    expect(pinned.headers.get('content-location')).toBeNull();
  });

  it('refuses latest of an account without a snapshot', async () => {
    const refused = await refusal(path('', 'latest', 'latest'), bearer(TOKENS.unbuilt), server.app);
    expect(refused).toMatchObject({
      status: 404,
      message: 'The first snapshot of this account is not complete yet.',
    });
  });

  it('has no row from a snapshot to itself', async () => {
    const { data, tables, page } = await ask(path('', published.later, published.later));
    expect([data, page]).toEqual([[], { next_cursor: null, has_more: false }]);
    expect(tables.every(({ added, removed, changed }) => added === 0 && removed === 0 && changed === 0)).toBe(
      true,
    );
  });

  it('is answered to reporting tokens too, and is revalidated at each use', async () => {
    const answer = await server.app.request(path(), bearer(TOKENS.reporting));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const again = await server.app.request(path(), {
      headers: { ...bearer(TOKENS.reporting).headers, 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('leaves no named file on the disk', async () => {
    expect(await readdir(`${published.root}/spool`)).toEqual([]);
  });
});

describe('the comparison is refused', () => {
  const NOT_THERE =
    'There is no such snapshot in this account: write its id, latest, or the name of a pin that has not ended.';

  it('to another account, in the words for a snapshot that never existed', async () => {
    for (const [token, asked] of [
      [TOKENS.other, path()],
      [TOKENS.other, path('', published.later, published.later)],
      [TOKENS.personal, path('', '20200101T000000Z')],
      [TOKENS.personal, path('', published.later, 'anything')],
    ] as const) {
      expect(await refusal(asked, bearer(token), server.app)).toMatchObject({
        status: 404,
        message: NOT_THERE,
      });
    }
  });

  it('without a token, and where reporting is switched off', async () => {
    expect((await refusal(path(), {}, server.app)).status).toBe(401);
    expect(await refusal(path(), bearer(TOKENS.switchedOff), server.app)).toMatchObject({
      status: 404,
      message: expect.stringContaining('switched off') as string,
    });
  });

  it('when one of the snapshots has expired, even if the comparison is cached', async () => {
    const snapshots = readerAt(published.store, () => DAYS[1] + FOURTEEN_DAYS + FOURTEEN_DAYS);
    const { app } = fakeApp({ snapshots, diffs: server.diffs });
    const { status, message } = await refusal(path(), bearer(TOKENS.personal), app);
    expect([status, message]).toEqual([404, expect.stringContaining('was kept for 14 days')]);
  });

  it.each([
    ['?table=nothing', 'The parameter table must be one of snapshot, '],
    ['?limit=0', 'The parameter limit must be a whole number from 1 to 500.'],
    ['?cursor=x', 'The parameter cursor does not belong to this list with these parameters.'],
    ['?colour=red', 'This route does not accept the parameter "colour".'],
  ])('with %s, naming the parameter', async (query, sentence) => {
    const { status, message } = await refusal(path(query), bearer(TOKENS.personal), server.app);
    expect([status, message.startsWith(sentence)]).toEqual([400, true]);
  });

  it('with the cursor of another table or of other snapshots', async () => {
    const { page } = await ask(path('?limit=1&table=costs'));
    const cursor = page.next_cursor ?? '';
    expect((await ask(path(`?limit=1&table=costs&cursor=${cursor}`))).data.length).toBe(1);
    const { earlier, later } = published;
    for (const asked of [
      path(`?limit=1&cursor=${cursor}`),
      path(`?limit=1&table=costs&cursor=${cursor}`, later, earlier),
      path(`?limit=1&table=costs&cursor=${cursor}`, earlier, earlier),
      path(`?limit=1&table=costs&cursor=${cursor}`, later, later),
    ]) {
      expect((await refusal(asked, bearer(TOKENS.personal), server.app)).status).toBe(400);
    }
  });

  it('with the cursor of another account, whose snapshots have the same ids', async () => {
    const { page } = await ask(path('?limit=1&table=costs'));
    const snapshots = readerAt(published.store, () => DAYS[1]);
    // Stands for an account that was built in the same seconds.
    const alike = withNames({
      ...snapshots,
      list: () => snapshots.list(7n),
      pinned: (_: bigint, id: string) => snapshots.pinned(7n, id),
    });
    const { app } = fakeApp({ snapshots: alike, diffs: server.diffs });
    const asked = path(`?limit=1&table=costs&cursor=${page.next_cursor ?? ''}`);
    expect((await refusal(asked, bearer(TOKENS.other), app)).status).toBe(400);
  });

  it('while a file of either snapshot is damaged, and answered once the file is whole again', async () => {
    for (const side of ['earlier', 'later'] as const) {
      const damaged = await published.pathOf(side, 'costs.parquet');
      await flipBit(damaged);
      const fresh = await open();
      const refused = await refusal(path(), bearer(TOKENS.personal), fresh.app);
      expect([refused.status, refused.message]).toEqual([
        503,
        'The stored file costs.parquet is damaged and is not served. Read another snapshot. An operator restores the file from a copy, then runs npx --no crossfoot scrub.',
      ]);
      await flipBit(damaged);
      const mended = await open();
      expect((await mended.app.request(path(), bearer(TOKENS.personal))).status).toBe(200);
      await mended.diffs.close();
      await fresh.diffs.close();
    }
    expect(await readdir(`${published.root}/spool`)).toEqual([]);
  });
});
