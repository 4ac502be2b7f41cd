/** The fixture company: what a first start finds in the embedded database. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../ledger/load.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
/** What all accounts share comes first; then the company, a small account, and one whose plan lacks API access. */
const FOLDERS = ['reference', 'company', 'second', 'no-api'];

/** Loads every folder of the fixtures into an empty ledger as its owner. */
export async function loadDemoLedger(ownerUrl: string): Promise<void> {
  for (const folder of FOLDERS) {
    await load({ url: ownerUrl, folder: join(FIXTURES, folder), mode: 'insert' });
  }
}
