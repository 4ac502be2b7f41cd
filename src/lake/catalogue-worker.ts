/** The thread that makes one catalogue. It derives the rows, and writes them to the path that it was given. */
import { parentPort, workerData } from 'node:worker_threads';
import { isCrossfootError } from '../errors.ts';
import { pinnedUrl } from '../snapshot/format/served-manifest.ts';
import type { CatalogueJob, CatalogueMade } from './catalogue-file.ts';
import { catalogueRows } from './catalogue-rows.ts';
import { openLake } from './gathered-lake.ts';
import type { AddressOf } from './lake.ts';
import { writeDuckdb, writeSqlite } from './write-catalogue.ts';

const { lake, form, base_url, links, path } = workerData as CatalogueJob; // makeCatalogue gives nothing else

const answer = (made: CatalogueMade): void => parentPort?.postMessage(made, []);

const addressOf: AddressOf = (id, table) => {
  if (links === undefined) return `${pinnedUrl(id, base_url)}/${table}.parquet`;
  const link = links[`${id}/${table}`];
  if (link === undefined) throw new RangeError(`there is no link to ${table} of ${id}`);
  return link;
};

try {
  const rows = catalogueRows(openLake(lake), { base_url, addressOf });
  await (form === 'sqlite' ? writeSqlite(rows, path) : writeDuckdb(rows, path));
  answer({ kind: 'written' });
} catch (error) {
  // Any other error ends the thread, and the main thread gets it as it is.
  if (!isCrossfootError(error, 'file_corrupt')) throw error;
  answer({ kind: 'refused', message: error.message, hint: error.hint });
}
