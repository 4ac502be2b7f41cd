/** The fixture company: what a first start finds in the embedded database. */
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadProgress } from '../../ledger/load/files.ts';
import { load } from '../../ledger/load/load.ts';
import { loadCatalogue, loadSharedRows } from './shared-rows.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures', import.meta.url));
/** The company, a small account, and one whose plan lacks API access. */
const FOLDERS = ['company', 'second', 'no-api'];

/** Loads every folder of the fixtures as the ledger's owner, what all accounts share first; what is there already stays. */
export async function loadDemoLedger(
  ownerUrl: string,
  onProgress: (progress: LoadProgress) => void = () => undefined,
): Promise<void> {
  await loadSharedRows(ownerUrl, onProgress);
  for (const folder of FOLDERS) {
    await load({ url: ownerUrl, folder: join(FIXTURES, folder), mode: 'upsert', onProgress });
  }
}

interface FirstLoad {
  readonly dataDir: string;
  readonly ownerUrl: string;
  readonly holdsAccounts: () => Promise<boolean>;
  /** Called before anything is loaded. */
  readonly onLoading: () => void;
  readonly onProgress?: (progress: LoadProgress) => void;
}

/**
 * Loads the fixtures into a ledger without accounts, and the catalogue into any: its articles describe this very
 * program, which may have been upgraded since. Each folder is a transaction of its own: a mark stands in the
 * data folder until the last one is in, so that a first start that was killed is finished by the next.
 */
export async function loadDemoLedgerOnce({
  dataDir,
  ownerUrl,
  holdsAccounts,
  onLoading,
  onProgress,
}: FirstLoad): Promise<void> {
  const mark = join(dataDir, 'demo.loading');
  if (!(await exists(mark)) && (await holdsAccounts())) {
    await loadCatalogue(ownerUrl, onProgress);
    return;
  }
  onLoading();
  await writeFile(mark, '', { flush: true });
  await loadDemoLedger(ownerUrl, onProgress);
  await rm(mark);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
