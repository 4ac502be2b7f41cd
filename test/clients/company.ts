/** The fixture company as the clients meet it: a served program with two published versions, of which the first is pinned. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { z } from 'zod';

const TOP = resolve(import.meta.dirname, '../..');
const COSTS = join(TOP, 'fixtures/company/cost_entries.csv');
const PIN = 'close-2026-10';
/** A minute of clients that read every table in four ways is more than a token may ask by default. */
const UNLIMITED = { TOKEN_REQUESTS_PER_MINUTE: '1000000', ADDRESS_REQUESTS_PER_MINUTE: '1000000' };

const manifest = z.object({
  snapshot_id: z.string(),
  generated_at: z.string(),
  tables: z.array(z.object({ name: z.string(), row_count: z.number() })),
});
const links = z.object({ links: z.array(z.object({ name: z.string(), url: z.string() })) });

type Manifest = z.infer<typeof manifest>;

export interface Company extends AsyncDisposable {
  /** The variables that snippets and runs read. */
  readonly env: Readonly<Record<string, string>>;
  /** The rows of `costs` in the newest version. */
  readonly rows: string;
  /** Version 1, which is pinned, and version 2. */
  readonly first: Manifest;
  readonly second: Manifest;
  /** The body of an address below the API. */
  readonly get: (path: string) => Promise<string>;
  /** Runs a command of this program. */
  readonly command: (...args: readonly string[]) => void;
}

/** Starts the program in that folder, publishes its second version and pins the first. */
export async function openCompany(folder: string): Promise<Company> {
  await using started = new AsyncDisposableStack();
  started.adopt(await start(folder), stop);
  const demo = parseEnv(readFileSync(join(folder, 'demo.env'), 'utf8'));
  const { BASE_URL = '', REPORTING_TOKEN: TOKEN = '' } = demo;

  async function get(path: string): Promise<string> {
    // A command blocks this process for longer than the server keeps a connection.
    const headers = { authorization: `Bearer ${TOKEN}`, connection: 'close' };
    const answer = await fetch(`${BASE_URL}${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return await answer.text();
  }
  function command(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('node', [join(TOP, 'src/cli.ts'), ...args], {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: folder, LOG_LEVEL: 'warn', CROSSFOOT_TOKEN: TOKEN },
    });
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  }
  const latest = async (): Promise<Manifest> => manifest.parse(JSON.parse(await get('/reporting/latest')));

  const first = await latest();
  command('pin', first.snapshot_id, '--account', '1', '--name', PIN);
  command('load', editedCosts(folder), '--mode', 'upsert', '--delete-missing');
  command('build', '--account', '1');
  // The server reads the log and the pins again within seconds.
  await until(async () => (await latest()).snapshot_id !== first.snapshot_id);
  const second = await latest();
  const pins = (): Promise<string> => get(`/reporting/snapshots/${first.snapshot_id}`);
  await until(async () => (await pins()).includes(PIN));
  const snapshot = `/reporting/snapshots/${second.snapshot_id}`;
  const { links: linked } = links.parse(JSON.parse(await get(`${snapshot}/links`)));
  const profile = join(folder, 'profile.json');
  const endpoint = `${BASE_URL.replace(/\/v1$/, '')}/delta-sharing`;
  writeFileSync(profile, JSON.stringify({ shareCredentialsVersion: 1, endpoint, bearerToken: TOKEN }));
  const env = {
    BASE_URL,
    TOKEN,
    SNAPSHOT_URL: `${BASE_URL}${snapshot}`,
    LINK: linked.find(({ name }) => name === 'costs')?.url ?? '',
    PROFILE: profile,
    PIN,
    FIRST: first.snapshot_id,
    SECOND: second.snapshot_id,
    // A second after version 1, before version 2.
    MOMENT: new Date(Date.parse(first.generated_at) + 1_000).toISOString(),
    ROWS: JSON.stringify({ [first.snapshot_id]: rowsOf(first), [second.snapshot_id]: rowsOf(second) }),
  };
  const moved = started.move();
  return {
    env,
    rows: String(rowsOf(second)['costs']),
    first,
    second,
    get,
    command,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

function rowsOf({ tables }: Manifest): Readonly<Record<string, number>> {
  return Object.fromEntries(tables.map(({ name, row_count }) => [name, row_count]));
}

async function start(folder: string): Promise<ChildProcess> {
  const program = spawn('node', [join(TOP, 'src/cli.ts'), 'start'], {
    env: { ...process.env, ...UNLIMITED, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(program.stdout)) {
    if (line.includes('demo.env')) break;
  }
  return program;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let left = 120; left > 0; left -= 1) {
    if (await holds()) return;
    await sleep(500);
  }
  throw new Error('the server did not see what was published within a minute');
}

async function stop(program: ChildProcess): Promise<void> {
  const ended = new Promise((end) => program.once('exit', end));
  program.kill('SIGTERM');
  await ended;
}

/** The costs with one a cent dearer, one gone, and one new: the change feed has a row of each kind. */
function editedCosts(folder: string): string {
  const lines = readFileSync(COSTS, 'utf8').split('\n');
  const gone = lines.find((line) => line.startsWith('1,3087,')) ?? '';
  const edited = lines
    .filter((line) => line !== gone)
    .map((line) => line.replace(/^(1,3086,114),2000,/, '$1,2001,'));
  const added = gone.replace('1,3087,117,6000,', '1,3999,117,12345,');
  const path = join(folder, 'edited', 'cost_entries.csv');
  mkdirSync(join(folder, 'edited'));
  writeFileSync(path, [...edited.filter((line) => line !== ''), added, ''].join('\n'));
  return path;
}
