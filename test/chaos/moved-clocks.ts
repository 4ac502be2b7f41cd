/** Clocks of a campaign's own to set: a database's, a program's and the store's, by libfaketime and a preloaded module. */
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentUser, findBinaries, findLauncher } from '../../src/embedded/binaries.ts';
import { startServer } from '../../src/embedded/server.ts';
import type { Environment } from '../commands/program.ts';
import { type Cluster, SETTINGS, startCluster } from '../support/cluster.ts';
import { onPort } from '../support/standby.ts';

/** Where Debian, Fedora, Arch and Alpine put it, and a build of one's own. */
const FOLDERS = [
  '/usr/lib/x86_64-linux-gnu/faketime',
  '/usr/lib/aarch64-linux-gnu/faketime',
  '/usr/lib64/faketime',
  '/usr/lib/faketime',
  '/usr/local/lib/faketime',
];
/** That of programs with threads. */
const LIBRARY = 'libfaketimeMT.so.1';
/** Timeouts run by the monotonic clock, which no administrator sets. */
const WALL_CLOCK_ALONE = { DONT_FAKE_MONOTONIC: '1', FAKETIME_DISABLE_SHM: '1', NO_FAKE_STAT: '1' };

/** By how many days each clock is ahead; absent is right. */
export interface Ahead {
  readonly program?: number;
  readonly store?: number;
}

export interface ClockedCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  /** Sets the clock of the server that runs, so many days ahead of right; 0 sets it right. */
  set(days: number): Promise<void>;
}

/** What the machine lacks for it; undefined when it lacks nothing. */
export async function lacksFaketime(): Promise<string | undefined> {
  return libraryPath() === undefined
    ? `there is no ${LIBRARY} in ${FOLDERS.join(', ')} (Debian: apt-get install faketime)`
    : undefined;
}

/** The environment of a program whose clock and store's clock are so far ahead. */
export function clockedProgram({ program = 0, store = 0 }: Ahead): Environment {
  return {
    ...(program === 0 ? {} : { ...preload(), FAKETIME: shift(program) }),
    ...(store === 0
      ? {}
      : {
          NODE_OPTIONS: `--import ${new URL('./disks/moved-disk.ts', import.meta.url).href}`,
          MOVED_DISK_DAYS: String(store),
        }),
  };
}

/** A server with the templates whose clock can be set while it runs. */
export async function startClockedCluster(): Promise<ClockedCluster> {
  await using made = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-clocks-'));
  made.defer(() => rm(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  const right = await startCluster();
  try {
    await right.copyData(data);
  } finally {
    await right.stop();
  }
  const file = join(folder, 'clock');
  const set = async (days: number): Promise<void> => {
    await writeFile(`${file}.new`, shift(days));
    await rename(`${file}.new`, file);
  };
  await set(0);
  // Of our own environment nothing reaches PostgreSQL, so that env brings it.
  const given = { ...preload(), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' };
  const clocked = ['env', ...Object.entries(given).map(([name, value]) => `${name}=${value}`)];
  const launch = await findLauncher(currentUser());
  const server = await startServer({
    folder,
    data,
    postgres: findBinaries().postgres,
    launch: (program, args) => {
      const [first, rest] = launch(program, args);
      const at = [first, ...rest].indexOf(program);
      const words = [first, ...rest].toSpliced(at, 0, ...clocked);
      return [words[0] ?? program, words.slice(1)];
    },
    settings: {
      ...SETTINGS,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '100',
      timezone: 'UTC',
      fsync: 'off',
    },
  });
  made.defer(() => server.stop());
  const all = made.move();
  return { cluster: onPort(right, server.port), set, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

function preload(): Environment {
  return { LD_PRELOAD: libraryPath() ?? '', ...WALL_CLOCK_ALONE };
}

function libraryPath(): string | undefined {
  return FOLDERS.map((folder) => join(folder, LIBRARY)).find((path) => existsSync(path));
}

function shift(days: number): string {
  return `${days < 0 ? '' : '+'}${days}d`;
}
