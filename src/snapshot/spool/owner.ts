/** Which process a spool belongs to, so that the spool of a killed build is told from that of a running one. */
import { hostname } from 'node:os';
import { z } from 'zod';
import { processLife } from '../../processes.ts';

/** The file of a spool that names its owner. */
export const OWNER_FILE = 'owner.json';

const owner = z.object({ host: z.string(), pid: z.int(), life: z.string() });

/** What a spool of this process says of its owner. */
export async function ownerOfThisProcess(): Promise<string> {
  return JSON.stringify({ host: hostname(), pid: process.pid, life: await processLife(process.pid) });
}

/**
 * True for the owner that ran on this machine and has ended. False for any other: a process of another machine, or
 * of another container, cannot be looked at from here.
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
    return null; // cut off by a kill or a full disk: it names no owner
  }
}
