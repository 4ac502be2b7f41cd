/** Claims a data folder for one running instance; takes over the claim of a dead process. */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrossfootError } from '../errors.ts';
import { processLife } from '../processes.ts';

/** Releases the folder, if it is still ours. */
export type Release = () => Promise<void>;

/** Claims `folder` for this process; throws with the id of the process that has it. */
export async function claimFolder(folder: string): Promise<Release> {
  const claim = join(folder, 'owner.json');
  const mine = JSON.stringify({
    pid: process.pid,
    life: await processLife(process.pid),
    claim: randomUUID(),
  });
  // Write to a temporary file and link it: readers never see half a claim, and only one of two processes succeeds.
  const aside = `${claim}.${randomUUID()}`;
  await writeFile(aside, mine, { mode: 0o600 });
  try {
    while (!(await created(aside, claim))) await removeIfDead(claim, folder);
  } finally {
    await rm(aside, { force: true });
  }
  return async () => {
    if ((await readIfThere(claim)) === mine) await rm(claim, { force: true });
  };
}

async function removeIfDead(claim: string, folder: string): Promise<void> {
  const judged = await readIfThere(claim);
  if (judged === null) return;
  const { pid, life } = parseClaim(judged);
  if (life !== null && (await processLife(pid)) === life) {
    throw new CrossfootError('embedded_in_use', `The data folder ${folder} is in use by process ${pid}.`, {
      hint: `Stop process ${pid}, or set DATA_DIR to another folder.`,
      data: { pid },
    });
  }
  // Another instance may have claimed the folder between the check and the move: check the moved claim again, and put it
  // back if it is not the dead one.
  const moved = `${claim}.${randomUUID()}`;
  await rename(claim, moved).catch(ignoreMissing);
  if ((await readIfThere(moved)) !== judged) await created(moved, claim).catch(ignoreMissing);
  await rm(moved, { force: true });
}

function parseClaim(text: string): { pid: number; life: string | null } {
  try {
    const { pid, life } = JSON.parse(text) as { pid?: unknown; life?: unknown };
    if (typeof pid === 'number' && typeof life === 'string') return { pid, life };
  } catch {
    // A claim truncated by a power cut belongs to no running process.
  }
  return { pid: 0, life: null };
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
