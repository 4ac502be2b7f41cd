/** The lock of a folder, of `pull.mjs` or of the program that PULL_PROGRAM names, under many pulls at once. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockFolder } from '../../src/client/lock.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { PULL_PROGRAMS } from './pull-program.ts';

const PULLS = 20;
/** Linux gives out no process id as large as this. */
const NO_PROCESS = 2 ** 22 + 1;

let to: string;
beforeEach(async () => {
  to = await mkdtemp(join(tmpdir(), 'crossfoot-lock-'));
});
afterEach(() => rm(to, { recursive: true }));

const deadLock = (round: number): string =>
  JSON.stringify({ pid: NO_PROCESS, host: hostname(), nonce: String(round) });

/** How many pulls got the lock of a dead one in each round, when all tried at once. */
async function winnersOfNode(rounds: number): Promise<readonly number[]> {
  const winners: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await writeFile(join(to, '.pull.lock'), deadLock(round));
    const locked = await Promise.allSettled(Array.from({ length: PULLS }, () => lockFolder(to)));
    const won = locked.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
    winners.push(won.length);
    for (const release of won) await release();
  }
  return winners;
}

async function winnersOfPython(rounds: number): Promise<readonly number[]> {
  const [python, script] = PULL_PROGRAMS.python;
  const program = `
import json, sys, threading
sys.path.insert(0, sys.argv[1])
import pull
def attempt(barrier, won):
    barrier.wait()
    try:
        won.append(pull.Lock(sys.argv[2]).__enter__())
    except pull.PullStopped:
        pass
winners = []
for dead in sys.argv[3:]:
    with open(sys.argv[2] + "/.pull.lock", "w") as file:
        file.write(dead)
    barrier, won = threading.Barrier(${PULLS}), []
    threads = [threading.Thread(target=attempt, args=(barrier, won)) for _ in range(${PULLS})]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    winners.append(len(won))
    for lock in won: lock.__exit__()
print(json.dumps(winners))
`;
  const locks = Array.from({ length: rounds }, (_, round) => deadLock(round));
  const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' };
  const run = await promisify(execFile)(python, ['-c', program, dirname(script), to, ...locks], { env });
  return JSON.parse(run.stdout) as readonly number[];
}

async function countWinners(rounds: number): Promise<readonly number[]> {
  const python = process.env['PULL_PROGRAM'] === 'python';
  const counts = await (python ? winnersOfPython(rounds) : winnersOfNode(rounds));
  expect(await readdir(to)).toEqual([]);
  return counts;
}

it('the lock of a dead pull goes to exactly one of twenty pulls, twice', async () => {
  expect(await countWinners(2)).toEqual([1, 1]);
});

itInSweeps('the lock of a dead pull goes to exactly one of twenty pulls, twenty times', async () => {
  expect(await countWinners(20)).toEqual(Array.from({ length: 20 }, () => 1));
});

it('the lock of another machine is left to it, even if its process has a number that no process has here', async () => {
  const elsewhere = JSON.stringify({ pid: NO_PROCESS, host: 'another.example', nonce: '' });
  await writeFile(join(to, '.pull.lock'), elsewhere);
  await expect(lockFolder(to)).rejects.toMatchObject({
    exit: 1,
    message: `Another pull, process ${NO_PROCESS} on another.example, is filling this folder.`,
  });
  expect(await readFile(join(to, '.pull.lock'), 'utf8')).toBe(elsewhere);
});

it('the lock of a pull that was killed while it removed a dead lock stops no later pull', async () => {
  await writeFile(join(to, '.pull.lock'), deadLock(0));
  // The first sixteen hexadecimal digits of the dead lock's SHA-256 name the lock under which it is removed.
  const name = createHash('sha256').update(deadLock(0)).digest('hex').slice(0, 16);
  await writeFile(join(to, `.pull.lock.${name}`), deadLock(1));
  const release = await lockFolder(to);
  expect(JSON.parse(await readFile(join(to, '.pull.lock'), 'utf8'))).toMatchObject({ pid: process.pid });
  await release();
  expect(await readdir(to)).toEqual([]);
});
