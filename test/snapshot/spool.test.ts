import * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256Hex } from '../../src/snapshot/digest.ts';
import { openSpool, type Spool } from '../../src/snapshot/spool.ts';
import { readAll } from '../store/contract.ts';
import { DAY, MIDNIGHT } from './a-build.ts';

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

test('gives what was written as content, as often as it is opened', async () => {
  const spool = await open('a');
  const bytes = Buffer.alloc(600_000, 'columns');
  await promises.writeFile(spool.pathOf('costs.parquet'), bytes);
  const content = spool.content('costs.parquet', { size: bytes.length, sha256: sha256Hex(bytes) });
  expect(bytes.equals(await readAll(content.open()))).toBe(true);
  expect(bytes.equals(await readAll(content.open()))).toBe(true);
  expect(content).toMatchObject({ size: 600_000, sha256: sha256Hex(bytes) });
});

test('writes a small file once, readable by nobody else', async () => {
  const spool = await open('a');
  const content = await spool.write('audit.json', Buffer.from('{}'));
  expect(String(await readAll(content.open()))).toBe('{}');
  expect(String(await promises.readFile(spool.pathOf('audit.json')))).toBe('{}');
  expect((await promises.stat(spool.pathOf('audit.json'))).mode & 0o777 & ~0o640).toBe(0);
  await expect(spool.write('audit.json', Buffer.from('x'))).rejects.toMatchObject({ code: 'EEXIST' });
});

test('writes a file as its pieces come and tells what they were', async () => {
  const spool = await open('a');
  const pieces = [Buffer.from('{"rows":['), Buffer.from(']}')];
  const content = await spool.writePieces('control.json', Readable.from(pieces));
  expect(content).toMatchObject({ size: 11, sha256: sha256Hex(Buffer.from('{"rows":[]}')) });
  expect(String(await readAll(content.open()))).toBe('{"rows":[]}');
  expect((await promises.stat(spool.pathOf('control.json'))).mode & 0o777 & ~0o640).toBe(0);
  await expect(spool.writePieces('control.json', Readable.from(pieces))).rejects.toMatchObject({
    code: 'EEXIST',
  });
});

test('leaves nothing once removed', async () => {
  const spool = await open('a');
  await spool.write('audit.json', Buffer.from('{}'));
  await spool.remove();
  expect(await promises.readdir(join(root, '7'))).toEqual([]);
});

test('keeps a refused build until the next build of the account', async () => {
  const refused = await open('a');
  await refused.write('audit.json', Buffer.from('why'));
  const kept = await refused.keep();
  await open('x', 8n);
  expect(String(await promises.readFile(join(kept, 'audit.json')))).toBe('why');
  await open('b');
  expect(await promises.readdir(join(root, '7'))).toEqual(['b']);
});

test('keeps the last of two refused builds', async () => {
  const one = await open('a');
  const two = await open('b');
  await one.write('control.json', Buffer.from('one'));
  await one.keep();
  await two.write('audit.json', Buffer.from('two'));
  const kept = await two.keep();
  expect(await promises.readdir(kept)).toEqual(['audit.json']);
});

test('clears what a killed build left a day ago and spares one that is running', async () => {
  await touch(await open('killed'), MIDNIGHT - DAY - 1_000_000n);
  await touch(await open('running'), MIDNIGHT - DAY + 1_000_000n);
  await open('new');
  expect(await promises.readdir(join(root, '7'))).toEqual(['new', 'running']);
});

const removedMeanwhile = (async (path: string) => {
  await promises.rm(path, { recursive: true });
  return await promises.stat(path);
}) as typeof promises.stat; // its overloads are not used

test('is not disturbed by a spool that goes away while it looks', async () => {
  await touch(await open('leaving'), MIDNIGHT);
  const fs = { ...promises, stat: removedMeanwhile };
  await openSpool({ fs, root, account_id: 7n, nonce: 'new', now: () => MIDNIGHT });
  expect(await promises.readdir(join(root, '7'))).toEqual(['new']);
});
