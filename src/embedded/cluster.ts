/** Creates the files of the embedded PostgreSQL (its cluster) once, completely or not at all. */
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { access, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CrossfootError } from '../errors.ts';
import { CHILD_ENVIRONMENT, type Launcher } from './binaries.ts';

export const SUPERUSER = 'postgres';
/** The beginning of the name of an unfinished data directory. */
const ATTEMPT = 'data.new';

interface Making {
  readonly folder: string;
  readonly initdb: string;
  readonly launch: Launcher;
  readonly durable: boolean;
}

/** Returns the cluster's data directory and its superuser's password; creates them if they are missing. */
export async function ensureCluster(making: Making): Promise<{ data: string; password: string }> {
  const data = join(making.folder, 'data');
  const passwordFile = join(making.folder, 'superuser.password');
  await clearAttempts(making.folder);
  const exists = await access(join(data, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  // Store the password before creating the cluster, so that a crash cannot leave a cluster with an unknown password.
  if (!exists) await createPassword(passwordFile);
  const password = await readFile(passwordFile, 'utf8');
  if (!exists) await initialise(making, data, passwordFile);
  return { data, password };
}

/** Deletes unfinished data directories. A running initdb may still write to one: the next start deletes it. */
async function clearAttempts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(ATTEMPT)) continue;
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function createPassword(file: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
}

/** Runs initdb in a temporary directory and renames that when it is complete. */
async function initialise(making: Making, data: string, passwordFile: string): Promise<void> {
  // A new name for each attempt: the initdb of a killed start may still write to the earlier directory.
  const aside = join(making.folder, `${ATTEMPT}${randomUUID()}`);
  const [program, args] = making.launch(making.initdb, [
    `--pgdata=${aside}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    ...(making.durable ? [] : ['--no-sync']),
  ]);
  try {
    await promisify(execFile)(program, args, { env: CHILD_ENVIRONMENT });
  } catch (cause) {
    const { stderr } = cause as { stderr?: string };
    throw new CrossfootError('embedded_failed', `initdb could not create ${data}: ${lastLine(stderr)}`, {
      hint: 'Check that the folder is writable, and that the current user may enter the folder of node_modules.',
      cause,
    });
  }
  await rename(aside, data);
  if (making.durable) await syncFolder(making.folder);
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}

function lastLine(text: string | undefined): string {
  return text?.trim().split('\n').at(-1) ?? 'it said nothing';
}
