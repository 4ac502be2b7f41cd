/** `crossfoot verify` of folders that a server's files came into: by `pull`, and by hand as the article says. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPullCommand } from '../../../src/commands/pull/pull.ts';
import { addVerifyCommand } from '../../../src/commands/verify.ts';
import type { Listener } from '../../../src/serve/http/server.ts';
import type { VerifyReport } from '../../../src/snapshot/keep/verify.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { codeBlocks, readArticles } from '../../fixtures/article-claims.ts';
import { TOKENS } from '../../serve/fake-parts.ts';
import { runCommand } from '../in-process.ts';
import { flipBit, openPublishedFolder, type PublishedFolder } from '../published-folder.ts';
import { serveFolder } from '../served-folder.ts';
import { itInSweeps } from '../../support/sweeps.ts';

const EVIDENCE = ['schema.json', 'control.json', 'audit.sql', 'audit.json'];
const OWN_MANIFEST = 'manifest.json: A server sent it, so no digest of the manifest itself is known.';
const NO_AUDIT = `The audit: It needs ${EVIDENCE.join(', ')}; npx --no crossfoot pull --audit brings them.`;

let published: PublishedFolder;
let server: Listener;
let root: string;
/** Folders of one snapshot, by how they were made; `stored` is the store's own. */
let stored: string;
let audited: string;
let pulled: string;
let downloaded: string;
beforeAll(async () => {
  published = await openPublishedFolder();
  root = await mkdtemp(join(tmpdir(), 'crossfoot-verified-'));
  const { id, folder } = await published.build();
  stored = folder;
  server = await serveFolder(published.objects);
  audited = join(await pull('audited', '--audit'), id);
  pulled = join(await pull('pulled'), id);
  downloaded = await download();
});
afterAll(async () => {
  await server?.close(0);
  await rm(root, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await published?.close();
});

async function pull(to: string, ...args: readonly string[]): Promise<string> {
  const url = `http://127.0.0.1:${server.port}`;
  const env = { CROSSFOOT_TOKEN: TOKENS.personal };
  const { error } = await runCommand(
    addPullCommand,
    env,
    'pull',
    '--url',
    url,
    '--to',
    join(root, to),
    ...args,
  );
  if (error !== undefined) throw error;
  return join(root, to);
}

/** The very commands of the article, run by a shell. */
async function download(): Promise<string> {
  const article = readArticles('articles').find(({ slug }) => slug === 'download-a-snapshot');
  const [commands = ''] = codeBlocks(article?.body ?? '', 'sh');
  const env = {
    ...process.env,
    TOKEN: TOKENS.personal,
    BASE_URL: `http://127.0.0.1:${server.port}/v1`,
  };
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], { cwd: root, env });
  return join(root, 'snapshot');
}

const run = (...args: readonly string[]) => runCommand(addVerifyCommand, {}, 'verify', ...args);

async function report(folder: string): Promise<VerifyReport> {
  return JSON.parse((await run(folder, '--json')).printed.join('\n')) as VerifyReport;
}

let copies = 0;
async function copyOf(folder: string): Promise<string> {
  copies += 1;
  const to = join(root, `copy ${copies}`);
  await cp(folder, to, { recursive: true });
  return to;
}

/** The checks that refused, each with the files it names. */
function refusals({ checks }: VerifyReport): Record<string, readonly string[]> {
  return Object.fromEntries(
    checks
      .filter(({ passed }) => !passed)
      .map(({ name, offences }) => [name, offences.map(({ subject }) => subject)]),
  );
}

describe('a folder that pull --audit made', () => {
  itInSweeps(
    'passes all checks of a copy of the store, and says that its manifest vouches for itself',
    async () => {
      const [ours, theirs] = [await report(audited), await report(stored)];
      // The server's signatures are checked while pulling; a copy of the store holds them beside its files.
      expect(ours.checks).toEqual(theirs.checks.filter(({ name }) => name !== 'signatures'));
      expect([ours.layout, ours.passed, ours.unchecked]).toEqual(['served', true, [OWN_MANIFEST]]);
      const { printed, error } = await run(audited);
      expect(error).toBeUndefined();
      expect(printed).toContain('layout    as a server sends it');
      expect(printed).toContain(`not checked  ${OWN_MANIFEST}`);
    },
  );

  it('passes with the digests of blocks beside the tables, and holds them to the manifest', async () => {
    const copy = await copyOf(audited);
    for (const { name } of TABLES) await cp(join(stored, `${name}.blocks`), join(copy, `${name}.blocks`));
    expect(refusals(await report(copy))).toEqual({});
    await flipBit(join(copy, 'costs.blocks'));
    expect(refusals(await report(copy))).toEqual({ digests: ['costs.blocks'] });
  });

  it.each(['costs.parquet', ...EVIDENCE])('is refused when one bit of %s differs', async (name) => {
    const copy = await copyOf(audited);
    await flipBit(join(copy, name));
    expect(refusals(await report(copy))).toEqual({ digests: [name] });
  });

  it('is refused by the audit when the manifest names another number of rows', async () => {
    const copy = await copyOf(audited);
    const path = join(copy, 'manifest.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/("name":"costs","row_count":)(\d+)/, '$19$2'));
    expect(Object.keys(refusals(await report(copy)))).toContain('05-list-rows');
  });
});

describe.each([
  ['that pull made', () => pulled],
  ['made by hand as the article says', () => downloaded],
])('a folder %s', (_, folder) => {
  it('passes the digests, and says that no audit was run and what it takes', async () => {
    const found = await report(folder());
    expect(found.checks.map(({ name, passed }) => [name, passed])).toEqual([
      ['manifest', true],
      ['digests', true],
    ]);
    expect([found.layout, found.unchecked]).toEqual(['served', [OWN_MANIFEST, NO_AUDIT]]);
    const { printed, error } = await run(folder());
    expect(error).toBeUndefined();
    expect(printed.slice(-3)).toEqual([
      `not checked  ${OWN_MANIFEST}`,
      `not checked  ${NO_AUDIT}`,
      'verified: all 2 checks of the files passed, not checked: 2',
    ]);
  });

  it('is refused with exit 3 when one bit of a table differs, with the next step', async () => {
    const copy = await copyOf(folder());
    await flipBit(join(copy, 'reported_totals.parquet'));
    const { error } = await run(copy);
    expect(error).toMatchObject({ code: 'verify_refused', exitCode: 3 });
    expect(error).toMatchObject({ hint: expect.stringMatching(/^Delete the folder and pull/) as string });
    expect(refusals(await report(copy))).toEqual({ digests: ['reported_totals.parquet'] });
  });

  it('names the tables that were left out, and is refused without any', async () => {
    const copy = await copyOf(folder());
    await rename(join(copy, 'costs.parquet'), join(root, 'elsewhere'));
    const { passed, unchecked } = await report(copy);
    expect(passed).toBe(true);
    expect(unchecked.slice(1)).toEqual([
      'costs.parquet: The folder has no such file.',
      NO_AUDIT.replace('needs ', 'needs every table and '),
    ]);
    for (const { name } of TABLES) await rm(join(copy, `${name}.parquet`), { force: true });
    expect(refusals(await report(copy))).toEqual({ digests: ['*.parquet'] });
  });
});

describe('a manifest', () => {
  it('of the store in another spelling is refused: every byte counts', async () => {
    const copy = await copyOf(stored);
    const path = join(copy, 'manifest.json');
    await writeFile(path, JSON.stringify(JSON.parse(await readFile(path, 'utf8')), null, 2));
    const found = await report(copy);
    expect(refusals(found)).toEqual({ manifest: ['manifest.json'] });
    expect(found.layout).toBeNull();
  });

  it.each([
    [
      'names a moment that is not its id',
      (text: string) => text.replace(/"2\d{7}T\d{6}Z"/, '"20200101T000000Z"'),
    ],
    ['lacks a digest', (text: string) => text.replace('"sha256"', '"sha"')],
    ['is no JSON', (text: string) => text.slice(1)],
  ])('of a server that %s is refused', async (_, spoil) => {
    const copy = await copyOf(pulled);
    const path = join(copy, 'manifest.json');
    await writeFile(path, spoil(await readFile(path, 'utf8')));
    const { error } = await run(copy);
    expect(error).toMatchObject({ code: 'verify_refused', exitCode: 3 });
    expect(refusals(await report(copy))).toEqual({ manifest: ['manifest.json'] });
  });
});
