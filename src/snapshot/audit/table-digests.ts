/**
 * Computes the logical digests of a snapshot's files: of the values, not of the bytes, so that a warehouse can compute the
 * same digests from its tables. The engine that audited the files computes them.
 */
import { TABLES } from '../../tables/all.ts';
import { digestOf, digestQuery, type SnapshotDigests, type TableDigest } from '../../warehouse/digests.ts';
import { openEngine } from './engine.ts';
import { quoted } from '../../sql-scripts.ts';

interface DigestJob {
  /** The folder with `<table>.parquet` of every table. */
  readonly directory: string;
  readonly snapshot_id: string;
  readonly tempDirectory: string;
  /** In DuckDB's form: `512MB`. */
  readonly memoryLimit: string;
  /** The number of threads for one table. */
  readonly threads: number;
  readonly signal: AbortSignal;
}

/** Reads every table once. The same files give the same digests. */
export async function digestTables(job: DigestJob): Promise<SnapshotDigests> {
  await using engine = await openEngine(job);
  const tables: TableDigest[] = [];
  for (const table of TABLES) {
    job.signal.throwIfAborted();
    const file = `read_parquet(${quoted(`${job.directory}/${table.name}.parquet`)})`;
    const [row] = await engine.rows(digestQuery('duckdb', table, file));
    tables.push(digestOf(table, row ?? {}));
  }
  return { snapshot_id: job.snapshot_id, tables };
}
