/** The real file system, but for flushes that do nothing: what a store would be that forgot them. */
import * as promises from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { FileSystem } from '../../../src/store/directories.ts';

/** Which flushes are forgotten. */
export type Forgotten = 'directories' | 'files';

export function unsyncedFileSystem(forgotten: Forgotten): FileSystem {
  const opened = async (...given: Parameters<typeof promises.open>): Promise<FileHandle> => {
    const handle = await promises.open(...given);
    const [, flags] = given;
    const isDirectory = typeof flags === 'number' && (flags & promises.constants.O_DIRECTORY) !== 0;
    if (isDirectory === (forgotten === 'directories')) handle.sync = async () => undefined;
    return handle;
  };
  return { ...promises, open: opened };
}
