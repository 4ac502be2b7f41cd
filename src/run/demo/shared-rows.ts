/** Rows that all accounts share: the catalogue, the reference rates and the default assumptions. */
import { fileURLToPath } from 'node:url';
import type { LoadProgress } from '../../ledger/load/files.ts';
import { load } from '../../ledger/load/load.ts';
import type { LoadedTable } from '../../ledger/load/write.ts';

/** The pictures of the README lie beside the catalogue. */
const PICTURES = ['screenshots'];
const CATALOGUE = fileURLToPath(new URL('../../../docs', import.meta.url));
const REFERENCE_ROWS = fileURLToPath(new URL('../../../fixtures/reference', import.meta.url));

/** Loads the help articles, platforms with their guides, templates and pages of the application, as the ledger's owner. */
export async function loadCatalogue(
  ownerUrl: string,
  onProgress: (progress: LoadProgress) => void = () => undefined,
): Promise<readonly LoadedTable[]> {
  return await load({ url: ownerUrl, paths: [CATALOGUE], ignore: PICTURES, mode: 'upsert', onProgress });
}

/**
 * Loads the rows that all accounts share, as the ledger's owner. A row that differs from its file is overwritten; a row
 * without a line in the files stays.
 */
export async function loadSharedRows(
  ownerUrl: string,
  onProgress: (progress: LoadProgress) => void = () => undefined,
): Promise<void> {
  await loadCatalogue(ownerUrl, onProgress);
  await load({ url: ownerUrl, paths: [REFERENCE_ROWS], mode: 'upsert', onProgress });
}
