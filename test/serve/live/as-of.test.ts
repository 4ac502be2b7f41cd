/**
 * The freeze test: inside a snapshot's own moment, every live answer and the answer as of that snapshot are the same JSON
 * but for `snapshot_id` and `generated_at`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import type { Store } from '../../../src/store/store.ts';
import { itInSweeps } from '../../support/sweeps.ts';
import { COMPANION_SET, COMPANIONS } from '../../../src/tables/companions.ts';
import { SUMS_SET } from '../../../src/tables/sums.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { DAY, clockAt, readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, change, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { asOf, cursorOf, ID, MOMENT, sameEverywhere, sameTotals } from './as-of-walk.ts';
import { type Answer, type Ask, figuresApp } from './figures-app.ts';

const TODAY = '2026-07-15';

let harness: BuildHarness;
let checks: SetChecks;
/** The objects of a store with one snapshot of the company. */
let objects: ReadonlyMap<string, Uint8Array>;
let ask: Ask;
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), readChecksBeside([COMPANION_SET, SUMS_SET])]);
  ({ objects, ask } = await frozen(1n));
});
afterAll(() => harness.close());

/** A snapshot of the account with its companions, and the application over it and over the ledger on its day. */
async function frozen(account_id: bigint, companions = true) {
  const built = new Map<string, Uint8Array>();
  const store = memoryStore(built);
  await harness.build({ account_id, store, checksBeside: companions ? checks : undefined });
  return { objects: built, ask: askOver(store, account_id) };
}

/** Asks of a store with a damaged byte in each of these files. */
function askSpoiled(files: RegExp): Ask {
  const spoiled = new Map(objects);
  for (const [key, bytes] of objects) {
    if (!files.test(key)) continue;
    const damaged = Uint8Array.from(bytes);
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    spoiled.set(key, damaged);
  }
  return askOver(memoryStore(spoiled));
}

function askOver(store: Store, account_id = 1n): Ask {
  return figuresApp(harness.database, account_id, TODAY, { snapshots: readerAt(store, () => AT + DAY) });
}

function message({ body }: Answer): string {
  return (body['error'] as { message: string }).message; // of the contract's shape
}

describe('an answer as of a snapshot', () => {
  itInSweeps(
    'is the live answer of its moment: every list, filter and page, every record, /roi of every window and scope',
    async () => {
      expect(await sameEverywhere(ask)).toBeGreaterThan(100);
    },
  );

  it('states in /roi of every window of the portfolio the amounts of reported_totals', async () => {
    expect(await sameTotals(ask, objects, "scope = 'portfolio'")).toBeGreaterThan(5);
  });

  itInSweeps('states in /roi of every window of each initiative the amounts of reported_totals', async () => {
    expect(await sameTotals(ask, objects, "scope = 'initiative'")).toBeGreaterThan(50);
  });
});

describe('the parameter snapshot_id', () => {
  it('takes an id, latest and the name of a pin, and only an answer by id is immutable', async () => {
    const store = memoryStore(new Map(objects));
    const over = askOver(store);
    const tools = { store, clock: clockAt(AT), newNonce: () => 'a'.repeat(32) };
    const wanted = { account_id: 1n, snapshot_id: ID, by: 'test', now: AT };
    await pin({ ...wanted, name: 'september-close', until: AT + 100n * DAY }, tools);
    const byId = await over(`/roi?snapshot_id=${ID}`);
    expect(byId.headers.get('cache-control')).toContain('immutable');
    expect(byId.headers.get('content-location')).toBeNull();
    expect(byId.headers.get('x-snapshot-id')).toBe(ID);
    expect(byId.headers.get('x-snapshot-retracted')).toBeNull();
    for (const name of ['latest', 'september-close']) {
      const { headers, body } = await over(`/roi?window=1yr&snapshot_id=${name}`);
      expect(body).toMatchObject({ snapshot_id: ID, generated_at: MOMENT });
      expect(headers.get('cache-control')).toContain('no-cache');
      expect(headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/);
      expect(headers.get('content-location')).toBe(`/v1/roi?window=1yr&snapshot_id=${ID}`);
    }
    const again = { ...wanted, reason: 'a wrong rate', replaced_by: null };
    await retract(again, { ...tools, newNonce: () => 'b'.repeat(32) });
    const { headers } = await askOver(store)(`/roi?snapshot_id=${ID}`);
    expect(headers.get('x-snapshot-retracted')).toBe(MOMENT);
    expect(headers.get('cache-control')).not.toContain('immutable');
  });

  it('is 404 for a text of any form that names no readable snapshot, and for a record that the snapshot lacks', async () => {
    for (const name of ['20200101T000000Z', 'nothing', '', '%00', 'a'.repeat(2000), '../latest']) {
      for (const path of ['/roi', '/metrics', '/initiatives/101']) {
        expect([name, (await ask(asOf(path, name))).status]).toEqual([name, 404]);
      }
    }
    for (const path of [
      '/roi?initiative_id=999999',
      '/budgets?initiative_id=999999',
      '/initiatives/999999',
      '/initiatives/x',
    ]) {
      expect([path, (await ask(asOf(path))).status]).toEqual([path, 404]);
    }
  });

  it('refuses samples, rows that the snapshot does not hold, and the cursor of another snapshot', async () => {
    for (const path of ['/roi', '/cost_entries', '/budgets']) {
      const refused = await ask(asOf(`${path}?include_sample=true`));
      expect([refused.status, message(refused)]).toEqual([
        400,
        'The parameter include_sample must be false with snapshot_id: a snapshot holds no sample initiatives.',
      ]);
    }
    const live = cursorOf(await ask('/cost_entries?limit=2'));
    const then = cursorOf(await ask(asOf('/cost_entries?limit=2')));
    const foreign = 'The parameter cursor does not belong to this list with these parameters.';
    expect(message(await ask(`/cost_entries?limit=2&cursor=${then}`))).toBe(foreign);
    expect(message(await ask(asOf(`/cost_entries?limit=2&cursor=${live}`)))).toBe(foreign);
    // `latest` stays on the snapshot of the cursor.
    const next = await ask(asOf(`/cost_entries?limit=2&cursor=${then}`, 'latest'));
    expect(next.body).toMatchObject({ snapshot_id: ID });
    const without = await frozen(1n, false);
    expect((await without.ask(asOf('/roi'))).status).toBe(200);
    const refused = await without.ask(asOf('/value_entries'));
    expect([refused.status, message(refused)]).toEqual([
      400,
      `Snapshot ${ID} has no rows of value_entries: an older version built it, or the account had switched companion tables off.`,
    ]);
  });

  it('is answered from the rows if the sums are damaged, also when they are known to be', async () => {
    const over = askSpoiled(/\/month_sums\w*\.companion$/);
    for (const path of ['/roi', '/roi?initiative_id=101', '/roi?window=1yr', '/metrics'])
      expect([path, (await over(asOf(path))).text]).toEqual([path, (await ask(asOf(path))).text]);
  });

  it('is never answered from a damaged block', async () => {
    const over = askSpoiled(/\/(?:month_sums|api_metrics)\.companion$/);
    expect((await over(asOf('/roi'))).status).toBe(200);
    expect((await over(asOf('/metrics'))).status).toBe(503);
    // A file that a reader found damaged is damaged for all: the snapshot answers from none until it is looked at again.
    expect((await over(asOf('/integrations'))).status).toBe(503);
  });

  itInSweeps(
    'answers with the right bytes or with 503, whichever byte of whichever of its files is damaged',
    async () => {
      const paths = ['/roi', '/roi?window=fy2026-q1&initiative_id=101', '/initiatives/101'].concat(
        RESOURCES.map(({ name }) => `/${name}?limit=500`),
      );
      const expected = new Map<string, string>();
      for (const path of paths) expected.set(path, (await ask(asOf(path))).text);
      const files = [...objects].filter(([key]) => /\.(?:parquet|companion|blocks)$/.test(key));
      const refusing = new Set<string>();
      for (const [key, bytes] of files) {
        for (const part of [0, 0.25, 0.5, 0.75, 1]) {
          const damaged = Uint8Array.from(bytes);
          const index = Math.min(Math.floor(part * bytes.length), bytes.length - 1);
          damaged[index] = (damaged[index] ?? 0) ^ 0x10;
          const over = askOver(memoryStore(new Map(objects).set(key, damaged)));
          for (const path of paths) {
            const { status, text } = await over(asOf(path));
            if (status === 503) refusing.add(key.replace(/^.*\/|\.\w+$/g, ''));
            else expect([key, part, path, status, text]).toEqual([key, part, path, 200, expected.get(path)]);
          }
        }
      }
      // Every companion table, and every reporting table that an answer reads; of damaged sums, the rows give the answer.
      // No list answers from the sums of usage, the value of plans or the names of vendors: only pages and tools read them.
      const unlisted: readonly object[] = [COMPANIONS.usage_sums, COMPANIONS.plan_value, COMPANIONS.vendors];
      const listed = Object.values(COMPANIONS).filter((companion) => !unlisted.includes(companion));
      expect([...refusing].toSorted()).toEqual(
        ['budgets', 'initiatives', 'snapshot'].concat(listed.map(({ name }) => name)).toSorted(),
      );
    },
  );
});

// Last, because it changes the company's ledger.
describe('a snapshot of the past', () => {
  it('answers the same, byte for byte, after entries, initiatives and fiscal years changed', async () => {
    const paths = [
      ...RESOURCES.map(({ name }) => `/${name}?limit=500`),
      '/roi?window=fy2026',
      '/initiatives/101',
    ];
    const answers = async () => await Promise.all(paths.map(async (path) => (await ask(asOf(path))).body));
    const before = await answers();
    const owner = await harness.database.client('cf_owner');
    await change(
      owner,
      `update ledger.accounts set fiscal_year_start_month = fiscal_year_start_month % 12 + 1;
       update ledger.initiatives set title = title || ' again';
       update ledger.metrics set name = name || ' again'`,
    );
    expect(await answers()).toEqual(before);
    expect((await ask('/initiatives/101')).body['title']).not.toBe(before.at(-1)?.['title']);
  });
});
