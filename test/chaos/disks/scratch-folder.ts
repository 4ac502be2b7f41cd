/** A folder of a campaign's own, in memory where the machine has such: there an fsync is done and costs nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quickFolder } from '../../support/quick-folder.ts';

export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes the folder; disposing of the result removes it. */
export async function scratchFolder(): Promise<ScratchFolder> {
  const path = await mkdtemp(join(quickFolder(), 'crossfoot-chaos-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
