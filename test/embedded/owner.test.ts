import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimFolder, readOwner } from '../../src/embedded/owner.ts';
import { itInSweeps } from '../support/sweeps.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-owner-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** How many of twenty that claim it at once get the folder of a dead process, in each round. */
async function winners(rounds: number): Promise<readonly number[]> {
  const counts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const dead = { pid: process.pid, life: 'an earlier life', claim: String(round), serves: false };
    await writeFile(join(folder, 'owner.json'), JSON.stringify(dead));
    expect(await readOwner(folder)).toBeNull();
    const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claimFolder(folder, true)));
    const won = claims.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
    counts.push(won.length);
    expect(await readOwner(folder)).toMatchObject({ pid: process.pid, claim: won[0]?.id, serves: true });
    await won[0]?.release();
  }
  expect(await readdir(folder)).toEqual([]);
  return counts;
}

it('the folder of a dead process goes to exactly one of twenty that claim it, twice', async () => {
  expect(await winners(2)).toEqual([1, 1]);
});

itInSweeps(
  'the folder of a dead process goes to exactly one of twenty that claim it, twenty times',
  async () => {
    expect(await winners(20)).toEqual(Array.from({ length: 20 }, () => 1));
  },
);

it('a process releases its own claim alone, and says whether it serves', async () => {
  for (const serves of [true, false]) {
    const claim = await claimFolder(folder, serves);
    expect(await readOwner(folder)).toMatchObject({ claim: claim.id, serves });
    // Another process took the folder meanwhile, as after a suspension of this machine.
    const path = join(folder, 'owner.json');
    const { serves: _, ...theirs } = { ...(await readOwner(folder)), claim: 'of a successor' };
    await writeFile(path, JSON.stringify(theirs));
    await claim.release();
    // A claim that does not say it is of a command that ends by itself.
    expect(await readOwner(folder)).toMatchObject({ claim: 'of a successor', serves: false });
    await rm(path);
  }
});
