/** The real server over the fixture company, with two published snapshots, every file that it opens written down. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asOwner } from '../../src/run/as-owner.ts';
import { openObjectStore } from '../../src/run/object-store.ts';
import { readSettings } from '../../src/config.ts';
import { findIssuer, insertToken } from '../../src/ledger/tokens.ts';
import { makeToken, type TokenKind, tokenMarks } from '../../src/serve/auth/token.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { type FixtureDatabase, openFixtureDatabase } from './fixture-database.ts';
import { openedSince } from './opened-files.ts';
import { SEED } from '../support/signing.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const TRACED = 'openat,openat2,open,creat';
// strace writes what it has seen a moment later.
const WRITTEN_MS = 1_000;

export interface FuzzedServer extends AsyncDisposable {
  readonly port: number;
  readonly tokens: readonly [personal: string, ...others: string[]];
  readonly snapshots: readonly [string, ...string[]];
  /** Why it ended; undefined while it runs. */
  ended(): string | undefined;
  /** Resident memory and open descriptors. */
  holds(): Promise<{ readonly bytes: number; readonly descriptors: number }>;
  /** What is opened until now is the business of a start. */
  watchFiles(): Promise<void>;
  /**
   * What was opened since: how often, and each path that is neither its store, its spool, its own code nor the
   * kernel's; null where there is no strace.
   */
  openedFiles(): Promise<{ readonly opened: number; readonly elsewhere: readonly string[] } | null>;
}

/** Loads, builds twice and serves, with limits that no run reaches. */
export async function startFuzzed(): Promise<FuzzedServer> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'crossfoot-fuzz-')));
  let database: FixtureDatabase | undefined;
  try {
    database = await openFixtureDatabase(root);
    return await serveOver(root, database);
  } catch (error) {
    await database?.stop();
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

async function serveOver(root: string, database: FixtureDatabase): Promise<FuzzedServer> {
  const { logins } = database;
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: root,
    LEDGER_URL: logins.cf_reader,
    DATABASE_URL: logins.cf_service,
    SECRET_KEYS: 'a key of thirty-two characters or more',
    SIGNING_KEYS: SEED,
    PORT: '0',
    ADDRESS_REQUESTS_PER_MINUTE: '999999999',
    TOKEN_REQUESTS_PER_MINUTE: '999999999',
    LOG_LEVEL: 'error',
  };
  for (let builds = 0; builds < 2; builds += 1) {
    await promisify(execFile)(process.execPath, ['src/cli.ts', 'build', '--account', '1'], { cwd: TOP, env });
  }
  const { entries } = await readLog(await openObjectStore(readSettings({ DATA_DIR: root })), 1n);
  const [first, ...later] = entries.map(({ snapshot_id }) => snapshot_id);
  if (first === undefined) throw new Error('nothing was published');
  const tokens = await issueTokens(logins.cf_owner);

  const trace = join(root, 'opened.txt');
  const traced = (await hasProgram('strace'))
    ? ['strace', '-f', '-D', '-qq', '--seccomp-bpf', '-e', `trace=${TRACED}`, '-o', trace]
    : [];
  const [program, ...args] = [...traced, process.execPath, 'src/cli.ts', 'serve'];
  const child = spawn(program, args, { cwd: TOP, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  const port = await portOf(child, said);
  let since = 0;
  const fence = [
    join(root, 'heads'),
    join(root, 'objects'),
    join(root, 'spool'),
    TOP,
    '/proc/',
    '/sys/',
    '/dev/null',
    '/dev/urandom',
  ];

  return {
    port,
    tokens,
    snapshots: [first, ...later],
    ended: () =>
      child.exitCode === null && child.signalCode === null
        ? undefined
        : `the server ended with ${child.exitCode ?? child.signalCode}: ${said.slice(-5).join('; ')}`,
    holds: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      const descriptors = (await readdir(`/proc/${child.pid}/fd`)).length;
      return { bytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024, descriptors };
    },
    watchFiles: async () => {
      await sleep(WRITTEN_MS);
      if (traced.length > 0) since = (await stat(trace)).size;
    },
    openedFiles: async () => {
      await sleep(WRITTEN_MS);
      return traced.length === 0 ? null : openedSince(trace, since, fence);
    },
    [Symbol.asyncDispose]: async () => {
      const exited = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await exited;
      await database.stop();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function issueTokens(ownerUrl: string): Promise<[string, ...string[]]> {
  return asOwner({ ownerUrl }, 'crossfoot fuzz', async (owner) => {
    const issue = async (account_id: bigint, kind: TokenKind): Promise<string> => {
      const issued_by_id = await findIssuer(owner, account_id);
      if (issued_by_id === null) throw new Error(`account ${account_id} has no person who may issue a token`);
      const token = makeToken(kind, randomBytes(32));
      await insertToken(owner, { account_id, kind, name: 'fuzz', issued_by_id, ...tokenMarks(token) });
      return token;
    };
    return [
      await issue(1n, 'personal'),
      await issue(1n, 'reporting'),
      await issue(2n, 'personal'),
      await issue(3n, 'personal'),
      makeToken('personal', randomBytes(32)),
    ];
  });
}

async function portOf(child: ChildProcess, said: string[]): Promise<number> {
  const ready = Promise.withResolvers<number>();
  child.once('exit', (code) => ready.reject(new Error(`the server ended with ${code}: ${said.join('; ')}`)));
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      said.push(line);
      if (said.length > 100) said.shift(); // only its last words are asked for
      const [, port] = /^ready \S+:(\d+)$/.exec(line) ?? [];
      if (port !== undefined) ready.resolve(Number(port));
    });
  }
  return ready.promise;
}

/** Whether a program of that name can be started. */
async function hasProgram(name: string): Promise<boolean> {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  const found = await Promise.all(
    places.map((place) =>
      access(join(place, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
