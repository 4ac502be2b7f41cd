/**
 * Computes the logical digests of a snapshot's files: of the values, not of the bytes, so that a warehouse can compute the
 * same digests from its tables. The engine that audited the files computes them.
 */
import { join } from 'node:path';
import { TABLES } from '../../tables/all.ts';
import { digestOf, digestQuery, type SnapshotDigests, type TableDigest } from '../../warehouse/digests.ts';
import { type AuditedTable, isSmall } from './audit.ts';
import { threadsFor } from './engine.ts';
import type { EngineSource } from './shared-engine.ts';
import { quoted } from '../../sql-scripts.ts';

interface DigestJob {
  /** The folder with `<table>.parquet` of every table. */
  readonly directory: string;
  readonly tables: readonly AuditedTable[];
  readonly snapshot_id: string;
  readonly tempDirectory: string;
  /** In DuckDB's form: `512MB`. */
  readonly memoryLimit: string;
  readonly engines: EngineSource;
  readonly signal: AbortSignal;
}

/** Reads every table once. The same files give the same digests. */
export async function digestTables(job: DigestJob): Promise<SnapshotDigests> {
  const { directory, tempDirectory, memoryLimit } = job;
  const threads = threadsFor(job.tables);
  await using engine = await job.engines.open({ directory, tempDirectory, memoryLimit, threads });
  const tables: TableDigest[] = [];
  for (const table of TABLES) {
    job.signal.throwIfAborted();
    const written = job.tables.find(({ name }) => name === table.name);
    const file = `${table.name}.parquet`;
    const source =
      written !== undefined && isSmall(written)
        ? await engine.load(file)
        : `read_parquet(${quoted(join(directory, file))})`;
    const [row] = await engine.rows(digestQuery('duckdb', table, source));
    tables.push(digestOf(table, row ?? {}));
  }
  return { snapshot_id: job.snapshot_id, tables };
}
