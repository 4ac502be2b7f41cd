import * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { openSpool, readSpooled, type Spool } from '../../../src/snapshot/spool/spool.ts';
import { sweepSpools } from '../../../src/snapshot/spool/sweep.ts';
import { readAll } from '../../store/contract.ts';
import { DAY, MIDNIGHT } from '../builder/build-harness.ts';

let root: string;
beforeEach(async () => {
  root = await promises.mkdtemp(join(tmpdir(), 'crossfoot-spool-'));
});
afterEach(() => promises.rm(root, { recursive: true }));

function open(nonce: string, account_id = 7n): Promise<Spool> {
  return openSpool({ fs: promises, root, account_id, nonce, now: () => MIDNIGHT });
}

/** Sets when a spool was last written to, as its file system says. */
async function touch(spool: Spool, moment: bigint): Promise<void> {
  const seconds = Number(moment / 1_000_000n);
  await promises.utimes(spool.directory, seconds, seconds);
}

test('the spool gives written bytes as content, each time it is opened', async () => {
  const spool = await open('a');
  const bytes = Buffer.alloc(600_000, 'columns');
  await promises.writeFile(spool.pathOf('costs.parquet'), bytes);
  const content = spool.content('costs.parquet', { size: bytes.length, sha256: sha256Hex(bytes) });
  expect(bytes.equals(await readAll(content.open()))).toBe(true);
  expect(bytes.equals(await readAll(content.open()))).toBe(true);
  expect(content).toMatchObject({ size: 600_000, sha256: sha256Hex(bytes) });
});

const READ = 256 * 1024;

test.each([0, 1, 1000, READ - 1, READ, READ + 1, 2 * READ, 600_000])(
  'a file of %i bytes is read with memory for the file, not for the largest read',
  async (size) => {
    const path = join(root, 'file');
    const bytes = Buffer.from(Array.from({ length: size }, (_, at) => at % 251));
    await promises.writeFile(path, bytes);
    const pieces = await Array.fromAsync(readSpooled(promises, path));
    expect(bytes.equals(Buffer.concat(pieces))).toBe(true);
    const memory = pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    expect(memory - size).toBeLessThanOrEqual(1);
    expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThanOrEqual(READ);
  },
);

test.each([1, READ - 1, READ])('a file that grows meanwhile is read to its end: %i bytes', async (size) => {
  const path = join(root, 'file');
  await promises.writeFile(path, Buffer.alloc(size, 'a'));
  const reading = readSpooled(promises, path);
  const first = await reading.next();
  await promises.appendFile(path, Buffer.alloc(READ, 'b'));
  const rest = await Array.fromAsync(reading);
  const read = Buffer.concat([first.value ?? Buffer.alloc(0), ...rest]);
  expect(read.equals(Buffer.concat([Buffer.alloc(size, 'a'), Buffer.alloc(READ, 'b')]))).toBe(true);
  expect(rest.length).toBeLessThanOrEqual(3);
});

test('the spool writes a small file once, readable by its owner only', async () => {
  const spool = await open('a');
  const content = await spool.write('audit.json', Buffer.from('{}'));
  expect(String(await readAll(content.open()))).toBe('{}');
  expect(String(await promises.readFile(spool.pathOf('audit.json')))).toBe('{}');
  expect((await promises.stat(spool.pathOf('audit.json'))).mode & 0o777 & ~0o640).toBe(0);
  await expect(spool.write('audit.json', Buffer.from('x'))).rejects.toMatchObject({
    data: { code: 'EEXIST' },
  });
});

test('the spool writes a file as its pieces come, and returns their sizes and digests', async () => {
  const spool = await open('a');
  const pieces = [Buffer.from('{"rows":['), Buffer.from(']}')];
  const content = await spool.writePieces('control.json', Readable.from(pieces));
  expect(content).toMatchObject({ size: 11, sha256: sha256Hex(Buffer.from('{"rows":[]}')) });
  expect(String(await readAll(content.open()))).toBe('{"rows":[]}');
  expect((await promises.stat(spool.pathOf('control.json'))).mode & 0o777 & ~0o640).toBe(0);
  await expect(spool.writePieces('control.json', Readable.from(pieces))).rejects.toMatchObject({
    data: { code: 'EEXIST' },
  });
});

test('the spool leaves nothing once removed', async () => {
  const spool = await open('a');
  await spool.write('audit.json', Buffer.from('{}'));
  await spool.remove();
  expect(await promises.readdir(join(root, '7'))).toEqual([]);
});

test('the spool keeps a refused build until the next build of the account', async () => {
  const refused = await open('a');
  await refused.write('audit.json', Buffer.from('why'));
  const kept = await refused.keep();
  await open('x', 8n);
  expect(String(await promises.readFile(join(kept, 'audit.json')))).toBe('why');
  await open('b');
  expect(await promises.readdir(join(root, '7'))).toEqual(['b']);
});

test('the spool keeps the last of two refused builds', async () => {
  const one = await open('a');
  const two = await open('b');
  await one.write('control.json', Buffer.from('one'));
  await one.keep();
  await two.write('audit.json', Buffer.from('two'));
  const kept = await two.keep();
  expect(await promises.readdir(kept)).toEqual(['audit.json']);
});

test('the spool of a build killed a day ago is removed, and a running build’s is spared', async () => {
  await touch(await open('killed'), MIDNIGHT - DAY - 1_000_000n);
  await touch(await open('running'), MIDNIGHT - DAY + 1_000_000n);
  await open('new');
  expect(await promises.readdir(join(root, '7'))).toEqual(['new', 'running']);
});

const removedMeanwhile = (async (path: string) => {
  if (path.endsWith('leaving')) await promises.rm(path, { recursive: true });
  return await promises.lstat(path);
}) as typeof promises.lstat; // its overloads are not used

test('the clearing of spools ignores a spool that is removed meanwhile', async () => {
  await touch(await open('leaving'), MIDNIGHT);
  const fs = { ...promises, lstat: removedMeanwhile };
  await openSpool({ fs, root, account_id: 7n, nonce: 'new', now: () => MIDNIGHT });
  expect(await promises.readdir(join(root, '7'))).toEqual(['new']);
});

test('the spool refuses a link in the place of an account’s folder and leaves its target alone', async () => {
  const outside = join(root, 'outside');
  await promises.mkdir(join(outside, 'refused'), { recursive: true });
  await promises.symlink(outside, join(root, '7'));
  await expect(open('a')).rejects.toMatchObject({
    code: 'spool_failed',
    message: `The spool ${join(root, '7')} is a link and not a folder.`,
    hint: expect.stringMatching(`^Remove the link ${join(root, '7')}`),
  });
  expect(await promises.readdir(outside)).toEqual(['refused']);
});

/** Makes the spool look like that of another process. */
async function disown(spool: Spool, changed: Readonly<Record<string, unknown>>): Promise<void> {
  const path = spool.pathOf('owner.json');
  const owner = JSON.parse(await promises.readFile(path, 'utf8')) as Record<string, unknown>;
  await promises.writeFile(path, JSON.stringify({ ...owner, ...changed }));
}

/** As the next worker does when it starts; gives what it removed. */
async function sweep(dryRun = false): Promise<readonly string[]> {
  const paths = await Array.fromAsync(sweepSpools({ fs: promises, root, now: MIDNIGHT, dryRun }));
  return paths.map((path) => relative(root, path)).toSorted();
}

describe('the spools of killed builds', () => {
  // The process id is this test's own, in a life that it never had: the process that wrote it has ended.
  const killed = { life: 'an earlier life' };

  test('go with the next build of the account', async () => {
    await disown(await open('killed'), killed);
    await open('new');
    expect(await promises.readdir(join(root, '7'))).toEqual(['new']);
  });

  test('go with the next sweep, of whichever account, and running and refused builds stay', async () => {
    await touch(await open('running'), MIDNIGHT);
    await (await open('refused one', 11n)).keep();
    for (const account of [7n, 8n, 9n]) await disown(await open('killed', account), killed);
    await touch(await open('old', 10n), MIDNIGHT - DAY - 1_000_000n);
    const left = ['10/old', '7/killed', '8/killed', '9/killed'];
    expect(await sweep(true)).toEqual(left);
    expect(await sweep()).toEqual(left);
    expect(await sweep()).toEqual([]);
    expect(await promises.readdir(join(root, '7'))).toEqual(['running']);
    expect(await promises.readdir(join(root, '11'))).toEqual(['refused']);
  });

  test.each([
    ['of another machine', { ...killed, host: 'another machine' }],
    ['that names no life', { life: null }],
  ])('stay for a day when their owner is one %s', async (_, owner) => {
    const spool = await open('unknown');
    await disown(spool, owner);
    await touch(spool, MIDNIGHT - DAY + 1_000_000n);
    expect(await sweep()).toEqual([]);
    await touch(spool, MIDNIGHT - DAY - 1_000_000n);
    expect(await sweep()).toEqual(['7/unknown']);
  });

  test('stay for a day when their owner’s name was cut off', async () => {
    const spool = await open('cut off');
    await promises.truncate(spool.pathOf('owner.json'), 3);
    await touch(spool, MIDNIGHT);
    expect(await sweep()).toEqual([]);
  });

  test('are not looked for behind a link', async () => {
    await disown(await open('killed'), killed);
    await promises.mkdir(join(root, 'elsewhere'));
    await promises.rename(join(root, '7'), join(root, 'elsewhere', '7'));
    await promises.symlink(join(root, 'elsewhere', '7'), join(root, '7'));
    expect(await sweep()).toEqual([]);
  });

  test('are an empty list where nothing was ever built', async () => {
    await promises.rm(root, { recursive: true });
    expect(await sweep()).toEqual([]);
    await promises.mkdir(root);
  });
});
