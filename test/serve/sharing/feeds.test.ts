/** The files of the change feed: versions without a change between others, files of several pieces, and a damaged newest version. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { cacheFeeds } from '../../../src/diff/feed-cache.ts';
import { bearer, fakeApp, FakeSnapshots, LATEST, linkTo, NOW, TOKENS } from '../fake-parts.ts';
import { linesOf, refusalOf, versionIn } from './shared-company.ts';

const COSTS = '/delta-sharing/shares/crossfoot/schemas/reporting/tables/costs';
const EARLIER = '20261119T020000Z';
const MIB = 1_048_576;

/** Five versions, of which the newest may be damaged. */
class Versions extends FakeSnapshots {
  readonly #damaged: readonly string[];

  constructor(damaged: readonly string[] = []) {
    super();
    this.#damaged = damaged;
  }

  override async versions() {
    return [1, 2, 3, 4, 5].map((seq) => ({
      seq,
      snapshot_id: seq === 5 ? LATEST : EARLIER,
      expired: false,
      pins: [],
      damaged_files: (seq === 5 ? [...this.#damaged] : []) as never[], // of the same type as the fake's own
    }));
  }
}

/** Feeds whose files have so many bytes, no two alike; `rowsOf` counts the changed rows of each file in turn. */
function feedsOf(size_bytes: number, rowsOf: () => number = () => 1) {
  const bytes = new Uint8Array(Buffer.alloc(size_bytes, 'each piece is another. '));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const feeds = cacheFeeds(async () => ({
    rows: rowsOf(),
    size_bytes,
    sha256,
    read: async (from, to) => bytes.slice(from, to + 1),
    close: async () => undefined,
  }));
  return { feeds, bytes };
}

it.each([
  ['startingVersion', 2],
  ['startingVersion', 0],
  ['startingTimestamp', '2026-03-01T00:00:00Z'],
  ['startingTimestamp', ''],
])(
  'a query that asks for changes by %s (%j) is refused, not answered with the whole table',
  async (name, value) => {
    const { app } = fakeApp();
    const body = JSON.stringify({ [name]: value });
    const answer = await app.request(`${COSTS}/query`, { method: 'POST', body, ...bearer(TOKENS.reporting) });
    const [status, { message }] = await refusalOf(answer);
    expect([status, message]).toEqual([
      400,
      `A query answers one version. Read changes with GET …/changes?${name}=….`,
    ]);
  },
);

it('the end of the changes names the expiry of the link that ends first', async () => {
  // An hour for each, and a second for 64,000 bytes more: the first file has 64,000, the second 640,000.
  const sizes = [64_000, 640_000].values();
  class Two extends Versions {
    override async versions() {
      return (await super.versions()).map((each) => ({
        ...each,
        snapshot_id: each.seq === 2 ? LATEST : EARLIER,
      }));
    }
  }
  const feeds = cacheFeeds(async () => ({
    rows: 1,
    size_bytes: sizes.next().value ?? 0,
    sha256: '0'.repeat(64),
    read: async () => new Uint8Array(0),
    close: async () => undefined,
  }));
  const { app } = fakeApp({ snapshots: new Two(), feeds });
  const headers = {
    ...bearer(TOKENS.reporting).headers,
    'delta-sharing-capabilities': 'includeendstreamaction=true',
  };
  const lines = await linesOf(
    await app.request(`${COSTS}/changes?startingVersion=2&endingVersion=3`, { headers }),
  );
  const HOUR = 3_600_000;
  const now = Number(NOW / 1000n);
  const expiries = lines.flatMap((line) => {
    const file = line['cdf'] as { expirationTimestamp: number } | undefined;
    return file === undefined ? [] : [file.expirationTimestamp - now];
  });
  expect(expiries).toEqual([HOUR + 1_000, HOUR + 10_000]);
  expect(lines.at(-1)).toEqual({ endStreamAction: { minUrlExpirationTimestamp: now + HOUR + 1_000 } });
});

it('the changes go on after a version in which no row changed', async () => {
  const rows = [0, 2].values();
  // Both files of the range are of other snapshots, so that each is made for itself.
  class Two extends Versions {
    override async versions() {
      return (await super.versions()).map((each) => ({
        ...each,
        snapshot_id: each.seq === 2 ? LATEST : EARLIER,
      }));
    }
  }
  const { feeds } = feedsOf(4, () => rows.next().value ?? 0);
  const { app } = fakeApp({ snapshots: new Two(), feeds });
  const answer = await app.request(
    `${COSTS}/changes?startingVersion=2&endingVersion=3`,
    bearer(TOKENS.reporting),
  );
  const [, , ...lines] = await linesOf(answer);
  expect(lines.map((line) => (line['cdf'] as { version: number }).version)).toEqual([3]);
});

it.each([MIB - 1, MIB, MIB + 1, 2 * MIB, 2 * MIB + 1, 3 * MIB - 1])(
  'a file of changes of %i bytes arrives byte by byte, whole and in ranges',
  async (size) => {
    const { feeds, bytes } = feedsOf(size);
    const { app } = fakeApp({ feeds });
    const link = linkTo('changes/costs');
    const received = Buffer.from(await (await app.request(link)).arrayBuffer());
    expect([received.length, received.equals(bytes)]).toEqual([size, true]);
    for (const [from, to] of [
      [1, size - 1],
      [0, size - 2],
      [size - 3, size - 1],
    ] as const) {
      const part = await app.request(link, { headers: { range: `bytes=${from}-${to}` } });
      const found = Buffer.from(await part.arrayBuffer());
      expect([part.status, found.equals(bytes.subarray(from, to + 1))]).toEqual([206, true]);
    }
  },
);

const asked = async (damaged: readonly string[]) => {
  const { app } = fakeApp({ snapshots: new Versions(damaged) });
  return await app.request(`${COSTS}/version`, bearer(TOKENS.reporting));
};

it('a client without a version never gets an older version, but the error of the damaged newest version', async () => {
  expect(versionIn(await asked([]))).toBe('5');
  expect(versionIn(await asked(['budgets.parquet']))).toBe('5');
  const [status, { message }] = await refusalOf(await asked(['costs.parquet']));
  expect(status).toBe(400);
  expect(message).toBe(
    'Version 5 of costs is quarantined: a scrub found its file damaged. Versions that can be read: 1 to 4.',
  );
});
