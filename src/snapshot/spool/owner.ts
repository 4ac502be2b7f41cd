/** The file that names the process of a spool. A spool whose process has ended was left by a killed build. */
import { hostname } from 'node:os';
import { z } from 'zod';
import { processLife } from '../../processes.ts';

/** The file of a spool that names its owner. */
export const OWNER_FILE = 'owner.json';

const owner = z.object({ host: z.string(), pid: z.int(), life: z.string() });

/** The content of the owner file for this process. */
export async function ownerOfThisProcess(): Promise<string> {
  return JSON.stringify({ host: hostname(), pid: process.pid, life: await processLife(process.pid) });
}

/**
 * True if the owner ran on this machine and has ended. False in any other case, also for an owner on another machine or in
 * another container, whose process cannot be seen from here.
 */
export async function isDead(text: string): Promise<boolean> {
  const named = owner.safeParse(parsed(text));
  if (!named.success || named.data.host !== hostname()) return false;
  return (await processLife(named.data.pid)) !== named.data.life;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // truncated by a kill or a full disk: it names no owner
  }
}
