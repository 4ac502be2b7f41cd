/** SQL that people run beside the files of a snapshot, made to read the files of a folder. */

import { join } from 'node:path';
import { quoted } from '../../src/sql-scripts.ts';

/**
 * The SQL with the files of this folder in place of those of the working folder. DuckDB looks into the working folder first,
 * also with `file_search_path`: who has followed the README has a `costs.parquet` there.
 */
export function besideFiles(sql: string, folder: string): string {
  return sql.replaceAll(/'([\w*]+\.(?:parquet|csv|json))'/g, (_, name: string) => quoted(join(folder, name)));
}
