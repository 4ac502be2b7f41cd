/**
 * The companion tables of a build: the rows of the read API, as Parquet files beside the reporting tables. They are read at
 * the same moment as the reporting tables, and audited like these.
 */
import { requireSelects } from '../../database/columns.ts';
import { keepsCompanions } from '../../ledger/accounts.ts';
import { readControlTotals } from '../../ledger/moment/control.ts';
import type { SqlScript } from '../../sql-scripts.ts';
import type { Content } from '../../store/store.ts';
import { COMPANIONS } from '../../tables/companions.ts';
import { type AuditJob, auditSnapshot } from '../audit/audit.ts';
import type { AuditReport } from '../audit/report.ts';
import { encodeCanonical } from '../format/canonical-json.ts';
import { inSpool } from '../spool/failure.ts';
import { type BlockedContent, contentOfBytes } from '../spool/upload.ts';
import type { Spool } from '../spool/spool.ts';
import { encodeControl } from './control-file.ts';
import { type SpooledTable, type TableJob, typedSelects, writeTable } from './write-tables.ts';

/** A folder of their own: the audit takes every Parquet file in the folder of the reporting tables for a reporting table. */
const FOLDER = 'companions';
const FOLDER_MODE = 0o750;

export interface SpooledCompanions {
  readonly tables: readonly SpooledTable[];
}

/** The file of a companion in the spool. */
function companionFile({ name }: { readonly name: string }): string {
  return `${FOLDER}/${name}.parquet`;
}

/** Writes every companion and its control totals into the spool; null if the account switched companions off. */
export async function writeCompanions(job: TableJob): Promise<SpooledCompanions | null> {
  const { client, account_id, spool } = job;
  if (!(await keepsCompanions(client, account_id))) return null;
  const tables = Object.values(COMPANIONS);
  await requireSelects(client, typedSelects(tables, job));
  const folder = spool.pathOf(FOLDER);
  await inSpool(folder, () => job.fs.mkdir(folder, FOLDER_MODE));
  const written: SpooledTable[] = [];
  // The progress of a build counts only the reporting tables.
  const quiet = { ...job, onEvent: () => undefined };
  for (const table of tables) {
    written.push({ name: table.name, ...(await writeTable(table, quiet, companionFile(table))) });
  }
  const totals = readControlTotals(client, { account_id, folder: 'companions/control' });
  await spool.writePieces(`${FOLDER}/control.json`, encodeControl(totals));
  return { tables: written };
}

/** The report of the audit, and the published file with the number of rows of each companion; null without companions. */
export async function auditCompanions(
  companions: SpooledCompanions | null,
  job: AuditJob,
  checks: readonly SqlScript[] = [],
): Promise<{ readonly report: AuditReport; readonly file: Content } | null> {
  if (companions === null) return null;
  const { tables } = companions;
  const report = await auditSnapshot({
    ...job,
    tables: tables.map((table) => ({ ...table, name: `${FOLDER}/${table.name}` })),
    snapshot: { ...job.snapshot, left_out: null },
    checks,
  });
  const { snapshot_id, checks: results } = report;
  const counted = tables.map(({ name, rows }) => ({ name, row_count: rows }));
  const file = contentOfBytes(encodeCanonical({ snapshot_id, tables: counted, checks: results }));
  return { report, file };
}

/** The files to publish; null without companions. */
export function companionContents(
  companions: SpooledCompanions | null,
  spool: Spool,
  report: Content | null,
): {
  readonly tables: readonly { name: string; content: BlockedContent }[];
  readonly report: Content;
} | null {
  if (companions === null || report === null) return null;
  const tables = companions.tables.map((table) => {
    const { name, size_bytes, sha256, blocks } = table;
    return {
      name,
      content: { ...spool.content(companionFile(table), { size: size_bytes, sha256 }), blocks },
    };
  });
  return { tables, report };
}
