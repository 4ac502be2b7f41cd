/** Reads the two programs that the server offers for pulling snapshots: `pull.mjs` and `pull.py`. */
import { readFile } from 'node:fs/promises';
import type { PullClients } from '../../serve/reporting/pull-routes.ts';

/** The texts of the programs, read from this installation. */
export async function readPullClients(): Promise<PullClients> {
  const [node, python] = await Promise.all([
    readFile(new URL('../../../assets/pull.mjs', import.meta.url), 'utf8'),
    readFile(new URL('../../client/pull.py', import.meta.url), 'utf8'),
  ]);
  return { node, python };
}
