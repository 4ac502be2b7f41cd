// Reads columns a and b of an address one after the other, and prints which snapshots their values come from.
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';

const file = await asyncBufferFromUrl({ url: process.argv[2] });
const metadata = await parquetMetadataAsync(file);
const seen = {};
for (const column of ['a', 'b']) {
  const versions = new Set();
  const rowEnd = Number(metadata.row_groups[0].num_rows);
  for (const row of await parquetReadObjects({ file, metadata, columns: [column], rowEnd })) {
    versions.add(Number(row[column] / 1_000_000_000_000n));
  }
  seen[column] = [...versions];
}
process.stdout.write(`${JSON.stringify(seen)}\n`);
