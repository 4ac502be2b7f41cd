/**
 * `npm run campaign -- soak --minutes 30`: one server, read without a pause, while builds, prunes and scrubs run beside
 * it. Prints how memory, descriptors, sessions of the database and temporary files went, and exits 1 when any of them
 * rose, when an answer was neither right nor a refusal to be asked so often, or when a command failed.
 */
import { randomBytes } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findIssuer, insertToken } from '../../src/ledger/tokens.ts';
import { makeToken, tokenMarks } from '../../src/serve/auth/token.ts';
import { Folder } from '../commands/instances.ts';
import { asAdmin, startCluster } from '../support/cluster.ts';
import { createDatabase } from '../support/database.ts';
import { readWhole } from './reading.ts';
import { type Sample, slopeOf } from './slopes.ts';
import { SEED } from '../support/signing.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const seconds = Number(values.minutes) * 60;
const LOOK_MS = 2_000;
const READERS = 3;
/** Caches fill and pools open at first; what rises afterwards would rise for ever. */
const WARM = 0.25;
const PAGE_BYTES = 4_096;
/**
 * Megabytes of heap that the server may have, three times what it needs. Without a limit, a garbage collector lets its
 * heap grow for a while because the machine has memory, and that looks like a leak; a leak does not survive this one.
 */
const HEAP_MB = 128;
/** What each may gain in the time that is looked at: a garbage collection more or less, one reader more or less. */
const MAY_GAIN = { 'memory, MB': 48, descriptors: 8, sessions: 4, 'temporary files': 4 } as const;
type Measured = keyof typeof MAY_GAIN;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const cluster = await startCluster();
try {
  const database = await createDatabase('template_company', cluster);
  await using folder = await Folder.make();
  const env = {
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
    OWNER_URL: database.url('cf_owner'),
    SECRET_KEYS: 'the key of a server that is read for long',
    TOKEN_REQUESTS_PER_MINUTE: '100000',
    ADDRESS_REQUESTS_PER_MINUTE: '100000',
  };
  const wrong: string[] = [];
  const counts = { files: 0, builds: 0, prunes: 0, scrubs: 0 };
  const over = new AbortController();

  async function command(args: readonly string[], counted: keyof typeof counts): Promise<void> {
    const { code, stderr } = await folder.run(args, env).ended;
    if (code !== 0) wrong.push(`crossfoot ${args.join(' ')}: ${code}, ${stderr.at(-1)}`);
    counts[counted] += 1;
  }

  const owner = await database.client('cf_owner');
  const token = makeToken('reporting', randomBytes(32));
  const issued_by_id = (await findIssuer(owner, 1n)) ?? 0n;
  const named = { account_id: 1n, kind: 'reporting', name: 'soak', issued_by_id } as const;
  await insertToken(owner, { ...named, ...tokenMarks(token) });
  await command(['build', '--account', '1'], 'builds');

  const server = folder.run(['serve'], { ...env, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
  const baseUrl = `${(await server.said(/^ready /)).replace('ready ', '')}/v1`;
  const read = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { files, bad } = await readWhole(baseUrl, token);
      counts.files += files;
      wrong.push(...bad);
    }
  };
  const keepHouse = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await command(['build', '--account', '1'], 'builds');
      await command(['prune'], 'prunes');
      await command(['scrub'], 'scrubs');
    }
  };
  const busy = Promise.all([keepHouse(), ...Array.from({ length: READERS }, read)]);

  const temporary = async (): Promise<number> => {
    const folders = [join(folder.path, 'store', 'tmp'), join(folder.path, 'spool', '1')];
    const names = await Promise.all(folders.map((path) => readdir(path).catch(() => [])));
    return names.flat().length;
  };
  const sessions = (): Promise<number> =>
    asAdmin(cluster.adminUrl, async (admin) => {
      const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [
        database.name,
      ]);
      return rowCount ?? 0;
    });
  const samples: Record<Measured, Sample[]> = {
    'memory, MB': [],
    descriptors: [],
    sessions: [],
    'temporary files': [],
  };
  const began = performance.now();
  for (let at = 0; at < seconds; at = (performance.now() - began) / 1000) {
    await sleep(LOOK_MS);
    if (at < seconds * WARM) continue;
    const pages = Number((await readFile(`/proc/${server.pid}/statm`, 'utf8')).split(' ')[1]);
    const look: Record<Measured, number> = {
      'memory, MB': (pages * PAGE_BYTES) / 1e6,
      descriptors: (await readdir(`/proc/${server.pid}/fd`)).length,
      sessions: await sessions(),
      'temporary files': await temporary(),
    };
    for (const [name, value] of Object.entries(look)) samples[name as Measured].push({ seconds: at, value });
  }
  over.abort();
  await busy;
  server.signal('SIGTERM');
  await server.ended;
  await database.drop();

  say(
    `${values.minutes} minutes: ${counts.files} files and lists read, ${counts.builds} builds, ${counts.prunes} prunes, ${counts.scrubs} scrubs`,
  );
  for (const [name, most] of Object.entries(MAY_GAIN)) {
    const { first, last, per_hour, gained } = slopeOf(samples[name as Measured]);
    const line = `${name}: ${first.toFixed(0)} to ${last.toFixed(0)}, ${per_hour.toFixed(1)} an hour by its slope`;
    say(line);
    if (gained > most) wrong.push(`${line}: it rises`);
  }
  for (const sentence of wrong.slice(0, 20)) say(`bad: ${sentence}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await cluster.stop();
}
