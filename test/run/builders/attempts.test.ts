import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { attemptedAccounts, readAttempts, writeAttempt } from '../../../src/run/builders/attempts.ts';
import { anAttempt } from './attempt.ts';
import { instantOf } from '../../support/instant-of.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-attempts-'));
});
afterEach(() => rm(folder, { recursive: true }));

const minute = (count: number) => instantOf(`2026-07-15T02:${String(count).padStart(2, '0')}:00.000000Z`);

it('the records of each account are the last twenty, newest first', async () => {
  for (let count = 1; count <= 22; count += 1) {
    await writeAttempt(folder, anAttempt({ began_at: minute(count) }));
  }
  await writeAttempt(folder, anAttempt({ account_id: '2' }));
  const { attempts, unreadable } = await readAttempts(folder, '1');
  expect(attempts.map(({ began_at }) => began_at)).toEqual(
    Array.from({ length: 20 }, (_, index) => minute(22 - index)),
  );
  expect(unreadable).toEqual([]);
  expect(await readdir(join(folder, 'attempts/1'))).toHaveLength(20);
  expect((await readAttempts(folder, '2')).attempts).toHaveLength(1);
});

it('the record of a build is replaced by its current state', async () => {
  await writeAttempt(folder, anAttempt({ outcome: 'running' }));
  await writeAttempt(folder, anAttempt({ outcome: 'published', snapshot_id: '20260715T020000Z' }));
  expect((await readAttempts(folder, '1')).attempts).toEqual([
    anAttempt({ outcome: 'published', snapshot_id: '20260715T020000Z' }),
  ]);
});

it('a file that is no record is named, and the others are read', async () => {
  await writeAttempt(folder, anAttempt({}));
  const cut = join(folder, 'attempts/1/20260716T020000000000Z-7.json');
  await writeFile(cut, '{"account_id":');
  await writeFile(`${cut}.part`, 'what a power cut left');
  expect(await readAttempts(folder, '1')).toEqual({ attempts: [anAttempt({})], unreadable: [cut] });
});

it('the accounts with attempts are listed in numeric order, and none in a new folder', async () => {
  expect(await attemptedAccounts(folder)).toEqual([]);
  for (const account_id of ['10', '9', '2']) await writeAttempt(folder, anAttempt({ account_id }));
  expect(await attemptedAccounts(folder)).toEqual(['2', '9', '10']);
});
