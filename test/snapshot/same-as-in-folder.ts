/** A store held to the folder: the same moment of the same ledger gives the same files. */
import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { TABLES } from '../../src/tables/all.ts';
import type { BuildYard, Served } from './real-build.ts';

/** Builds the yard's moment into its folder and into `store`, and compares what is served from both, to the byte. */
export async function sameAsInFolder(yard: BuildYard, store: Store): Promise<void> {
  await yard.build();
  await yard.build({ store });
  const [folder, other] = [await yard.served(), await yard.served(1n, store)];
  expect(digestsOf(folder)).toHaveLength(TABLES.length);
  expect(digestsOf(other)).toEqual(digestsOf(folder));
  for (const [name, bytes] of folder?.bytes ?? []) {
    expect(other?.bytes.get(name)?.equals(bytes), name).toBe(true);
  }
}

function digestsOf(served: Served | null): readonly string[] {
  return (served?.tables ?? []).map(({ name, sha256, row_count }) => `${name} ${row_count} ${sha256}`);
}
