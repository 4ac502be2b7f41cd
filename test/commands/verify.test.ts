import * as fs from 'node:fs/promises';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addVerifyCommand } from '../../src/commands/verify.ts';
import { sha256Hex } from '../../src/snapshot/format/digest.ts';
import { type VerifyReport, verifySnapshot } from '../../src/snapshot/keep/verify.ts';
import { TABLES } from '../../src/tables/all.ts';
import { type Ran, runCommand } from './in-process.ts';
import { flipBit, forge, openPublishedFolder, type PublishedFolder } from './published-folder.ts';
import { itInSweeps } from '../support/sweeps.ts';

let published: PublishedFolder;
let id: string;
let folder: string;
beforeAll(async () => {
  published = await openPublishedFolder();
  ({ id, folder } = await published.build());
});
afterAll(() => published.close());

function run(...args: readonly string[]): Promise<Ran> {
  return runCommand(addVerifyCommand, published.env, 'verify', ...args);
}

async function report(...args: readonly string[]): Promise<VerifyReport> {
  return JSON.parse((await run(...args, '--json')).printed.join('\n')) as VerifyReport;
}

/** The checks that refused, each with the files it names. */
function refusals({ checks }: VerifyReport): Record<string, readonly string[]> {
  return Object.fromEntries(
    checks
      .filter(({ passed }) => !passed)
      .map(({ name, offences }) => [name, offences.map(({ subject }) => subject)]),
  );
}

describe('a copied folder', () => {
  it('passes every check by name: manifest, digests, its own SQL, and the findings at the time of publication', async () => {
    const copy = await published.copy(folder);
    const ran = await runCommand(addVerifyCommand, {}, 'verify', copy); // no setting: no store, no database
    expect(ran.error).toBeUndefined();
    const checks = (await readFile(join(copy, 'audit.sql'), 'utf8'))
      .split('\n')
      .flatMap((line) => /^-- (\d\d-check-[a-z-]+|05-list-rows)$/.exec(line)?.[1] ?? []);
    expect(checks.length).toBeGreaterThan(15);
    expect(ran.printed.filter((line) => line.startsWith('passed'))).toEqual(
      ['manifest', 'signatures', 'digests', '00-bytes', ...checks, 'audit.json'].map(
        (name) => `passed   ${name}`,
      ),
    );
    expect(ran.printed).toContain('layout    as the store keeps it');
    expect(ran.printed.slice(-3)).toEqual([
      'not checked  manifest.json: The folder holds no log entry, so no digest of the manifest itself is known.',
      expect.stringMatching(/^not checked {2}The signatures: .* whose key made them: SHA256:/),
      `verified: all ${checks.length + 1} checks of the audit passed again, and all 4 checks of the files, not checked: 2`,
    ]);
    const digest = sha256Hex(await readFile(join(copy, 'manifest.json')));
    expect(ran.printed).toContain(`manifest  SHA-256 ${digest}`);
  });

  it.each([
    ...TABLES.map(({ name }) => `${name}.parquet`),
    'costs.blocks',
    'schema.json',
    'control.json',
    'audit.sql',
    'audit.json',
    'focus.companion',
    'focus.json',
    'month_sums.companion',
    'sums.json',
  ])(
    'is refused when one bit of %s differs, with the file and both digests, and runs no script',
    async (name) => {
      const copy = await published.copy(folder);
      const before = await readFile(join(copy, name));
      await flipBit(join(copy, name));
      // The signatures, of which the envelope states the audit, have tests of their own.
      const checks = (await report(copy)).checks.filter((check) => check.name !== 'signatures');
      expect(checks.map((check) => [check.name, check.passed])).toEqual([
        ['manifest', true],
        ['digests', false],
      ]);
      expect(checks[1]?.offences).toEqual([
        {
          subject: name,
          place: 'bytes',
          expected: `${before.length} bytes with SHA-256 ${sha256Hex(before)}`,
          found: `${before.length} bytes with SHA-256 ${sha256Hex(await readFile(join(copy, name)))}`,
        },
      ]);
    },
  );

  it('names a missing file and a cut file', async () => {
    const copy = await published.copy(folder);
    await rm(join(copy, 'costs.parquet'));
    await writeFile(join(copy, 'control.json'), '');
    expect(refusals(await report(copy))).toEqual({ digests: ['costs.parquet', 'control.json'] });
  });

  it('exits with 3 and says which file differs, what was expected and what was found', async () => {
    const copy = await published.copy(folder);
    await flipBit(join(copy, 'costs.parquet'));
    const { error, printed } = await run(copy);
    expect(error).toMatchObject({
      code: 'verify_refused',
      exitCode: 3,
      message: `snapshot ${id}: refused by digests.`,
    });
    expect(printed).toContain('REFUSED  digests');
    expect(printed.join('\n')).toMatch(
      / {9}costs\.parquet bytes: expected \d+ bytes with SHA-256 [0-9a-f]{64}; found \d+ bytes with SHA-256 [0-9a-f]{64}\n/,
    );
  });

  it('is refused by its own SQL, not by that of this program', async () => {
    const copy = await published.copy(folder);
    const check = `-- Reads costs. Nothing pleases it.\nselect 'costs' as subject, 'all' as place, 'none' as expected, 'some' as found;\n`;
    await forge(copy, 'audit.sql', (text) =>
      text.replace('-- 99-list-windows\n', `-- 98-check-mine\n${check}\n$&`),
    );
    const found = await report(copy);
    // The published findings know no such check either.
    expect(refusals(found)).toEqual({ '98-check-mine': ['costs'], 'audit.json': ['audit.json'] });
  });

  itInSweeps('of a day when scripts did not say which tables they read is proved all the same', async () => {
    const copy = await published.copy(folder);
    await forge(copy, 'audit.sql', (text) => {
      const silent = text.replaceAll(/^set variable reads = [^;]+;\n/gm, '');
      expect(silent.length).toBeLessThan(text.length - 1000);
      return silent;
    });
    expect(refusals(await report(copy))).toEqual({});
    // What it found is still held to what was published.
    await forge(copy, 'audit.json', (text) => text.replace('"cut":false', '"cut":true'));
    expect(refusals(await report(copy))).toEqual({ 'audit.json': ['audit.json'] });
  });

  itInSweeps(
    'is refused when a control total is another by one cent, though the manifest vouches for it',
    async () => {
      const copy = await published.copy(folder);
      await forge(copy, 'control.json', addOneCent);
      expect(Object.keys(refusals(await report(copy)))).toContain('30-check-control-costs');
    },
  );

  itInSweeps(
    'is refused when its report was made to say something else, or its SQL to check nothing',
    async () => {
      const report_changed = await published.copy(folder);
      await forge(report_changed, 'audit.json', (text) =>
        text.replace('"rows_examined":', '"rows_examined":1'),
      );
      expect(refusals(await report(report_changed))).toEqual({ 'audit.json': ['audit.json'] });
      const nothing_checked = await published.copy(folder);
      await forge(nothing_checked, 'audit.sql', () => '-- nothing\n');
      expect(Object.keys(refusals(await report(nothing_checked)))).toEqual(['audit.json']);
    },
  );

  itInSweeps('is refused when a table stands beside those the manifest names', async () => {
    const copy = await published.copy(folder);
    await writeFile(join(copy, 'more.parquet'), await readFile(join(copy, 'costs.parquet')));
    expect(Object.keys(refusals(await report(copy)))).toContain('05-list-rows');
  });

  it.each([
    ['is missing', (path: string) => rm(path)],
    ['is none', (path: string) => writeFile(path, '{}')],
    ['is endless', (path: string) => writeFile(path, Buffer.alloc(2_000_000, ' '))],
  ])('is refused when its manifest %s', async (_, spoil) => {
    const copy = await published.copy(folder);
    await spoil(join(copy, 'manifest.json'));
    const { checks, snapshot_id } = await report(copy);
    expect({ snapshot_id, names: checks.map(({ name }) => name) }).toEqual({
      snapshot_id: null,
      names: ['manifest'],
    });
    expect((await run(copy)).error).toMatchObject({ code: 'verify_refused', exitCode: 3 });
  });

  it('that cannot be read ends with 1, naming the file, and is not called refused', async () => {
    const copy = await published.copy(folder);
    const path = join(copy, 'costs.parquet');
    await rm(path);
    await mkdir(path);
    const { error, printed } = await run(copy);
    expect(error).toMatchObject({
      code: 'file_unreadable',
      exitCode: 1,
      message: `${path} could not be read (EISDIR); the snapshot was not verified.`,
      hint: `Copy ${copy} again to a disk without errors, then verify the copy.`,
    });
    expect(printed).toEqual([]);
  });

  it.each(['EACCES', 'EPERM'])(
    'that this user may not read names the file and the right it lacks: %s',
    async (code) => {
      const copy = await published.copy(folder);
      const path = join(copy, 'costs.parquet');
      const open: typeof fs.open = (name, ...more) =>
        name === path ? Promise.reject(Object.assign(new Error('denied'), { code })) : fs.open(name, ...more);
      const verifying = verifySnapshot({
        fs: { open },
        directory: copy,
        expected: null,
        signed_by: null,
        tempDirectory: join(copy, 'spill'),
        memory_mb: 256,
        signal: new AbortController().signal,
      });
      await expect(verifying).rejects.toMatchObject({
        code: 'file_unreadable',
        exitCode: 1,
        message: `This user may not read ${path} (${code}); the snapshot was not verified.`,
        hint: `Give this user the right to read ${path} and to enter the folders above it, then verify again.`,
      });
    },
  );

  itInSweeps('is refused as that of another account', async () => {
    const { error } = await run(await published.copy(folder), '--account', '2');
    expect(error).toMatchObject({ code: 'verify_refused', exitCode: 3 });
  });

  it('is refused as a folder of no snapshot, with the snapshot to name where a pull made it', async () => {
    const empty = join(await published.copy(folder), 'empty');
    await mkdir(empty);
    await writeFile(join(empty, 'notes.txt'), 'mine');
    const message = `${empty} holds no snapshot: expected manifest.json and *.parquet, found neither.`;
    expect((await run(empty)).error).toMatchObject({ code: 'usage_invalid', exitCode: 2, message });
    await writeFile(join(empty, 'latest.json'), '{}');
    expect((await run(empty)).error).toMatchObject({
      exitCode: 2,
      hint: `Name one of its snapshots, such as ${join(empty, 'latest')}.`,
    });
  });

  it('must be a folder', async () => {
    const { error } = await run(join(published.objects, 'nowhere'));
    expect(error).toMatchObject({ code: 'usage_invalid', exitCode: 2 });
  });
});

describe('a snapshot in the store', () => {
  it.each(['its id', 'latest'])('passes when named by %s, and leaves nothing behind', async (by) => {
    const ran = await run(by === 'latest' ? by : id, '--account', '1');
    expect(ran.error).toBeUndefined();
    expect(ran.printed[0]).toBe(`snapshot  ${id}`);
    // The log entry names the digest of the manifest: nothing is left to believe.
    expect(ran.printed.at(-1)).toMatch(
      /^verified: all \d+ checks of the audit passed again, and all 4 checks of the files$/,
    );
    expect(await readdir(join(published.env['DATA_DIR'] ?? '', 'spool'))).toEqual(['1']);
  });

  itInSweeps('is refused for one flipped bit and for an absent object, naming them', async () => {
    const { id: damaged, folder: stored } = await published.build();
    await flipBit(join(stored, 'initiatives.parquet'));
    await rm(join(stored, 'costs.blocks'));
    expect(refusals(await report(damaged, '--account', '1'))).toEqual({
      digests: ['initiatives.parquet', 'costs.blocks'],
    });
    expect((await report(id, '--account', '1')).passed).toBe(true);
  });

  itInSweeps('is refused when its manifest differs from the one named in the log entry', async () => {
    const { id: damaged, folder: stored } = await published.build();
    const named = sha256Hex(await readFile(join(stored, 'manifest.json')));
    await forge(stored, 'audit.json', (text) => text.replace('"passed":true', '"passed":false'));
    const { checks } = await report(damaged, '--account', '1');
    expect(checks).toMatchObject([
      { name: 'manifest', passed: false, offences: [{ expected: `a manifest with SHA-256 ${named}` }] },
    ]);
  });

  it.each([
    ['an account is not named', ['latest'], 'usage_invalid'],
    ['the account has none', ['latest', '--account', '2'], 'not_found'],
    ['the account has none of that id', ['20200101T000000Z', '--account', '1'], 'not_found'],
  ])('is not found when %s', async (_, args, code) => {
    expect((await run(...args)).error).toMatchObject({ code });
  });
});

/** One cent more in the first sum of costs. */
function addOneCent(text: string): string {
  const changed = text.replace(
    /("base_table":"cost_entries".*?"usd_amount_cents":"?)(\d+)/,
    (_, name: string, cents: string) => `${name}${BigInt(cents) + 1n}`,
  );
  if (changed === text) throw new Error('control.json has no such sum');
  return changed;
}
