/** Makes `footers.json`: the numbers of the footers of the spooled files, each compared with what the build knows. */
import { CrossfootError } from '../../errors.ts';
import { footerNumbers } from '../../parquet/footer-numbers.ts';
import { openFile } from '../../parquet/open-file.ts';
import { footerFault, type KnownTable } from '../format/footer-faults.ts';
import type { SnapshotFooters } from '../format/stored-footers.ts';
import { openSpooledSource } from './source.ts';
import type { Spool, SpoolFileSystem } from './spool.ts';

interface FootersJob {
  readonly fs: Pick<SpoolFileSystem, 'open'>;
  readonly spool: Pick<Spool, 'pathOf'>;
  readonly snapshot_id: string;
  /** The reporting tables, whose files lie at the top of the spool. */
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly size_bytes: number }[];
  /** The declaration of a table, and its digest. */
  readonly known: (table: string) => Omit<KnownTable, 'row_count'>;
}

/** Reads the footers; throws `audit_refused` for a footer that contradicts the rows, the declaration or the digests. */
export async function readFooters({
  fs,
  spool,
  snapshot_id,
  tables,
  known,
}: FootersJob): Promise<SnapshotFooters> {
  const read: SnapshotFooters['tables'][number][] = [];
  for (const { name, rows: row_count, size_bytes } of tables) {
    const path = spool.pathOf(`${name}.parquet`);
    await using source = await openSpooledSource(fs, path);
    const footer = footerNumbers(await openFile({ ...source, size_bytes }));
    const fault = footerFault({ row_count, ...known(name) }, footer);
    if (fault !== null) {
      throw new CrossfootError('audit_refused', `${name}: the footer of its Parquet file ${fault}.`, {
        data: { table: name },
      });
    }
    read.push({ name, ...footer });
  }
  return { snapshot_id, tables: read };
}
