/** A store held to the folder: the same moment of the same ledger gives the same files. */
import type { Store } from '../../../src/store/store.ts';
import { TABLES } from '../../../src/tables/all.ts';
import type { BuildHarness } from './real-build.ts';

/** Builds the harness's moment into its folder and into `store`: the tables that are not served alike, to the byte. */
export async function unlikeInFolder(harness: BuildHarness, store: Store): Promise<readonly string[]> {
  await harness.build();
  await harness.build({ store });
  const [folder, other] = [await harness.served(), await harness.served(1n, store)];
  return TABLES.map(({ name }) => name).filter((name) => {
    const [a, b] = [folder, other].map((served) => served?.tables.find((table) => table.name === name));
    const [bytes, same] = [folder?.bytes.get(name), other?.bytes.get(name)];
    const alike = a !== undefined && a.sha256 === b?.sha256 && a.row_count === b.row_count;
    return !alike || bytes === undefined || same?.equals(bytes) !== true;
  });
}
