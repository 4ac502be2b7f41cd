/** The claim of one running instance on a data folder; a claim whose process is dead is taken over. */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrossfootError } from '../errors.ts';
import { processLife } from '../processes.ts';

/** Gives the folder back, if it is still ours. */
export type Release = () => Promise<void>;

/** Claims `folder` for this process, or refuses naming the process that has it. */
export async function claimFolder(folder: string): Promise<Release> {
  const claim = join(folder, 'owner.json');
  const mine = JSON.stringify({
    pid: process.pid,
    life: await processLife(process.pid),
    claim: randomUUID(),
  });
  // Written aside and linked, so that nobody ever reads half a claim and exactly one of two wins.
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
  // Between the look and the move another instance may have claimed the folder: what was moved is looked at
  // again, and put back when it is not what was judged dead.
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
    // A claim cut off by a power cut belongs to nobody that still runs.
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
