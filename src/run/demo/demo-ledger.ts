/** The fixture company, which the first start loads into the embedded database. */
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadProgress } from '../../ledger/load/files.ts';
import { load } from '../../ledger/load/load.ts';
import { loadCatalogue, loadSharedRows } from './shared-rows.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures', import.meta.url));
/** The folders of the company, of a small account, and of an account whose plan lacks API access. */
const FOLDERS = ['company', 'second', 'no-api'];

/**
 * Loads every folder of the fixtures as the ledger's owner, the shared rows first. A row that differs from its file is
 * overwritten; a row without a line in the files stays.
 */
export async function loadDemoLedger(
  ownerUrl: string,
  onProgress: (progress: LoadProgress) => void = () => undefined,
): Promise<void> {
  await loadSharedRows(ownerUrl, onProgress);
  for (const folder of FOLDERS) {
    await load({ url: ownerUrl, paths: [join(FIXTURES, folder)], mode: 'upsert', onProgress });
  }
}

interface FirstLoad {
  readonly dataDir: string;
  readonly ownerUrl: string;
  readonly holdsAccounts: () => Promise<boolean>;
  /** Called before the load begins. */
  readonly onLoading: () => void;
  readonly onProgress?: (progress: LoadProgress) => void;
}

/**
 * Loads the fixtures into a ledger without accounts, and the catalogue into any ledger: its articles describe the running
 * version of the program. Each folder is one transaction. A marker file in the data folder exists until the last folder is
 * loaded, so that the next start finishes a first start that was killed.
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
