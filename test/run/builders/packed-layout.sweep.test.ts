/** Nights in the packed layout, built from a real ledger into a folder: what they ask the store, and what reads them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addVerifyCommand } from '../../../src/commands/verify.ts';
import { readSettings } from '../../../src/config.ts';
import { openTested } from '../../../src/run/object-store.ts';
import { FILE_SETS } from '../../../src/tables/file-sets.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { flipBit, openPublishedFolder, type PublishedFolder } from '../../commands/published-folder.ts';
import { runCommand } from '../../commands/in-process.ts';
import { countCalls, sumOf } from './counted-calls.ts';

let published: PublishedFolder;
/** In the layouts `objects`, `packed` and `packed`. */
let nights: readonly { readonly id: string; readonly folder: string }[];
let calls: readonly Readonly<Record<string, number>>[];

beforeAll(async () => {
  published = await openPublishedFolder();
  const counted = countCalls();
  const built = [];
  const taken = [];
  for (const layout of ['objects', 'packed', 'packed'] as const) {
    built.push(await published.build(counted.wrap, layout));
    taken.push(counted.take());
  }
  [nights, calls] = [built, taken];
});
afterAll(() => published.close());

const openStore = () =>
  openTested({ objectStore: pathToFileURL(published.objects), bucket: readSettings({}).bucket });

function night(at: number): { readonly id: string; readonly folder: string } {
  const found = nights[at];
  if (found === undefined) throw new Error(`there is no night ${at}`);
  return found;
}

/** 14 tables, FOCUS, what they share, the manifest and two signatures of it. Each is created, and read back. */
const OBJECTS = { 'create snapshot': 19, 'create log': 1 };

/** The first night of an account, in a process that built others before, asks for 22 calls less than this. */
const SECOND_NIGHT = {
  ...OBJECTS,
  'create probe': 1,
  'stat probe': 1,
  'delete probe': 1,
  'list log': 1,
  'readSmall log': 2,
  'readSmall snapshot': 20, // the manifest of the night before
  'list marks': 1,
  'readSmall marks': 1,
  'readRange snapshot': 14, // the tables of the night before
  'create comparison': 2,
  'readSmall comparison': 2,
};

it('a later night asks the store 66 times, and the first of an account, with nothing before it, 44', () => {
  expect(calls[1]).toEqual(SECOND_NIGHT);
  expect(sumOf(calls[1] ?? {})).toBe(66);
  expect(calls[2]).toEqual({ ...SECOND_NIGHT, 'readSmall log': 3 });
  const { 'list log': log, 'create log': entry, 'create snapshot': created } = SECOND_NIGHT;
  const probe = 3;
  expect(log + 1 + entry + created + created + probe).toBe(44);
});

it('a packed snapshot is 19 objects instead of 71', async () => {
  expect((await readdir(night(0).folder)).length).toBe(71);
  const names = await readdir(night(1).folder);
  expect(names.filter((name) => name.endsWith('.parquet'))).toHaveLength(14);
  expect(names.filter((name) => !name.endsWith('.parquet')).toSorted()).toEqual([
    'focus.companion',
    'manifest.json',
    'manifest.json.ed25519',
    'manifest.json.sig',
    'rest.pack',
  ]);
});

it('a reader reads every file of both layouts, each byte checked', async () => {
  const store = await openStore();
  const reader = createReader({
    store,
    now: () => BigInt(Date.now()) * 1000n,
    onFault: () => expect.unreachable(),
  });
  expect((await reader.list(1n)).map(({ snapshot_id }) => snapshot_id)).toEqual(
    nights.map(({ id }) => id).toReversed(),
  );
  for (const { id } of nights) {
    for (const set of FILE_SETS) {
      expect((await reader.readReport(1n, id, set)).length).toBeGreaterThan(0);
      for (const table of set.tables) await reader.openRows(1n, id, table);
    }
    for (const name of ['schema.json', 'control.json', 'audit.sql', 'digests.json', 'footers.json'])
      expect((await reader.readFile(1n, id, name)).length).toBeGreaterThan(0);
  }
  expect('packed' in ((await reader.latest(1n)) ?? {})).toBe(false);
});

it.each([1, 2])('verify passes for night %i of the store, and for a raw copy of its folder', async (at) => {
  const { id, folder } = night(at);
  const stored = await runCommand(addVerifyCommand, published.env, 'verify', id, '--account', '1');
  expect(stored.error).toBeUndefined();
  const copy = await published.copy(folder);
  const copied = await runCommand(addVerifyCommand, {}, 'verify', copy);
  expect(copied.error).toBeUndefined();
  expect(copied.printed.join('\n')).toContain('verified: all');
});

it('a raw copy whose shared object changed is refused', async () => {
  const copy = await published.copy(night(2).folder);
  await flipBit(join(copy, 'rest.pack'));
  const ran = await runCommand(addVerifyCommand, {}, 'verify', copy, '--json');
  expect(ran.error).toMatchObject({ code: 'verify_refused' });
});
