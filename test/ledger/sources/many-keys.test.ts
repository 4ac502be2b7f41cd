import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { MANDATORY_COLUMNS } from '../../../src/focus/columns.ts';
import { readMapping } from '../../../src/ledger/focus/mapping.ts';
import { versionOf } from '../../../src/ledger/focus/versions.ts';
import type { LoadTable } from '../../../src/ledger/staging/load-table.ts';
import { REJECTED_FAULTS, SHOWN_FAULTS, collectFaults } from '../../../src/ledger/staging/faults.ts';
import { readHeader } from '../../../src/ledger/load/header.ts';
import { nearestOf } from '../../../src/ledger/sources/nearest.ts';
import { readNdjson } from '../../../src/ledger/sources/ndjson.ts';

afterEach(() => vi.restoreAllMocks());

const KEYS = 5_000;
const names = Array.from({ length: KEYS }, (_, index) => `key${index}`);

it('a line of JSON with many keys costs no search through a list for each key', async () => {
  const long: number[] = [];
  const { includes } = Array.prototype;
  vi.spyOn(Array.prototype, 'includes').mockImplementation(function (this: unknown[], ...search) {
    if (this.length >= KEYS) long.push(this.length);
    return includes.apply(this, search);
  });
  const line = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
  const rows = await Array.fromAsync(readNdjson(Readable.from([Buffer.from(`${line}\n${line}\n`)])));
  expect(rows.flat().map(({ cells }) => cells.length)).toEqual([KEYS, KEYS, KEYS]);
  expect(long).toEqual([]);
});

it('a header with many unknown columns is refused with as many faults as a refusal shows', () => {
  // Only the parts that the header is compared with.
  const table = { name: 'vendors', columns: [], key: [], spellings: [] } as unknown as LoadTable;
  const faults = collectFaults(REJECTED_FAULTS);
  expect(readHeader(table, 'vendors.csv', names, { account: null, faults })).toBeNull();
  expect(faults.room()).toBe(REJECTED_FAULTS - SHOWN_FAULTS);
});

it('a FOCUS file with many misspelled columns is compared for as many as a refusal shows', () => {
  // Each is nearly a column that is missing, as are the mandatory ones.
  const found = versionOf(
    names.map((name) => `Tags_${name}`),
    names.map((name) => `x_Tags_${name}`).slice(0, 10),
  );
  expect('faults' in found && found.faults).toHaveLength(SHOWN_FAULTS + MANDATORY_COLUMNS.length);
});

it('a similar name is looked for among names of a similar length only', () => {
  const from = vi.spyOn(Array, 'from');
  // 0.4 of the longer name may differ: of 10 letters, 4. So `currency` (8) is compared with names of 5 to 13 letters.
  expect(nearestOf('currencies', ['currency', 'id'])).toBe('currency');
  expect(nearestOf('curry', ['currency'])).toBe('currency');
  from.mockClear();
  expect(nearestOf('x'.repeat(100_000), ['currency', 'x'])).toBeNull();
  expect(from).not.toHaveBeenCalled();
});

it('a mapping with more than a thousand keys in one map is refused, and one with as many rules is read', async () => {
  // 1,500 keys: 1,500 × 1,499 / 2 = 1,124,250 comparisons, of at most 1,000,000.
  const some = names.slice(0, 1_500);
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-mapping-'));
  const path = join(folder, 'mapping.yml');
  await writeFile(path, `rules:\n- when:\n${some.map((name) => `    x_${name}: a\n`).join('')}`);
  await expect(readMapping(path)).rejects.toThrow(
    'has more than a thousand keys in one map; nothing was loaded',
  );
  await writeFile(path, `rules:\n${some.map((name) => `- when: {x_${name}: a}\n  ai: true\n`).join('')}`);
  expect((await readMapping(path)).columns).toHaveLength(some.length);
  await rm(folder, { recursive: true });
});
