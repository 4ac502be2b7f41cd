/**
 * Ranges of an address that will answer with another file later: a reader of ranges must not mix the bytes of two files.
 * The routes are the application's own, so that a new one is tried too.
 */
import { expect, it } from 'vitest';
import { bytesOf, EARLIER, fakeApp, LATEST, linkTo, TOKENS } from './fake-parts.ts';
import { openBrowser } from './pages/browser.ts';
import { PIN_NAME, PinnedSnapshots } from './pinned-snapshots.ts';
import { addressOf, pathsOf } from './route-addresses.ts';

const OURS = 7n;
const FILE = bytesOf(OURS, LATEST, 'costs');
/** What names a snapshot where a route takes an id; only the first stays what it is. */
const NAMES = [LATEST, 'latest', 'newest', PIN_NAME] as const;

const { app } = fakeApp({ snapshots: new PinnedSnapshots() });
const browser = openBrowser(app);
await browser.signIn(TOKENS.personal);

/** Asks as a browser that is signed in and sends the token too. */
function ask(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<Response> {
  const token: Readonly<Record<string, string>> = path.startsWith('/links/')
    ? {}
    : { authorization: `Bearer ${TOKENS.personal}` };
  return browser.send(path, { method, headers: { ...token, ...headers } });
}

const FILES = ['application/vnd.apache.parquet', 'application/vnd.duckdb', 'application/vnd.sqlite3'];
const isFile = (answer: Response): boolean => FILES.includes(answer.headers.get('content-type') ?? '');

const ADDRESSES = [
  ...new Set(
    pathsOf(app).flatMap((path) => [
      ...NAMES.map((name) => addressOf(path, name)),
      `${addressOf(path, 'latest')}?snapshot_id=latest`,
    ]),
  ),
];

/** The addresses that take a bare range, and those that answer with a file whole. */
async function sorted(): Promise<Readonly<Record<'movable' | 'ranged', readonly string[]>>> {
  const [ranged, movable]: [string[], string[]] = [[], []];
  for (const address of ADDRESSES) {
    const answer = await ask(address, { range: 'bytes=0-0' });
    if (answer.status === 206 || answer.headers.has('accept-ranges')) ranged.push(address);
    else if (isFile(answer)) movable.push(address);
  }
  return { ranged, movable };
}

/** The bytes of an address: those of the table, or of a catalogue. */
async function wholeOf(address: string): Promise<Buffer> {
  if (address.includes('/lake/')) return Buffer.from(await (await ask(address, {})).arrayBuffer());
  return address.includes(PIN_NAME) ? bytesOf(OURS, EARLIER, 'costs') : FILE;
}

let found: ReturnType<typeof sorted> | undefined;
/** Looked up by the first test, so that an answer that breaks the contract fails it by its name. */
const addresses = (): ReturnType<typeof sorted> => (found ??= sorted());

it('a bare range is taken only at an address that has the id of the snapshot or a sealed grant', async () => {
  const { ranged } = await addresses();
  expect(ADDRESSES.length).toBeGreaterThan(100);
  expect(ranged.toSorted()).toEqual(
    [
      `/snapshots/${LATEST}/tables/costs.parquet`,
      `/v1/reporting/snapshots/${LATEST}/costs.parquet`,
      linkTo('changes/costs'),
      linkTo('costs'),
    ].toSorted(),
  );
});

it('every movable file is answered whole, without Accept-Ranges, and to HEAD alike', async () => {
  const { movable } = await addresses();
  expect(movable.toSorted()).toEqual(
    [
      '/snapshots/latest/tables/costs.parquet',
      '/snapshots/latest/tables/costs.parquet?snapshot_id=latest',
      '/snapshots/newest/tables/costs.parquet',
      `/snapshots/${PIN_NAME}/tables/costs.parquet`,
      '/v1/reporting/latest/costs.parquet',
      '/v1/reporting/lake/1.0.ducklake',
      '/v1/reporting/lake/1.0.sqlite',
    ].toSorted(),
  );
  for (const address of movable) {
    const file = await wholeOf(address);
    for (const range of ['bytes=0-3', 'bytes=-8', 'bytes=5-', 'bytes=900-', 'bytes=0-1,4-5']) {
      const answer = await ask(address, { range });
      expect([answer.status, answer.headers.get('accept-ranges')]).toEqual([200, null]);
      expect(answer.headers.get('content-range')).toBeNull();
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(file);
    }
    for (const conditions of [{}, { range: 'bytes=0-3' }, { 'if-match': '*' }]) {
      const head = await ask(address, conditions, 'HEAD');
      expect([head.status, head.headers.get('accept-ranges')]).toEqual([200, null]);
      // DuckDB asks for bare ranges of every file whose length it knows, so it is not told that of a catalogue.
      const length = address.includes('/lake/') ? null : String(file.length);
      expect(head.headers.get('content-length')).toBe(length);
    }
  }
});

it('the range of a movable file is taken if the request names the file by its entity tag', async () => {
  const { movable } = await addresses();
  for (const address of movable) {
    const file = await wholeOf(address);
    const etag = (await ask(address, {}, 'HEAD')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const name of ['if-match', 'if-range']) {
      const part = await ask(address, { range: 'bytes=1-3', [name]: etag });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1-3/${file.length}`]);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(file.subarray(1, 4));
      const head = await ask(address, { [name]: etag }, 'HEAD');
      expect(head.headers.get('accept-ranges')).toBe('bytes');
    }
    expect((await ask(address, { range: 'bytes=1-3', 'if-match': '"of yesterday"' })).status).toBe(412);
    const other = await ask(address, { range: 'bytes=1-3', 'if-range': '"of yesterday"' });
    expect([other.status, Buffer.from(await other.arrayBuffer())]).toEqual([200, file]);
  }
});
