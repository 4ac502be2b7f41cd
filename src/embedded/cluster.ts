/** The files of the embedded PostgreSQL: made once, whole or not at all. */
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { access, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CrossfootError } from '../errors.ts';
import { CHILD_ENVIRONMENT, type Launcher } from './binaries.ts';

export const SUPERUSER = 'postgres';
/** How the name of a data directory begins that initdb has not finished. */
const ATTEMPT = 'data.new';

interface Making {
  readonly folder: string;
  readonly initdb: string;
  readonly launch: Launcher;
  readonly durable: boolean;
}

/** Gives the cluster's data directory and its superuser's password, making both where they are missing. */
export async function ensureCluster(making: Making): Promise<{ data: string; password: string }> {
  const data = join(making.folder, 'data');
  const passwordFile = join(making.folder, 'superuser.password');
  await clearAttempts(making.folder);
  const exists = await access(join(data, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  // The password is on disk before the cluster that demands it, so that no crash can leave one nobody knows.
  if (!exists) await createPassword(passwordFile);
  const password = await readFile(passwordFile, 'utf8');
  if (!exists) await initialise(making, data, passwordFile);
  return { data, password };
}

/** Best effort: what an initdb is still writing to goes at the next start. */
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

/** Runs initdb aside and moves the finished directory into place: half a cluster never bears the name. */
async function initialise(making: Making, data: string, passwordFile: string): Promise<void> {
  // A name of its own for each attempt: the initdb of a killed start may still be writing to the attempt before.
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
    throw new CrossfootError('embedded_failed', `initdb could not make ${data}: ${lastLine(stderr)}`, {
      hint: 'Is the folder writable, and may the current user enter the folder that holds node_modules?',
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
