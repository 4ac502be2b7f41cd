/** Claims a data folder for one running instance; takes over the claim of a dead process. */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrossfootError } from '../errors.ts';
import { processLife } from '../processes.ts';

/** The process that has a folder, as `owner.json` names it. */
export interface Owner {
  readonly pid: number;
  /** Of this process alone, also after its id is used again; null in a broken claim. */
  readonly life: string | null;
  /** The id of the claim. */
  readonly claim: string;
  /** True of a program that serves until it is stopped, false of a command that ends by itself. */
  readonly serves: boolean;
}

/** A folder that this process has. */
export interface Claim {
  readonly id: string;
  /** Releases the folder, if it is still ours. */
  readonly release: () => Promise<void>;
}

/** Claims `folder` for this process; throws with the id of the process that has it. */
export async function claimFolder(folder: string, serves: boolean): Promise<Claim> {
  const claim = claimFile(folder);
  const id = randomUUID();
  const mine = JSON.stringify({
    pid: process.pid,
    life: await processLife(process.pid),
    claim: id,
    serves,
  } satisfies Owner);
  // Write to a temporary file and link it: readers never see half a claim, and only one of two processes succeeds.
  const aside = `${claim}.${randomUUID()}`;
  await writeFile(aside, mine, { mode: 0o600 });
  try {
    while (!(await created(aside, claim))) await removeIfDead(claim, folder);
  } finally {
    await rm(aside, { force: true });
  }
  const release = async (): Promise<void> => {
    if ((await readIfThere(claim)) === mine) await rm(claim, { force: true });
  };
  return { id, release };
}

/** The running process that has the folder; null if none has it. */
export async function readOwner(folder: string): Promise<Owner | null> {
  const text = await readIfThere(claimFile(folder));
  const owner = text === null ? null : parseClaim(text);
  return owner !== null && (await isRunning(owner)) ? owner : null;
}

function claimFile(folder: string): string {
  return join(folder, 'owner.json');
}

async function isRunning({ pid, life }: Owner): Promise<boolean> {
  return life !== null && (await processLife(pid)) === life;
}

async function removeIfDead(claim: string, folder: string): Promise<void> {
  const judged = await readIfThere(claim);
  if (judged === null) return;
  const owner = parseClaim(judged);
  if (await isRunning(owner)) throw inUse(folder, owner);
  // Another instance may have claimed the folder between the check and the move: check the moved claim again, and put it
  // back if it is not the dead one.
  const moved = `${claim}.${randomUUID()}`;
  await rename(claim, moved).catch(ignoreMissing);
  if ((await readIfThere(moved)) !== judged) await created(moved, claim).catch(ignoreMissing);
  await rm(moved, { force: true });
}

/** The error of a folder that another process has, and cannot share. */
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
    ignoreMissing(error);
    return null;
  });
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
