/** Snapshots that several test files read alike: the first file of a run publishes them, and each has a copy. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { inject } from 'vitest';
import { asAdmin } from './cluster.ts';

export interface Kept<Facts> {
  readonly facts: Facts;
  /** The objects of the store, by key. */
  readonly objects: Map<string, Uint8Array>;
}

/** Calls `publish`, unless a test file of this run did so under that name. */
export async function keptObjects<Facts>(
  name: string,
  publish: () => Promise<Kept<Facts>>,
): Promise<Kept<Facts>> {
  const path = join(inject('kept'), name);
  return await asAdmin(inject('cluster').adminUrl, async (admin) => {
    // The lock lasts as long as the session: a second test file waits, and then reads the file.
    await admin.query('select pg_advisory_lock(hashtext($1))', [name]);
    const written = await readFile(path).catch(() => null);
    if (written !== null) return deserialize(written) as Kept<Facts>; // as it was written below
    const made = await publish();
    await writeFile(path, serialize(made));
    return made;
  });
}
