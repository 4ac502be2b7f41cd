/** A second server that replays what a cluster does and lets others read: a hot standby over loopback. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentUser, findBinaries, findLauncher } from '../../src/embedded/binaries.ts';
import { startServer } from '../../src/embedded/server.ts';
import { type Cluster, type ServerSettings, SETTINGS, type StartedCluster, asAdmin } from './cluster.ts';

/** What a cluster must be started with before a standby can follow it. */
export const FOLLOWED: ServerSettings = { wal_level: 'replica', max_wal_senders: '4' };

const POLL_MS = 20;
const REPLAY_MS = 120_000;

export interface Standby extends AsyncDisposable {
  readonly primary: Cluster;
  readonly standby: Cluster;
  /** The same URL, leading to the standby. */
  at(url: string): string;
  /** Resolves once the standby has replayed what the primary has done by now. */
  untilReplayed(): Promise<void>;
}

/** Copies the cluster, which was started to be followed, and lets the copy follow it; disposing of the result ends it. */
export async function startStandby(cluster: StartedCluster, settings: ServerSettings): Promise<Standby> {
  await using made = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-standby-'));
  made.defer(() => rm(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  await cluster.copyData(data);
  await writeFile(join(data, 'standby.signal'), '');
  const primary = onPort(cluster, cluster.port());
  const server = await startServer({
    folder,
    data,
    postgres: findBinaries().postgres,
    launch: await findLauncher(currentUser()),
    settings: {
      ...SETTINGS,
      ...FOLLOWED,
      ...settings,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      // Recovery ends where a standby allows fewer than the server that it follows.
      max_connections: '250',
      timezone: 'UTC',
      fsync: 'off',
      primary_conninfo: conninfo(new URL(primary.adminUrl)),
      wal_retrieve_retry_interval: '100ms',
    },
  });
  made.defer(() => server.stop());
  const { port } = server;
  const standby = onPort(cluster, port);
  const all = made.move();
  return {
    primary,
    standby,
    at: (url) => onPortOf(url, port),
    async untilReplayed() {
      const done = await ask(primary, 'select pg_current_wal_insert_lsn()::text as said');
      const replayed = `select (pg_last_wal_replay_lsn() >= '${done}')::text as said`;
      for (let waited = 0; (await ask(standby, replayed)) !== 'true'; waited += POLL_MS) {
        if (waited > REPLAY_MS) throw new Error(`the standby has not replayed ${done}`);
        await sleep(POLL_MS);
      }
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function conninfo({ hostname, port, username, password }: URL): string {
  return `host=${hostname} port=${port} user=${username} password=${password}`;
}

/** The same logins on a server of that port. */
export function onPort({ adminUrl, logins }: Cluster, port: number): Cluster {
  const moved = Object.entries(logins).map(([login, url]) => [login, onPortOf(url, port)]);
  return { adminUrl: onPortOf(adminUrl, port), logins: Object.fromEntries(moved) as Cluster['logins'] };
}

function onPortOf(url: string, port: number): string {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
}

async function ask({ adminUrl }: Cluster, question: string): Promise<string | undefined> {
  return await asAdmin(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ said: string }>(question);
    return rows[0]?.said;
  });
}
