/** What the prove page loads, from which address, and how it ends where the server does not answer as it should. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { load, type Loaded, namedFiles } from '../../src/prover/load.ts';

const PAGE = 'https://api.example.com/snapshots/20260715T020000Z/prove';
const KEYS = 'https://api.example.com/v1/reporting/keys';
const ENTRIES = ['{"seq":1}', '{"seq":2}', '{"seq":3}'];
const SHA = 'a'.repeat(64);
const table = (size_bytes: number) => ({ name: 'costs', size_bytes, row_count: 1, sha256: SHA });

let answers: Record<string, () => Response>;
let asked: string[];
let progress: (readonly [number, number])[];
beforeEach(() => {
  [asked, progress] = [[], []];
  answers = {
    [`${PAGE}/files/manifest.json`]: () =>
      manifestOf(table(4), { name: 'audit.json', size_bytes: 2, sha256: SHA }),
    [`${PAGE}/files/manifest.json.sig`]: () => new Response('signed'),
    [`${PAGE}/files/costs.parquet`]: () => new Response('four'),
    [`${PAGE}/files/audit.json`]: () => new Response('{}'),
    // Two entries in the first response, one in the second.
    [`${PAGE}/log/1`]: () => new Response(`${ENTRIES[0]}\n${ENTRIES[1]}\n`),
    [`${PAGE}/log/3`]: () => new Response(`${ENTRIES[2]}\n`),
    [`${PAGE}/log/4`]: () => new Response(''),
    [KEYS]: () => Response.json({ keys: [] }),
  };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push(address);
    // Nothing is taken from a cache, and nothing from where a redirect leads.
    if (init.redirect !== 'manual' || init.cache !== 'no-store') throw new Error('asked in another way');
    init.signal?.throwIfAborted();
    return answers[address]?.() ?? new Response(null, { status: 404 });
  });
});
afterEach(() => void vi.unstubAllGlobals());

function manifestOf(first: object, ...files: readonly object[]): Response {
  return Response.json({ tables: [first], files });
}

const loadNow = (signal = new AbortController().signal): Promise<Loaded> =>
  load({
    snapshot_id: '20260715T020000Z',
    page: PAGE,
    keys: KEYS,
    signal,
    onProgress: (done, total) => progress.push([done, total]),
  });
const text = (bytes: Uint8Array | string | undefined | null): string =>
  typeof bytes === 'string' ? bytes : Buffer.from(bytes ?? []).toString();
const refusing = (path: string, status: number): void => {
  answers[`${PAGE}/${path}`] = () => new Response(null, { status });
};

it('everything is loaded once, from the page and the list of keys alone, in as many parts as the log has', async () => {
  const loaded = await loadNow();
  expect(loaded.log).toEqual(ENTRIES);
  expect([text(loaded.signature), [...loaded.files].map(([name, bytes]) => [name, text(bytes)])]).toEqual([
    'signed',
    [
      ['costs.parquet', 'four'],
      ['audit.json', '{}'],
    ],
  ]);
  expect(asked.toSorted()).toEqual(Object.keys(answers).toSorted());
  expect(progress.at(-1)).toEqual([6, 6]);
});

it('a signature that the server does not have is null; a refused one is an error', async () => {
  refusing('files/manifest.json.sig', 404);
  expect((await loadNow()).signature).toBeNull();
  refusing('files/manifest.json.sig', 500);
  await expect(loadNow()).rejects.toThrow('The server refuses manifest.json.sig with status 500.');
});

it.each([
  ['files/manifest.json', 'manifest.json'],
  ['log/1', 'the publish log'],
  ['log/3', 'the publish log'],
])('no proof is made without %s', async (path, what) => {
  refusing(path, 503);
  await expect(loadNow()).rejects.toThrow(`The server refuses ${what} with status 503.`);
});

it('a redirect says that the reader is signed out', async () => {
  answers[`${PAGE}/files/manifest.json`] = () =>
    ({ type: 'opaqueredirect', ok: false, status: 0 }) as Response;
  await expect(loadNow()).rejects.toThrow('You are signed out. Sign in and open this page again.');
});

it('a server that does not answer is said to, and a cancelled load ends with its cancellation', async () => {
  const stop = new AbortController();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(loadNow(stop.signal)).rejects.toThrow(
    'The server does not answer: TypeError: Failed to fetch.',
  );
  const cancelled = new Error('cancelled');
  stop.abort(cancelled);
  await expect(loadNow(stop.signal)).rejects.toBe(cancelled);
});

it('files of 200 MB are loaded, and not of a byte more', async () => {
  answers[`${PAGE}/files/manifest.json`] = () =>
    manifestOf(table(199_999_998), { name: 'audit.json', size_bytes: 2, sha256: SHA });
  expect((await loadNow()).files.size).toBe(2);
  answers[`${PAGE}/files/manifest.json`] = () =>
    manifestOf(table(199_999_999), { name: 'audit.json', size_bytes: 2, sha256: SHA });
  asked.length = 0;
  await expect(loadNow()).rejects.toThrow('The files are larger than 200 MB.');
  expect(asked.some((address) => address.endsWith('.parquet'))).toBe(false);
});

it('a file that is refused, breaks off or never ends stands as its reason or its first bytes; the others are loaded', async () => {
  refusing('files/costs.parquet', 503);
  expect((await loadNow()).files.get('costs.parquet')).toBe('the server answers with status 503');
  let pulls = 0;
  const endless = (fails: boolean) => () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          pulls += 1;
          if (fails && pulls > 1) controller.error(new Error('reset'));
          else controller.enqueue(Buffer.from('abc'));
        },
      }),
    );
  answers[`${PAGE}/files/costs.parquet`] = endless(true);
  const { files } = await loadNow();
  expect(files.get('costs.parquet')).toBe('the server broke off after 3 bytes: Error: reset');
  expect(text(files.get('audit.json'))).toBe('{}');
  pulls = 0;
  progress.length = 0;
  answers[`${PAGE}/files/costs.parquet`] = endless(false);
  // Two pieces are more than the four bytes of the manifest: no third is waited for.
  expect(text((await loadNow()).files.get('costs.parquet'))).toBe('abcabc');
  expect(Math.max(...progress.map(([done]) => done))).toBe(6);
});

it('a manifest whose names could lead elsewhere, or that lacks a size or a digest, names no files', () => {
  const [good, name] = [
    table(1),
    (each: string) => ({ tables: [], files: [{ name: each, size_bytes: 1, sha256: SHA }] }),
  ];
  expect(namedFiles(JSON.stringify({ tables: [good], files: [] }))?.map((file) => file.name)).toEqual([
    'costs.parquet',
  ]);
  for (const other of [
    name('../x.json'),
    name('x.exe'),
    { tables: [{ ...good, size_bytes: -1 }], files: [] },
    { tables: [{ ...good, sha256: undefined }], files: [] },
    { tables: [good] },
    null,
  ]) {
    expect([other, namedFiles(JSON.stringify(other))]).toEqual([other, null]);
  }
  expect(namedFiles('no JSON')).toBeNull();
});
