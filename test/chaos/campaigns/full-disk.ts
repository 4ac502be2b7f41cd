/**
 * A disk that fills to its last byte below the real program, and gets space again. What is published stays served, the
 * commands that free space work, a failed build leaves nothing, and all recovers by itself. Every second unit is
 * `start` with a PostgreSQL of its own on that disk.
 */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { CLOCK } from '../../../src/run/machine.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { type Environment, type Program, runProgram, startProgram } from '../../commands/program.ts';
import { aBuild, DAY, publishNow } from '../../snapshot/builder/build-harness.ts';
import { createDatabase } from '../../support/database.ts';
import { startCluster } from '../../support/cluster.ts';
import { issueToken } from '../../run/server/service-harness.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { lacksSmallDisk, makeSmallDisk, type SmallDisk } from '../disks/small-disk.ts';
import { SEED } from '../../support/signing.ts';

const DISK_MB = 64;
/** An embedded PostgreSQL takes 120 MB when it is made. */
const EMBEDDED_DISK_MB = 400;
const RECOVER_MS = 180_000;
const POLL_MS = 250;
/** Days ago. */
const AGES = [40n, 39n, 38n];
const EXPIRED_BYTES = 1024 * 1024;
const KEY = 'a key of this campaign that signs nothing of worth';

export const fullDisk: Campaign = {
  name: 'full-disk',
  title: 'the disk below the real program filled to its last byte, and given space again',
  rows: ['F-29'],
  unit: 'disks',
  times: { short: 2, long: 6 },
  lacks: lacksSmallDisk,
  run: fillDisks,
};

async function fillDisks({ times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const bad: string[] = [];
  const figures: Figures = {
    'commands at 0 bytes': 0,
    'snapshots deleted at 0 bytes': 0,
    'files served at 0 bytes': 0,
    'files served with space': 0,
  };
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    const embedded = done % 2 === 1;
    try {
      const faults = await (embedded ? fillBelowStart(figures) : fillBelowCommands(figures));
      bad.push(...faults.map((fault) => `${embedded ? 'start' : 'commands'}, disk ${done + 1}: ${fault}`));
    } catch (error) {
      bad.push(violationText(`${embedded ? 'start' : 'commands'}, disk ${done + 1}`, error));
    }
    say(`${done + 1} of ${times}`);
  }
  return { done, bad, figures };
}

type Figures = Record<
  | 'commands at 0 bytes'
  | 'snapshots deleted at 0 bytes'
  | 'files served at 0 bytes'
  | 'files served with space',
  number
>;

/** Serving, building and freeing space with a PostgreSQL elsewhere. */
async function fillBelowCommands(figures: Figures): Promise<readonly string[]> {
  const faults: string[] = [];
  const cluster = await startCluster();
  const database = await createDatabase('template_company', cluster);
  const { token } = await issueToken(database);
  await using disk = await makeSmallDisk(DISK_MB);
  const env: Environment = {
    DATA_DIR: disk.path,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
    SECRET_KEYS: KEY,
    PORT: '0',
    LOG_LEVEL: 'error',
  };
  const objects = join(disk.path, 'objects');
  const command = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { code, stdout, stderr } = await runProgram(args, env);
    if (code !== 0) faults.push(`${args.join(' ')} ended with ${code}: ${stderr.join(' | ')}`);
    return stdout;
  };
  const servers: Program[] = [];
  try {
    const expired = await publishExpired(objects);
    await command('build', '--account', '1');
    if ((await reserveOf(objects)) === 0) faults.push('there is no reserve');
    const before = await serve(env, servers);
    const served = (origin: string): Promise<void> => holdServed(disk, origin, token, figures, faults);
    await served(before);

    const left = await disk.fill();
    if (left !== 0) faults.push(`${left} bytes are left on a disk that is full`);
    const builds = await buildsIn(objects);
    await served(before);
    const refused = await runProgram(['build', '--account', '1'], env);
    const said = refused.stderr.join('\n');
    if (refused.code !== 1 || !/disk .*full/i.test(said))
      faults.push(`build on a full disk ended with ${refused.code}: ${said}`);
    if (/^\{|^ +at /m.test(said)) faults.push(`build on a full disk printed more than words: ${said}`);
    const why = (await command('why', '--account', '1')).join('\n');
    // The store's self-test finds it first, or the spool.
    if (!/FAILED(?:.*\n){1,2}.*The disk (?:of OBJECT_STORE )?is full/.test(why))
      faults.push(`why does not know of the failed build: ${why}`);
    if ((await buildsIn(objects)) !== builds) faults.push('the failed build left files in the store');
    const spools = await fs.readdir(join(disk.path, 'spool', '1'));
    if (spools.length > 0) faults.push(`${spools.length} spools were left`);
    for (const args of [['snapshots', '--account', '1'], ['prune', '--dry-run'], ['scrub'], ['prune']]) {
      // As the disk of a program that others write to: what was freed is taken again.
      await disk.fill();
      await command(...args);
      figures['commands at 0 bytes'] += 1;
    }
    const deleted = await countAbsent(expired);
    if (deleted !== expired.length)
      faults.push(`${deleted} of ${expired.length} expired snapshots were deleted`);
    figures['snapshots deleted at 0 bytes'] += deleted;
    await disk.fill();
    await served(await serve(env, servers));

    await disk.free();
    await command('build', '--account', '1');
    if ((await reserveOf(objects)) === 0) faults.push('the reserve was not made again');
    await served(before);
    return faults;
  } finally {
    await stopAll(servers);
    await database.drop();
    await cluster.stop();
  }
}

/** Publishes snapshots of long ago, each followed by another; gives the folders of those that prune must delete. */
async function publishExpired(objects: string): Promise<readonly string[]> {
  const store = await openFolderStore({ fs, root: objects, randomUuid: randomUUID });
  const now = CLOCK.now();
  for (const age of AGES) {
    const files = new Map(
      ['snapshot', 'costs'].map((name) => [name, Buffer.alloc(EXPIRED_BYTES, `${name} ${age}`)]),
    );
    await publishNow(store, { ...aBuild(`${age} days old`, now - age * DAY, files), account_id: 1n });
  }
  // The one before the newest stays, whatever its age.
  const { entries } = await readLog(store, 1n);
  return entries.slice(0, -1).map(({ prefix }) => join(objects, prefix));
}

async function countAbsent(folders: readonly string[]): Promise<number> {
  const found = await Promise.all(folders.map((folder) => fs.readdir(folder).catch((): string[] => [])));
  return found.filter((names) => !names.includes('costs.parquet')).length;
}

/** The whole program on one disk, its PostgreSQL too: after the fault a person frees space, and does nothing else. */
async function fillBelowStart(figures: Figures): Promise<readonly string[]> {
  const faults: string[] = [];
  await using disk = await makeSmallDisk(EMBEDDED_DISK_MB);
  const programs: Program[] = [];
  try {
    const env = { DATA_DIR: disk.path, PORT: '0', LOG_LEVEL: 'error' };
    const program = startProgram(['start'], env);
    programs.push(program);
    const origin = (await program.said(/^ready /)).replace(/^ready /, '');
    const { TOKEN = '' } = parseEnv(await fs.readFile(join(disk.path, 'demo.env'), 'utf8'));
    const served = (): Promise<void> => holdServed(disk, origin, TOKEN, figures, faults);
    await served();
    await disk.fill();
    await served();
    await keepFull(disk, origin, TOKEN);
    await disk.free();
    const recovered = await within(RECOVER_MS, async () => (await latestOf(origin, TOKEN)).status === 200);
    if (!recovered) faults.push(`nothing is served ${RECOVER_MS / 1000} s after space returned`);
    else await served();
    const ready = await within(RECOVER_MS, async () => (await fetch(`${origin}/readyz`)).status === 200);
    if (!ready) faults.push(`/readyz is not 200 ${RECOVER_MS / 1000} s after space returned`);
    return faults;
  } finally {
    await stopAll(programs);
  }
}

/** Asks for a while, so that the database meets the full disk. */
async function keepFull(disk: SmallDisk, origin: string, token: string): Promise<void> {
  for (let asked = 0; asked < 40; asked += 1) {
    await disk.fill();
    await latestOf(origin, token).catch(() => undefined);
    await sleep(POLL_MS);
  }
}

async function serve(env: Environment, servers: Program[]): Promise<string> {
  const server = startProgram(['serve'], env);
  servers.push(server);
  return (await server.said(/^ready /)).replace(/^ready /, '');
}

const latestOf = (origin: string, token: string): Promise<Response> =>
  fetch(`${origin}/v1/reporting/latest/costs.parquet`, { headers: { authorization: `Bearer ${token}` } });

async function holdServed(
  disk: SmallDisk,
  origin: string,
  token: string,
  figures: Figures,
  faults: string[],
): Promise<void> {
  const before = await disk.left();
  const answer = await latestOf(origin, token);
  const bytes = await answer.arrayBuffer();
  if (answer.status !== 200) {
    faults.push(`latest is ${answer.status}: ${Buffer.from(bytes).toString().slice(0, 200)}`);
    return;
  }
  const isFull = before === 0 && (await disk.left()) === 0;
  figures[isFull ? 'files served at 0 bytes' : 'files served with space'] += 1;
}

async function reserveOf(objects: string): Promise<number> {
  return await fs.stat(join(objects, 'reserve')).then(
    ({ size }) => size,
    () => 0,
  );
}

async function buildsIn(objects: string): Promise<number> {
  const folder = join(objects, 'v1/a/1/s');
  const files = await Promise.all((await fs.readdir(folder)).map((name) => fs.readdir(join(folder, name))));
  return files.flat().length;
}

async function within(limit_ms: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < limit_ms; waited += POLL_MS) {
    if (await holds().catch(() => false)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function stopAll(programs: readonly Program[]): Promise<void> {
  for (const program of programs) program.signal('SIGTERM');
  await Promise.all(programs.map(({ ended }) => ended));
}
