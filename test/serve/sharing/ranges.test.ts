/** The ends of a range of versions, links that are renewed, and lists in pages: both sides of each boundary. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheFeeds } from '../../../src/diff/feed-cache.ts';
import { bearer, fakeApp, FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { badRequest, IDS, linesOf, refusalOf, shareCompany, versionIn } from './shared-company.ts';

const TABLES = '/shares/crossfoot/schemas/reporting/tables';
const COSTS = `${TABLES}/costs`;
const SNAPSHOT = `${TABLES}/snapshot`;
const BOTH = 'each version is compared with the version before it, and both must be kept.';

let company: Awaited<ReturnType<typeof shareCompany>>;
beforeAll(async () => {
  company = await shareCompany();
});
afterAll(() => company.close());

const ask: typeof company.ask = (...asked) => company.ask(...asked);
const query: typeof company.query = (...asked) => company.query(...asked);

/** The last line of an answer to a query that wants a refresh token. */
async function tokenOf(response: Response): Promise<string> {
  const last = (await linesOf(response)).at(-1) as { endStreamAction: { refreshToken: string } };
  return last.endStreamAction.refreshToken;
}

describe('a refresh token', () => {
  it('renews the links to its own version, although newer versions were published since', async () => {
    const first = await query({ version: 2, includeRefreshToken: true });
    const refreshToken = await tokenOf(first);
    const renewed = await query({ refreshToken });
    expect([renewed.status, versionIn(renewed)]).toEqual([200, '2']);
    const [, , line] = await linesOf(renewed);
    expect(line).toMatchObject({ file: { version: 2, size: `costs of ${IDS[1]}`.length } });
    // Clients repeat the query with the token: the token wins over what is newest by that time.
    expect(versionIn(await query({ refreshToken, timestamp: '2030-01-01T00:00:00Z' }))).toBe('2');
    expect(versionIn(await query({ refreshToken, version: 3 }))).toBe('2');
    expect(versionIn(await query({ refreshToken: '' }))).toBe('4');
    expect(await tokenOf(await query({ refreshToken, includeRefreshToken: true }))).toBe(refreshToken);
  });

  it('of a version that has expired or was never there is refused with the versions that can be read', async () => {
    for (const [seq, what] of [
      [1, 'Version 1 of costs has expired.'],
      [9, 'reporting.costs has no version 9.'],
    ] as const) {
      expect(await refusalOf(await query({ refreshToken: `v${seq}` }))).toEqual(
        badRequest(`${what} Versions that can be read: 2, 4.`),
      );
    }
  });

  it.each(['v', 'v-1', 'V2', 'v2 ', '2', 'v1234567890123456'])(
    '%j is no token of this server',
    async (refreshToken) => {
      expect((await query({ refreshToken })).status).toBe(400);
    },
  );

  it('comes in the body to a client that wants it there, and to no other', async () => {
    for (const body of [{}, { includeRefreshToken: false }, { includeRefreshToken: null }]) {
      expect(await linesOf(await query(body))).toHaveLength(3);
    }
    expect(await linesOf(await query({ includeRefreshToken: true }))).toHaveLength(4);
  });
});

describe('a version by time', () => {
  // Version 3 was built a quarter of a second after midnight of 3 March.
  it.each([
    ['2026-03-03T00:00:00.250000Z', '3'],
    ['2026-03-03T00:00:00.250001Z', '4'],
    ['2026-03-03T00:00:00.000000Z', '3'],
    ['2026-03-02T00:00:00.250001Z', '3'],
    ['2026-03-03T01:00:00.250000+01:00', '3'],
  ])('since %s is the oldest from it on', async (startingTimestamp, version) => {
    const parameters = new URLSearchParams({ startingTimestamp });
    expect(versionIn(await ask(`${SNAPSHOT}/version?${parameters.toString()}`))).toBe(version);
  });

  it.each([
    ['2026-03-03T00:00:00.250000Z', '3'],
    ['2026-03-03T00:00:00.249999Z', '2'],
    ['2026-03-03T00:00:00Z', '2'],
    ['2026-03-04T00:00:00.249999Z', '3'],
  ])('at %s is the newest up to it, in a query and in the metadata', async (timestamp, version) => {
    expect(versionIn(await query({ timestamp }, SNAPSHOT))).toBe(version);
    const parameters = new URLSearchParams({ timestamp });
    expect(versionIn(await ask(`${SNAPSHOT}/metadata?${parameters.toString()}`))).toBe(version);
  });

  it('since the newest and a microsecond is refused, and names the time and the versions that can be read', async () => {
    const since = '2026-03-04T00:00:00.250001Z';
    expect(versionIn(await ask(`${COSTS}/version?startingTimestamp=2026-03-04T00:00:00.250000Z`))).toBe('4');
    expect(await refusalOf(await ask(`${COSTS}/version?startingTimestamp=${since}`))).toEqual(
      badRequest(`costs has no version since ${since}. Versions that can be read: 2, 4.`),
    );
  });

  it.each(['0', '1.5', '-1', 'x', '', '1234567890123456'])(
    'no version has the number %j',
    async (version) => {
      expect((await ask(`${SNAPSHOT}/metadata?version=${version}`)).status).toBe(400);
    },
  );
});

const changes = (parameters: string, path = SNAPSHOT) => ask(`${path}/changes?${parameters}`);

const versionsIn = async (parameters: string) => {
  const [, , ...lines] = await linesOf(await changes(parameters));
  return lines.map((line) => (line['cdf'] as { version: number }).version);
};

describe('changes over a range', () => {
  it('have the first version in the header, and the columns, the number and the size of the last', async () => {
    const answer = await changes('startingVersion=3');
    expect(versionIn(answer)).toBe('3');
    const [, head] = await linesOf(answer);
    expect(head).toMatchObject({ metaData: { version: 4, size: `snapshot of ${IDS[3]}`.length } });
    expect(head).toMatchObject({ metaData: { name: 'snapshot', numFiles: 1 } });
  });

  it.each([
    ['startingVersion=3&endingVersion=3', [3]],
    ['startingVersion=3&endingVersion=4', [3, 4]],
    ['startingVersion=4&endingVersion=4', [4]],
    ['startingTimestamp=2026-03-03T00:00:00.250000Z&endingTimestamp=2026-03-03T00:00:00.250000Z', [3]],
    ['startingTimestamp=2026-03-03T00:00:00.250001Z', [4]],
    ['startingVersion=3&endingTimestamp=2026-03-04T00:00:00.249999Z', [3]],
    ['startingVersion=3&endingTimestamp=2026-03-04T00:00:00.250000Z', [3, 4]],
  ])('include both ends: %s', async (parameters, versions) => {
    expect(await versionsIn(parameters)).toEqual(versions);
  });

  it.each([
    'startingVersion=0',
    'startingVersion=5',
    'startingVersion=3&endingVersion=5',
    'startingVersion=3&endingVersion=0',
    'startingVersion=3&endingTimestamp=2026-02-01T00:00:00Z',
    'startingTimestamp=2026-03-04T00:00:00.250001Z',
    'startingVersion=3.0',
  ])('outside the log are refused: %s', async (parameters) => {
    expect((await changes(parameters)).status).toBe(400);
  });

  it('of FOCUS are refused and lead to the costs; no schema says that it has them', async () => {
    expect(await refusalOf(await changes('startingVersion=3', `${TABLES}/focus`))).toEqual(
      badRequest('focus has no change feed. Read the changes of costs, which has the same rows.'),
    );
    const pin = '/shares/crossfoot/schemas/year-end/tables/snapshot';
    const [, head] = await linesOf(await ask(`${pin}/metadata`));
    expect(head).toMatchObject({ metaData: { configuration: {} } });
    expect(JSON.stringify(head)).not.toContain('enableChangeDataFeed');
    expect(await refusalOf(await changes('startingVersion=3', pin))).toEqual(
      badRequest("Only the schema reporting has changes. A pin's schema skips versions."),
    );
  });

  it('up to a version before the damaged one can be read although a later file is damaged', async () => {
    const { now } = company.clock;
    company.clock.now = now - 15n * 86_400_000_000n; // version 1 is kept
    expect((await changes('startingVersion=2&endingVersion=2', COSTS)).status).toBe(200);
    for (const range of ['startingVersion=3&endingVersion=3', 'startingVersion=2&endingVersion=3']) {
      expect(await refusalOf(await changes(range, COSTS))).toEqual(
        badRequest(`The changes up to version 3 of costs cannot be read: ${BOTH}`),
      );
    }
    company.clock.now = now;
  });
});

interface Marked {
  readonly pins?: readonly string[];
  readonly damaged_files?: readonly string[];
}

const version = (seq: number, { pins = [], damaged_files = [] }: Marked) => ({
  seq,
  snapshot_id: LATEST,
  expired: false,
  pins: pins as never[], // of the same type as the fake's own
  damaged_files: damaged_files as never[],
});

/** Changes of the costs of an account with so many versions; `rows` of each changed. `schemas` lists its schemas. */
function appOf(count: number, rows = 1, own: Marked = {}) {
  class Many extends FakeSnapshots {
    override async versions() {
      return Array.from({ length: count }, (_, index) => version(index + 1, own));
    }
  }
  const file = { rows, size_bytes: 4, sha256: '0'.repeat(64) };
  const feeds = cacheFeeds(async () => ({
    ...file,
    read: async () => new Uint8Array(4),
    close: async () => undefined,
  }));
  const { app } = fakeApp({ snapshots: new Many(), feeds });
  const get = async (path: string, headers = {}): Promise<Response> =>
    app.request(`/delta-sharing${path}`, { headers: { ...bearer(TOKENS.reporting).headers, ...headers } });
  const changesOf = (parameters: string, headers = {}) => get(`${COSTS}/changes?${parameters}`, headers);
  return Object.assign(changesOf, { schemas: () => get('/shares/crossfoot/schemas') });
}

it.each([
  ['costs_by_month.parquet', 200],
  ['costs.parquet', 400],
])('changes of costs beside the damaged file %s are answered with %d', async (file, status) => {
  const changesOf = appOf(3, 1, { damaged_files: [file] });
  expect((await changesOf('startingVersion=2')).status).toBe(status);
});

it('a pin named like the schema of all snapshots, as earlier versions allowed, has no schema of its own', async () => {
  const answer = await appOf(2, 1, { pins: ['Reporting', 'close'] }).schemas();
  const { items } = (await answer.json()) as { readonly items: readonly { readonly name: string }[] };
  expect(items.map(({ name }) => name)).toEqual(['reporting', 'close']);
});

it('changes of a hundred versions are read at once, and of one more refused with the version to end at', async () => {
  const changesOf = appOf(103);
  const hundred = await changesOf('startingVersion=2&endingVersion=101');
  expect(await linesOf(hundred)).toHaveLength(102);
  expect(await refusalOf(await changesOf('startingVersion=2&endingVersion=102'))).toEqual(
    badRequest('One request reads 100 versions at most. Name endingVersion 101 or less.'),
  );
});

it('changes without a changed row have no line of a file, and an end that names no expiry', async () => {
  const headers = { 'delta-sharing-capabilities': 'includeendstreamaction=true' };
  const lines = await linesOf(await appOf(3, 0)('startingVersion=2', headers));
  expect(lines.map((line) => Object.keys(line))).toEqual([['protocol'], ['metaData'], ['endStreamAction']]);
  expect(lines.at(-1)).toEqual({ endStreamAction: {} });
});

const page = async (parameters: string, list = 'schemas') => {
  const answer = await ask(`/shares/crossfoot/${list}?${parameters}`);
  return (await answer.json()) as { items: { name: string }[]; nextPageToken?: string };
};

const names = ({ items }: Awaited<ReturnType<typeof page>>) => items.map(({ name }) => name);

describe('a list in pages', () => {
  it('of exactly all items has no token for a next page, of one less it has', async () => {
    const all = await page('maxResults=3');
    expect([names(all), 'nextPageToken' in all]).toEqual([['reporting', 'close-2026-02', 'year-end'], false]);
    const two = await page('maxResults=2');
    expect(names(two)).toEqual(['reporting', 'close-2026-02']);
    const rest = await page(`maxResults=2&pageToken=${two.nextPageToken}`);
    expect([names(rest), 'nextPageToken' in rest]).toEqual([['year-end'], false]);
    expect(names(await page(`pageToken=${two.nextPageToken}`))).toEqual(['year-end']);
    expect(names(await page('maxResults=999999999'))).toHaveLength(3);
  });

  it('of no item gives the token of the first, with which the list begins', async () => {
    const none = await page('maxResults=0');
    expect(none.items).toEqual([]);
    expect(names(await page(`maxResults=1&pageToken=${none.nextPageToken}`))).toEqual(['reporting']);
  });

  it.each(['-1', '1.5', '1e3', ' 1', '1234567890'])('refuses maxResults %j', async (maxResults) => {
    const parameters = new URLSearchParams({ maxResults });
    expect((await ask(`/shares/crossfoot/schemas?${parameters.toString()}`)).status).toBe(400);
  });

  it('refuses the token of another list', async () => {
    const { nextPageToken } = await page('maxResults=1');
    expect((await ask(`/shares/crossfoot/all-tables?pageToken=${nextPageToken}`)).status).toBe(400);
  });
});

const of = async (answer: Promise<Response>) => (await answer).headers.get('cache-control');

it('answers that may hold links are stored by no cache, and lists are checked again each time', async () => {
  for (const answer of [query({}), ask(`${COSTS}/metadata`), ask(`${SNAPSHOT}/changes?startingVersion=3`)])
    expect(await of(answer)).toBe('private, no-store');
  for (const list of ['', '/crossfoot', '/crossfoot/schemas', '/crossfoot/all-tables'])
    expect(await of(ask(`/shares${list}`))).toBe('private, no-cache');
});

it('a version that is missing from a log which cannot be read to its end is 503, not refused for ever', async () => {
  class Broken extends FakeSnapshots {
    override async logBrokenAt() {
      return 3 as never;
    }
  }
  const { app } = fakeApp({ snapshots: new Broken() });
  const asked = await app.request(`/delta-sharing${COSTS}/metadata?version=9`, bearer(TOKENS.reporting));
  const [status, { errorCode }] = await refusalOf(asked);
  expect([status, errorCode]).toEqual([503, 'TEMPORARILY_UNAVAILABLE']);
});
