/** A CSV as DuckDB reads it, every cell as text. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDuckDb } from '../../parquet/read-back.ts';
import { withFolder } from '../../parquet/temporary-folder.ts';

export type CsvLine = Readonly<Record<string, string | null>>;

/** The lines of the CSV. */
export async function readCsv(csv: string): Promise<readonly CsvLine[]> {
  return await withFolder(async (folder) => {
    const path = join(folder, 'file.csv');
    await writeFile(path, csv);
    const connection = await connectDuckDb();
    try {
      const reader = await connection.runAndReadAll(
        `from read_csv('${path}', header = true, all_varchar = true, delim = ',', quote = '"', escape = '"')`,
      );
      return reader.getRowObjectsJson() as CsvLine[]; // every column is text
    } finally {
      connection.closeSync();
    }
  });
}
