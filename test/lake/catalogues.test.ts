/** When a server makes a catalogue, and for how long it keeps one: over the store of a published company. */
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogueJob, makeCatalogue } from '../../src/lake/catalogue-file.ts';
import { type AskedCatalogue, cacheCatalogues, type CatalogueTools } from '../../src/lake/catalogues.ts';
import { pin, unpin } from '../../src/snapshot/keep/pins.ts';
import { retract } from '../../src/snapshot/keep/retract.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { clockAt } from '../snapshot/builder/build-harness.ts';
import { AT } from '../snapshot/builder/real-build.ts';
import { inDuckdb, openPublishedLake, type PublishedLake, rowsOf } from './published-lake.ts';

const DAY = 86_400_000_000n;
const MINUTE = 60_000_000n;
const ASKED: AskedCatalogue = { account_id: 1n, form: 'ducklake', base_url: 'https://example.test/v1' };

let lake: PublishedLake;
/** The latest snapshot: three, of the same day, of which the first is pinned. */
let latest: string;
beforeAll(async () => {
  lake = await openPublishedLake();
  latest = (await lake.read()).versions.at(-1)?.snapshot_id ?? '';
});
afterAll(() => lake.close());

let opens = 0;

/** Catalogues at a time; `made` are the jobs of those that were made. */
function opened(given: Partial<CatalogueTools> = {}) {
  const clock = { now: AT + DAY };
  const made: CatalogueJob[] = [];
  const root = join(lake.root, `catalogues of ${(opens += 1)}`);
  const catalogues = cacheCatalogues({
    snapshots: createReader({ store: lake.store, now: () => clock.now, onFault: () => undefined }),
    now: () => clock.now,
    fs,
    root,
    turn: async () => undefined,
    make: async (job) => {
      made.push(job);
      await fs.writeFile(job.path, String(made.length));
    },
    ...given,
  });
  return { catalogues, clock, made, root };
}

const tools = () => ({ store: lake.store, clock: clockAt(AT + DAY), newNonce: () => '1'.repeat(32) });

describe('a catalogue of a server', () => {
  it('is made once for fifty requests at once, and leaves no file behind', async () => {
    const { catalogues, made, root } = opened();
    const answers = await Promise.all(Array.from({ length: 50 }, () => catalogues.get(ASKED)));
    expect([made.length, new Set(answers).size, await fs.readdir(root)]).toEqual([1, 1, []]);
    expect(made[0]?.lake.versions.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('is another for another form, another address and other links', async () => {
    const { catalogues, made } = opened();
    const links = { key: 'token 1', addressOf: (id: string, table: string) => `${id} ${table}` };
    for (let time = 0; time < 2; time += 1) {
      await catalogues.get(ASKED);
      await catalogues.get({ ...ASKED, form: 'sqlite' });
      await catalogues.get({ ...ASKED, base_url: 'https://other.test/v1' });
      await catalogues.get({ ...ASKED, links });
      await catalogues.get({ ...ASKED, links: { ...links, key: 'token 2' } });
    }
    expect(made.length).toBe(5);
    expect(made[0]?.links).toBeUndefined();
    expect(made[3]?.links?.[`${latest}/costs`]).toBe(`${latest} costs`);
    expect(Object.keys(made[3]?.links ?? {})).toHaveLength(3 * 14);
  });

  it('is made anew when a mark changes the state of a snapshot', async () => {
    const { catalogues, clock, made } = opened();
    await catalogues.get(ASKED);
    const marked = { account_id: 1n, snapshot_id: latest, by: 'test', now: clock.now };
    await pin({ ...marked, name: 'audit', until: clock.now + DAY }, tools());
    clock.now += 2n * MINUTE;
    await catalogues.get(ASKED);
    await unpin({ ...marked, name: 'audit' }, tools());
    clock.now += 2n * MINUTE;
    await catalogues.get(ASKED);
    expect(made.map((job) => job.lake.versions.map(({ pins }) => pins.length))).toEqual([
      [1, 0, 0],
      [1, 0, 1],
      [1, 0, 0],
    ]);
  });

  it('is made anew when a pin ends whose snapshot is kept for its days', async () => {
    const { catalogues, clock, made } = opened();
    const marked = { account_id: 1n, snapshot_id: latest, by: 'test', now: clock.now };
    await pin({ ...marked, name: 'hour', until: clock.now + 10n * MINUTE }, tools());
    await catalogues.get(ASKED);
    clock.now += 11n * MINUTE;
    await catalogues.get(ASKED);
    await unpin({ ...marked, name: 'hour' }, tools());
    expect(made.map((job) => job.lake.versions.at(-1)?.pins.length)).toEqual([1, 0]);
  });

  it('lacks snapshots that have expired, and marks the gap behind a kept snapshot', async () => {
    const { catalogues, clock, made } = opened();
    // The pin keeps the first until the second day; fourteen days later only the newest is kept.
    await pin(
      {
        account_id: 1n,
        snapshot_id: (await lake.read()).versions[0]?.snapshot_id ?? '',
        name: 'year',
        by: 'test',
        now: clock.now,
        until: clock.now + 400n * DAY,
      },
      tools(),
    );
    clock.now += 20n * DAY;
    await catalogues.get(ASKED);
    clock.now += 400n * DAY;
    await catalogues.get(ASKED);
    expect(
      made.map((job) => [job.lake.versions.map(({ seq }) => seq), job.lake.gaps.map(({ seq }) => seq)]),
    ).toEqual([
      [[1, 3], [2]],
      [[3], []],
    ]);
  });

  it('tells of a retracted snapshot and still names its files', async () => {
    const { catalogues, made } = opened({ make: makeCatalogue });
    await retract(
      {
        account_id: 1n,
        snapshot_id: latest,
        reason: 'Wrong rates.',
        by: 'test',
        now: AT + DAY,
        replaced_by: null,
      },
      tools(),
    );
    const file = await catalogues.get(ASKED);
    expect(made).toEqual([]);
    const path = lake.newPath();
    await fs.writeFile(path, file?.bytes ?? '');
    const told = await inDuckdb(path, (duckdb) =>
      rowsOf(duckdb, 'select commit_message from lake.ducklake_snapshot_changes where snapshot_id = 3'),
    );
    expect(told).toEqual([{ commit_message: `${latest}, retracted: Wrong rates.` }]);
  });

  it('is null before the first snapshot of an account', async () => {
    expect(await opened().catalogues.get({ ...ASKED, account_id: 2n })).toBeNull();
  });
});

describe('the making of catalogues', () => {
  it('is refused to an account with sixteen waiting requests, and no other account waits for long', async () => {
    const goOn = Promise.withResolvers<void>();
    const { catalogues } = opened({
      make: async ({ path }) => {
        await goOn.promise;
        await fs.writeFile(path, 'made');
      },
    });
    const asked = Array.from({ length: 18 }, (_, index) =>
      catalogues.get({ ...ASKED, base_url: `https://${index}.test/v1` }),
    );
    await expect(asked[17]).rejects.toMatchObject({ code: 'figures_in_flight' });
    goOn.resolve();
    await Promise.all(asked.slice(0, 17));
  });

  it('ends by a refusal for a request that waits fifteen seconds', async () => {
    const waits: [number, () => void][] = [];
    const { catalogues } = opened({
      make: () => new Promise(() => undefined),
      after: (ms, run) => {
        waits.push([ms, run]);
        return () => undefined;
      },
    });
    void catalogues.get(ASKED);
    const late = catalogues.get({ ...ASKED, form: 'sqlite' });
    await expect.poll(() => waits.length).toBe(1);
    expect(waits[0]?.[0]).toBe(15_000);
    waits[0]?.[1]();
    await expect(late).rejects.toMatchObject({ code: 'comparison_waited' });
  });

  it('ends with the server, and leaves no file behind', async () => {
    const begun = Promise.withResolvers<void>();
    const { catalogues, root } = opened({
      make: (_, signal) =>
        new Promise((_resolve, reject) => {
          begun.resolve();
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const asked = Promise.allSettled([catalogues.get(ASKED)]);
    await begun.promise;
    await catalogues.close();
    expect(await asked).toMatchObject([{ status: 'rejected', reason: { name: 'AbortError' } }]);
    expect(await fs.readdir(root)).toEqual([]);
  });

  it('is refused if a footer contradicts what was audited', async () => {
    const gathered = await lake.gather();
    const versions = gathered.versions.map(({ stored, ...version }) => ({
      ...version,
      stored: {
        ...stored,
        tables: stored.tables.map((table) => ({ ...table, row_count: table.row_count + 1 })),
      },
    }));
    const { form, base_url } = ASKED;
    const job = { form, base_url, lake: { ...gathered, versions }, path: lake.newPath() };
    await expect(makeCatalogue(job, new AbortController().signal)).rejects.toMatchObject({
      code: 'file_corrupt',
      message: expect.stringMatching(
        /^snapshot of \d{8}T\d{6}Z: the footer of its file states 1 rows, expected 2\.$/,
      ),
    });
  });
});
