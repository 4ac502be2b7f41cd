import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the work a folder of its own and removes it afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-parquet-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
