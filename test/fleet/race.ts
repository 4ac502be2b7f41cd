/**
 * `npm run campaign -- race --processes 20 --rounds 200`: as many processes publish for one account at once, round
 * after round, each a moment of its own drawn from half a minute. In every other round all of them are for one night,
 * which is published once. Fails when a snapshot id appears twice, when the log moves back or breaks, when a night has
 * more or less than one snapshot, or when a process was told anything but what the log says. On a folder, or on
 * OBJECT_STORE.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openObjectStore } from '../../src/run/object-store.ts';
import { readSettings } from '../../src/config.ts';
import type { PublishLog } from '../../src/snapshot/format/publish-log.ts';
import { readLog, readOn } from '../../src/snapshot/read/read-log.ts';
import type { Store } from '../../src/store/store.ts';
import { ACCOUNT, DAY, MIDNIGHT, SECOND } from '../snapshot/builder/build-harness.ts';
import type { Raced, Round } from './racer.ts';

const RACER = fileURLToPath(new URL('racer.ts', import.meta.url));
/** Longer than the half minute that moments are drawn from: a later round is never older. */
const ROUND = 40n * SECOND;

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '200' },
  },
});
const [processes, rounds] = [Number(values.processes), Number(values.rounds)];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function refuse(wrong: boolean, sentence: string): void {
  if (wrong) throw new Error(sentence);
}

/** What every process is to publish in a round. */
function roundOf(number: number): readonly Round[] {
  const night = new Date(Number(MIDNIGHT + BigInt(number) * DAY) / 1000).toISOString().slice(0, 10);
  return Array.from({ length: processes }, (_, racer) => ({
    label: `${number} of ${racer}`,
    moment: String(MIDNIGHT + BigInt(number) * ROUND + BigInt(Math.floor(Math.random() * 30)) * SECOND),
    night,
    once: number % 2 === 1,
  }));
}

/** The log, read again and again until the round is over: it only ever grows. */
async function watch(store: Store, before: PublishLog, over: Promise<unknown>): Promise<PublishLog> {
  let log = before;
  const round = new AbortController();
  void over.finally(() => round.abort());
  do {
    const next = await readOn(store, log);
    refuse(next.entries.length < log.entries.length, 'the log became shorter');
    log = next;
  } while (!round.signal.aborted);
  await over;
  return readOn(store, log);
}

function judge(
  before: PublishLog,
  after: PublishLog,
  raced: readonly Raced[],
  round: readonly Round[],
): void {
  if (after.fault !== null) throw after.fault;
  const added = after.entries.slice(before.entries.length);
  const told = raced.filter(({ outcome }) => outcome === 'published').map(({ nonce }) => nonce);
  const visible = added.map(({ nonce }) => nonce);
  refuse(told.toSorted().join() !== visible.toSorted().join(), 'a process was told something untrue');
  refuse(visible.length === 0, 'nothing was published');
  refuse(round[0]?.once === true && visible.length !== 1, `a night was published ${visible.length} times`);
}

const root = await mkdtemp(join(tmpdir(), 'crossfoot-race-'));
const racers: ChildProcess[] = [];
try {
  const env = { DATA_DIR: root, ...process.env };
  const store = await openObjectStore(readSettings(env));
  racers.push(...Array.from({ length: processes }, () => fork(RACER, { env })));
  await Promise.all(racers.map((racer) => once(racer, 'message')));
  let log = await readLog(store, ACCOUNT);
  refuse(log.entries.length > 0, 'the account has snapshots already: use another prefix');
  const told = new Map<string, number>();
  const began = performance.now();
  for (let number = 0; number < rounds; number += 1) {
    const round = roundOf(number);
    const over = Promise.all(
      racers.map(async (racer, at) => {
        const answer = once(racer, 'message') as Promise<[Raced]>; // all that a racer ever sends
        racer.send(round[at] ?? {});
        return (await answer)[0];
      }),
    );
    const after = await watch(store, log, over);
    const raced = await over;
    judge(log, after, raced, round);
    for (const { outcome } of raced) told.set(outcome, (told.get(outcome) ?? 0) + 1);
    log = after;
  }
  const atEnd = await readLog(store, ACCOUNT);
  if (atEnd.fault !== null) throw atEnd.fault;
  const ids = atEnd.entries.map(({ snapshot_id }) => snapshot_id);
  refuse(new Set(ids).size !== ids.length, 'a snapshot id appears twice');
  refuse(
    ids.some((id, at) => id <= (ids[at - 1] ?? '')),
    'the log moves back',
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const outcomes = [...told].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  say(`${processes} processes, ${rounds} rounds in ${seconds} s: ${outcomes}`);
  say(`${ids.length} entries, no id twice, no move back, ${rounds / 2} nights of one snapshot each`);
} finally {
  for (const racer of racers) racer.kill('SIGKILL');
  await rm(root, { recursive: true, force: true });
}
