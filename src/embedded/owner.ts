/** Claims a data folder for one running process, by a file that names the process. Replaces the claim of a dead process. */
import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CrossfootError } from '../errors.ts';
import { processLife } from '../processes.ts';

const POLL_MS = 10;
/** Enough to tell one claim from another. */
const NAME_DIGITS = 16;

/** The process that holds a folder, as `owner.json` names it. */
export interface Owner {
  readonly pid: number;
  /** The `processLife` of the process, which a later process with the same id does not have; null in a broken claim. */
  readonly life: string | null;
  /** The id of the claim. */
  readonly claim: string;
  /** True of a program that serves until it is stopped, false of a command that ends by itself. */
  readonly serves: boolean;
}

/** The claim of this process to a folder. */
export interface Claim {
  readonly id: string;
  /** Releases the folder, if it is still ours. */
  readonly release: () => Promise<void>;
}

/** Claims `folder` for this process; throws if a running process holds it, and names that process. */
export async function claimFolder(folder: string, serves: boolean): Promise<Claim> {
  return await claimFile(fileOf(folder), serves, (owner) => {
    throw inUse(folder, owner);
  });
}

async function claimFile(
  file: string,
  serves: boolean,
  onHeld: (owner: Owner) => Promise<void>,
): Promise<Claim> {
  const id = randomUUID();
  const life = await processLife(process.pid);
  const mine = JSON.stringify({ pid: process.pid, life, claim: id, serves } satisfies Owner);
  // Write to a temporary file and link it: readers never see half a claim, and only one of two processes succeeds.
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, mine, { mode: 0o600 });
  try {
    while (!(await created(aside, file))) {
      const text = await readIfThere(file);
      if (text === null) continue;
      const owner = parseClaim(text);
      if (await isRunning(owner)) await onHeld(owner);
      else await removeDead(file, text);
    }
  } finally {
    await rm(aside, { force: true });
  }
  const release = async (): Promise<void> => {
    if ((await readIfThere(file)) === mine) await rm(file, { force: true });
  };
  return { id, release };
}

/**
 * Removes the claim of a dead process. That claim is itself claimed first: between the comparison and the removal, no other
 * process can replace it by a claim of its own.
 */
async function removeDead(file: string, text: string): Promise<void> {
  const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS);
  const { release } = await claimFile(`${file}.${name}`, false, () => sleep(POLL_MS));
  if ((await readIfThere(file)) === text) await rm(file, { force: true });
  await release();
}

/** The running process that holds the folder; null if there is none. */
export async function readOwner(folder: string): Promise<Owner | null> {
  const text = await readIfThere(fileOf(folder));
  const owner = text === null ? null : parseClaim(text);
  return owner !== null && (await isRunning(owner)) ? owner : null;
}

function fileOf(folder: string): string {
  return join(folder, 'owner.json');
}

async function isRunning({ pid, life }: Owner): Promise<boolean> {
  return life !== null && (await processLife(pid)) === life;
}

/** The error for a folder that another process holds and cannot share. */
export function inUse(folder: string, { pid }: Pick<Owner, 'pid'>): CrossfootError {
  return new CrossfootError('embedded_in_use', `The data folder ${folder} is in use by process ${pid}.`, {
    hint: `Stop process ${pid} first. For a ledger of its own, set DATA_DIR to another folder.`,
    data: { pid },
  });
}

function parseClaim(text: string): Owner {
  try {
    const { pid, life, claim, serves } = JSON.parse(text) as Partial<Record<keyof Owner, unknown>>;
    if (typeof pid === 'number' && typeof life === 'string') {
      return { pid, life, claim: String(claim), serves: serves === true };
    }
  } catch {
    // A claim truncated by a power cut belongs to no running process.
  }
  return { pid: 0, life: null, claim: '', serves: false };
}

async function created(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
}
