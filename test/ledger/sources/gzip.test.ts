import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unzipped } from '../../../src/ledger/sources/gzip.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-gzip-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function unpack(bytes: Buffer): Promise<string> {
  const path = join(folder, 'rows.csv.gz');
  await writeFile(path, bytes);
  return Buffer.concat(await Array.fromAsync(unzipped(path))).toString();
}

const FIRST = gzipSync('a,b\n1,2\n');
const SECOND = gzipSync('3,4\n');
const BOTH = Buffer.concat([FIRST, SECOND]);
/** Bytes that gzip cannot pack: the file is read in several pieces, and the first part ends with a piece. */
const LONG = gzipSync(Buffer.alloc(65_536 - 28, 'x'), { level: 0 });

it('a gzip file of several parts is read to its end', async () => {
  expect(await unpack(BOTH)).toBe('a,b\n1,2\n3,4\n');
  expect((await unpack(Buffer.concat([LONG, SECOND]))).slice(-5)).toBe('x3,4\n');
});

it('a gzip file that is cut anywhere is refused, but where a part ends', async () => {
  for (let length = 1; length < BOTH.length; length += 1) {
    const unpacked = unpack(BOTH.subarray(0, length)).catch((error: unknown) => String(error));
    const expected = length === FIRST.length ? 'a,b\n1,2\n' : 'a whole gzip file';
    expect(await unpacked, `${length} bytes`).toContain(expected);
  }
});

it('a gzip file with one changed byte of its data or checksums is refused, unless it means the same', async () => {
  const header = 10;
  const outcomes: string[] = [];
  for (let at = header; at < FIRST.length; at += 1) {
    const bytes = Buffer.from(FIRST);
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    outcomes.push(await unpack(bytes).catch((error: unknown) => String(error)));
  }
  // The last byte of the data has bits that mean nothing.
  const same: readonly string[] = outcomes.filter((outcome) => outcome === 'a,b\n1,2\n');
  expect(same.length).toBeLessThan(2);
  for (const outcome of outcomes)
    expect(same.includes(outcome) || outcome.includes('gzip file'), `of ${outcome}`).toBe(true);
});

it.each([
  ['zeros', Buffer.alloc(7), 'its last 7 bytes are zeros'],
  [
    'a part that was overwritten by zeros',
    Buffer.alloc(SECOND.length),
    `its last ${SECOND.length} bytes are zeros`,
  ],
  ['other bytes', Buffer.from('garbage'), 'followed by other bytes'],
  ['zeros before a part', Buffer.concat([Buffer.alloc(3), SECOND]), 'a gzip file that is whole to its end'],
])('a gzip file is refused with %s after its last part', async (_, after, expected) => {
  for (const part of [FIRST, LONG])
    await expect(unpack(Buffer.concat([part, after]))).rejects.toThrow(expected);
});
