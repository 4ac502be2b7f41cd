/** A folder of a campaign's own, in memory where the machine has such: there an fsync is done and costs nothing. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';

export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes it; it goes with whoever holds it. */
export async function scratchFolder(): Promise<ScratchFolder> {
  const path = await mkdtemp(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'crossfoot-chaos-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
