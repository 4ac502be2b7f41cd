/** What `pull.mjs`, or the program that PULL_PROGRAM names, does about a server that says other facts than were signed. */
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signingKeyOf } from '../../src/signing/keys.ts';
import { OTHER_SEED, PUBLIC_KEY } from '../support/signing.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { type PullProgram, type PullRun, runPull } from './pull-program.ts';
import { nightId, type SignedServer, startSigned } from './signed-server.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
const LATEST = '/v1/reporting/latest';
const HEX = '0'.repeat(64);

type Manifest = Record<string, unknown> & {
  readonly tables: readonly Record<string, unknown>[];
  readonly files: readonly Record<string, unknown>[];
};
type Lie = (manifest: Manifest) => object;
const inFirst = (part: 'tables' | 'files', fact: object): Lie => {
  return (manifest) => ({
    [part]: manifest[part].map((each, at) => (at === 0 ? { ...each, ...fact } : each)),
  });
};

/** Each with the fact that the refusal names. */
const LIES: Readonly<Record<string, Lie>> = {
  generated_at: () => ({ generated_at: '2026-07-15T03:00:00.000000Z' }),
  account_id: () => ({ account_id: 8 }),
  'versions.writer': () => ({ versions: { writer: 'crossfoot 2' } }),
  'tables.0.row_count': inFirst('tables', { row_count: 2 }),
  'tables.0.size_bytes': inFirst('tables', { size_bytes: 281 }),
  'tables.0.sha256': inFirst('tables', { sha256: HEX }),
  'tables.0.name': ({ tables }) => ({ tables: tables.toReversed() }),
  tables: ({ tables }) => ({ tables: tables.slice(0, 1) }),
  'files.0.sha256': inFirst('files', { sha256: HEX }),
  'files.0.size_bytes': inFirst('files', { size_bytes: 10 }),
  'files.0.name': inFirst('files', { name: 'other.json' }),
  files: () => ({ files: [] }),
};

/** A table and a file that are not signed. */
const ADDED: readonly (readonly [fact: string, Lie])[] = [
  ['tables', ({ tables }) => ({ tables: [...tables, { ...tables[0], name: 'not_signed' }] })],
  ['files', ({ files }) => ({ files: [...files, { ...files[0], name: 'not_signed.json' }] })],
];

/** Each lie costs two processes: a fact of the manifest, one of a table and one of a file always run, the others in the sweeps. */
const ALWAYS: readonly string[] = ['generated_at', 'tables.0.row_count', 'files.0.sha256'];

let folder: string;
let server: SignedServer;
let sound: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-lies-'));
  server = await startSigned();
  sound = server.files.get(LATEST) ?? '';
  await pull('here', '--key', PUBLIC_KEY);
});
afterEach(() => void server.files.set(LATEST, sound));
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const pull = (to: string, ...args: readonly string[]): Promise<PullRun> =>
  runPull(PROGRAM, 'a token', '--url', server.url, '--to', join(folder, to), ...args);

/** Pulls with a lie, into a folder that has the snapshot and into a new one, and tells what came of both. */
async function pullTwice(lie: Lie): Promise<object> {
  const manifest = JSON.parse(sound) as Manifest;
  server.files.set(LATEST, JSON.stringify({ ...manifest, ...lie(manifest) }));
  const control = await readFile(join(folder, 'here', 'latest.json'), 'utf8');
  const again = await pull('here');
  const isUntouched = (await readFile(join(folder, 'here', 'latest.json'), 'utf8')) === control;
  const first = await pull('new', '--key', PUBLIC_KEY);
  const written = (await readdir(join(folder, 'new'))).filter((name) => !name.startsWith('.'));
  return { again: [again.code, again.stderr], isUntouched, first: [first.code, first.stderr], written };
}

function refusalOf(fact: string): object {
  const refusal = [3, expect.stringContaining(`the signed manifest has another ${fact}.`)];
  return { again: refusal, isUntouched: true, first: refusal, written: [] };
}

describe(`a pull by ${PROGRAM} from a server that lies`, () => {
  const lies = [...Object.entries(LIES), ...ADDED];
  const always = lies.filter(([fact]) => ALWAYS.includes(fact));
  const others = lies.filter(([fact]) => !ALWAYS.includes(fact));

  it.each(always)('refuses another %s, also of a snapshot that is here', async (fact, lie) => {
    expect(await pullTwice(lie)).toEqual(refusalOf(fact));
  });

  itInSweeps.each(others)('refuses another %s, also of a snapshot that is here', async (fact, lie) => {
    expect(await pullTwice(lie)).toEqual(refusalOf(fact));
  });

  it('takes facts that are not signed, such as marks and addresses', async () => {
    const manifest = JSON.parse(sound) as Manifest;
    const tables = manifest.tables.map((each) => ({ ...each, url: 'https://elsewhere.example' }));
    // And an older server omits what it does not know.
    const { versions: _, ...older } = manifest;
    server.files.set(LATEST, JSON.stringify({ ...older, tables, pins: [], expires_at: null }));
    expect((await pull('here')).code).toBe(10);
  });

  it('checks a snapshot that is here with the keys of --key', async () => {
    const { code, stderr } = await pull('here', '--key', signingKeyOf(OTHER_SEED).public_key.openssh);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/not trusted|not signed by a trusted key/)]);
    expect((await pull('here')).code).toBe(10);
  });

  it('checks a snapshot anew whose signed manifest was deleted from the folder', async () => {
    const kept = join(folder, 'cleared');
    await cp(join(folder, 'here'), kept, { recursive: true });
    await rm(join(kept, nightId(0), 'signed-manifest.json'));
    const manifest = JSON.parse(sound) as Manifest;
    server.files.set(LATEST, JSON.stringify({ ...manifest, account_id: 8 }));
    expect((await pull('cleared')).code).toBe(3);
  });
});
