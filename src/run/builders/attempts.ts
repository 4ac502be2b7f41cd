/**
 * Records of the last builds of each account on this machine: `<DATA_DIR>/attempts/<account>/<began>.json`. A build writes
 * its record at the start and at every step, so that the record of a killed build shows how far it came.
 */
import { hostname } from 'node:os';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { processLife } from '../../processes.ts';
import { formatInstant } from '../../time.ts';
import { instantText } from '../../snapshot/format/instant-text.ts';
import { leftOutAmounts } from '../../snapshot/format/manifest.ts';
import { hasCode } from '../../store/directories.ts';
import { ATTEMPTS_KEPT } from '../limits.ts';

const attempt = z.object({
  account_id: z.string().regex(/^[1-9]\d*$/),
  began_at: instantText,
  /** Null while the build runs, and forever if it was killed. */
  ended_at: instantText.nullable(),
  host: z.string(),
  pid: z.int(),
  /** Tells the process from a later one with the same pid (see `processLife`); null if it is not known. */
  life: z.string().nullable(),
  /** What started the build; null in an older record. */
  started_by: z.enum(['night', 'queue', 'hand']).nullable().default(null),
  /** When the last table was written, and when the audit passed; null before that, and in an older record. */
  tables_at: instantText.nullable().default(null),
  audited_at: instantText.nullable().default(null),
  /** The last step that the build reached. */
  step: z.enum(['start', 'tables', 'audit', 'publish', 'done']),
  tables_written: z.int(),
  /** Each written table, in the order in which they ended; none in an older record. */
  tables: z.array(z.object({ name: z.string(), rows: z.int(), bytes: z.int(), ms: z.number() })).default([]),
  last_table: z.string().nullable(),
  outcome: z.enum(['running', 'published', 'superseded', 'skipped', 'failed']),
  snapshot_id: z.string().nullable(),
  /** Amounts that no total includes; null if there are none, or in an older record. */
  left_out: leftOutAmounts.nullable().default(null),
  /** The folder with the files of a refused build. */
  kept: z.string().nullable(),
  failure: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string().nullable(),
      /** The facts behind the message of a catalogued error; older records have none. */
      data: z.record(z.string(), z.unknown()).optional(),
      /** Classes and codes of the error and its causes. */
      error: z.string().nullable(),
    })
    .nullable(),
});

export type Attempt = z.infer<typeof attempt>;

/** The record in the form of its file and of `why --json`. */
export function attemptAsJson(record: Attempt) {
  return z.encode(attempt, record);
}

/** Writes the record atomically, and removes all but the newest records of its account. */
export async function writeAttempt(dataDir: string, record: Attempt): Promise<void> {
  const folder = folderOf(dataDir, record.account_id);
  await mkdir(folder, { recursive: true, mode: 0o750 });
  const path = join(folder, fileName(record));
  await writeFile(`${path}.part`, `${JSON.stringify(attemptAsJson(record), null, 2)}\n`, { mode: 0o640 });
  await rename(`${path}.part`, path);
  const names = (await readdir(folder)).toSorted();
  for (const name of names.slice(0, Math.max(0, names.length - ATTEMPTS_KEPT))) {
    await rm(join(folder, name), { force: true });
  }
}

/** The records of an account, newest first, and the names of files that are not valid records. */
export async function readAttempts(
  dataDir: string,
  account_id: string,
): Promise<{ readonly attempts: readonly Attempt[]; readonly unreadable: readonly string[] }> {
  const folder = folderOf(dataDir, account_id);
  const attempts: Attempt[] = [];
  const unreadable: string[] = [];
  for (const name of (await namesIn(folder)).filter((each) => each.endsWith('.json')).toReversed()) {
    const read = attempt.safeParse(parsed(await readFile(join(folder, name), 'utf8')));
    if (read.success) attempts.push(read.data);
    else unreadable.push(join(folder, name));
  }
  return { attempts, unreadable };
}

/** `died`: the process ended without recording how. */
export type Fate = Attempt['outcome'] | 'died';

/** The outcome of a build. If the record says `running` but its process has ended, the outcome is `died`. */
export async function fateOf({ outcome, host, pid, life }: Attempt): Promise<Fate> {
  // A process on another machine that shares the folder cannot be checked.
  if (outcome !== 'running' || host !== hostname()) return outcome;
  const now = await processLife(pid);
  return now !== null && (life === null || now === life) ? 'running' : 'died';
}

/** The accounts with records, by ascending id. */
export async function attemptedAccounts(dataDir: string): Promise<readonly string[]> {
  const names = (await namesIn(join(dataDir, 'attempts'))).filter((name) => /^[1-9]\d*$/.test(name));
  return names.toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
}

function folderOf(dataDir: string, account_id: string): string {
  return join(dataDir, 'attempts', account_id);
}

// Names sort by instant; the process id separates two builds of one microsecond.
function fileName({ began_at, pid }: Attempt): string {
  return `${formatInstant(began_at).replaceAll(/[-:.]/g, '')}-${pid}.json`;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
