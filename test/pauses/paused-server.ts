/** A seeded account with two snapshots, and servers over it that tell their longest pause. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readSettings } from '../../src/config.ts';
import { findIssuer, insertToken } from '../../src/ledger/tokens.ts';
import { asOwner } from '../../src/run/as-owner.ts';
import { openObjectStore } from '../../src/run/object-store.ts';
import { makeToken, tokenMarks } from '../../src/serve/auth/token.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { type FixtureDatabase, openFixtureDatabase } from '../fuzz/fixture-database.ts';
import { SEED } from '../support/signing.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
/** The unit of processor times in /proc. */
const TICK_MS = 10;
const HEARTBEAT = new URL('heartbeat.ts', import.meta.url).href;

export interface Tenant {
  readonly account_id: bigint;
  readonly token: string;
  readonly snapshots: readonly [newest: string, before: string];
  readonly initiative: string;
}

export interface Seeded extends AsyncDisposable {
  readonly large: Tenant;
  /** The fixture company, which has a few rows. */
  readonly small: Tenant;
  serve(): Promise<PausedServer>;
}

export interface PausedServer extends AsyncDisposable {
  readonly origin: string;
  /** The longest pause since the call before, in milliseconds. */
  longest(): Promise<number>;
  /** Milliseconds of a fixed piece of work in the server's process. */
  calibrate(): Promise<number>;
  /** Resident megabytes. */
  resident(): Promise<number>;
  /** Milliseconds of processor time since its start. */
  spent(): Promise<number>;
}

/** Seeds an account of so many costs, and publishes two snapshots of it. */
export async function openSeeded(rows: number): Promise<Seeded> {
  const root = await mkdtemp(join(tmpdir(), 'crossfoot-pauses-'));
  const database = await openFixtureDatabase(join(root, 'postgres'));
  const close = async (): Promise<void> => {
    await database.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { ...(await seededOver(root, database, rows)), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function seededOver(
  root: string,
  { logins }: FixtureDatabase,
  rows: number,
): Promise<Omit<Seeded, typeof Symbol.asyncDispose>> {
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: root,
    LEDGER_URL: logins.cf_reader,
    DATABASE_URL: logins.cf_service,
    OWNER_URL: logins.cf_owner,
    SECRET_KEYS: 'a key of thirty-two characters or more',
    SIGNING_KEYS: SEED,
    PORT: '0',
    ADDRESS_REQUESTS_PER_MINUTE: '999999999',
    TOKEN_REQUESTS_PER_MINUTE: '999999999',
    LOG_LEVEL: 'error',
  };
  const run = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [...args], { cwd: TOP, env })).stdout;
  const seeded = await run('tools/seed.ts', '--rows', String(rows), '--seed', '1');
  const account_id = BigInt(/account (\d+)/.exec(seeded)?.[1] ?? 0);
  const tenant = async (id: bigint, builds: number): Promise<Tenant> => {
    for (let built = 0; built < builds; built += 1) await run('src/cli.ts', 'build', '--account', String(id));
    const { entries } = await readLog(await openObjectStore(readSettings({ DATA_DIR: root })), id);
    const [newest = '', before = ''] = entries.map(({ snapshot_id }) => snapshot_id).toReversed();
    return await asOwner({ ownerUrl: logins.cf_owner }, 'crossfoot pauses', async (owner) => {
      const issued_by_id = await findIssuer(owner, id);
      if (issued_by_id === null) throw new Error(`account ${id} has no person who may issue a token`);
      const token = makeToken('personal', randomBytes(32));
      await insertToken(owner, {
        account_id: id,
        kind: 'personal',
        name: 'pauses',
        issued_by_id,
        ...tokenMarks(token),
      });
      const { rows: found } = await owner.query(
        'select min(id) as id from ledger.initiatives where account_id = $1',
        [id],
      );
      return {
        account_id: id,
        token,
        snapshots: [newest, before],
        initiative: String((found[0] as { id: bigint }).id),
      };
    });
  };
  const [large, small] = [await tenant(account_id, 2), await tenant(1n, 1)];
  return { large, small, serve: () => startServer(env) };
}

async function startServer(env: NodeJS.ProcessEnv): Promise<PausedServer> {
  const child = spawn(process.execPath, ['--import', HEARTBEAT, 'src/cli.ts', 'serve'], {
    cwd: TOP,
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const origin = await originOf(child);
  const ask = async (what: string): Promise<number> => {
    const answer = once(child, 'message');
    child.send(what);
    return ((await answer)[0] as { ms: number }).ms; // heartbeat.ts sends nothing else
  };
  await ask('longest'); // the pauses of the start
  return {
    origin,
    longest: () => ask('longest'),
    calibrate: () => ask('calibrate'),
    resident: async () =>
      Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    spent: async () => {
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13);
      return (Number(user) + Number(system)) * TICK_MS;
    },
    [Symbol.asyncDispose]: async () => {
      const exited = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function originOf(child: ChildProcess): Promise<string> {
  const ready = Promise.withResolvers<string>();
  child.once('exit', (code) => ready.reject(new Error(`the server ended with ${code}`)));
  if (child.stdout === null) throw new Error('the server has no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, origin] = /^ready (\S+)$/.exec(line) ?? [];
    if (origin !== undefined) ready.resolve(origin);
  });
  return await ready.promise;
}

/** Signs a browser in, and returns its cookie header. */
export async function signIn({ origin }: PausedServer, token: string): Promise<string> {
  const response = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    headers: { origin },
    redirect: 'manual',
  });
  const [cookie = ''] = response.headers.getSetCookie();
  await response.body?.cancel();
  return cookie.split(';')[0] ?? '';
}
