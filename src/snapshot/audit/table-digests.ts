/** Measuring the files of a snapshot with the engine that audited them: the logical digests to publish beside them. */
import { TABLES } from '../../tables/all.ts';
import { digestOf, digestQuery, type SnapshotDigests, type TableDigest } from '../../warehouse/digests.ts';
import { openEngine } from './engine.ts';
import { quoted } from '../../sql-scripts.ts';

interface DigestJob {
  /** Where `<table>.parquet` of every table stands. */
  readonly directory: string;
  readonly snapshotId: string;
  readonly tempDirectory: string;
  /** As DuckDB says it: `512MB`. */
  readonly memoryLimit: string;
  /** How many of them read a table together. */
  readonly threads: number;
  readonly signal: AbortSignal;
}

/** Reads every table once; the same files give the same digests. */
export async function digestTables(job: DigestJob): Promise<SnapshotDigests> {
  await using engine = await openEngine(job);
  const tables: TableDigest[] = [];
  for (const table of TABLES) {
    job.signal.throwIfAborted();
    const file = `read_parquet(${quoted(`${job.directory}/${table.name}.parquet`)})`;
    const [row] = await engine.rows(digestQuery('duckdb', table, file));
    tables.push(digestOf(table, row ?? {}));
  }
  return { snapshot_id: job.snapshotId, tables };
}
