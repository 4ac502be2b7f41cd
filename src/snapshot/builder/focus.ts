/** The FOCUS file of a build: the rows of `costs` in the format of FinOps tools, audited against `costs` itself. */
import type { SqlScript } from '../../sql-scripts.ts';
import type { Content } from '../../store/store.ts';
import { readAccountName } from '../../ledger/accounts.ts';
import { describeTable } from '../../tables/describe.ts';
import { FOCUS } from '../../tables/focus.ts';
import { FOCUS_VERSION } from '../../focus/columns.ts';
import { requireSelects } from '../../database/columns.ts';
import { type AuditJob, auditSnapshot } from '../audit/audit.ts';
import type { AuditReport } from '../audit/report.ts';
import { encodeCanonical } from '../format/canonical-json.ts';
import { inSpool } from '../spool/failure.ts';
import type { Spool } from '../spool/spool.ts';
import { contentOfBytes } from '../spool/upload.ts';
import type { AuditedBuild } from './publish.ts';
import { type SpooledTable, type TableJob, typedSelects, writeTable } from './write-tables.ts';

/** A folder of its own: the audit takes every Parquet file in the folder of the reporting tables for a reporting table. */
const FOLDER = 'focus';
const FILE = `${FOLDER}/${FOCUS.name}`;
const FOLDER_MODE = 0o750;

/** Writes the file into the spool, a few thousand rows at a time like every table. */
export async function writeFocus(job: TableJob): Promise<SpooledTable> {
  const { client, account_id, snapshot_id, spool } = job;
  await requireSelects(client, typedSelects([FOCUS], job));
  const folder = spool.pathOf(FOLDER);
  await inSpool(folder, () => job.fs.mkdir(folder, FOLDER_MODE));
  const constants = {
    BillingAccountId: `crossfoot-account-${account_id}`,
    BillingAccountName: await readAccountName(client, account_id),
    PricingUnit: 'Units',
    x_SnapshotId: snapshot_id,
  };
  // The progress of a build counts only the reporting tables.
  const quiet = { ...job, onEvent: () => undefined };
  return { name: FILE, ...(await writeTable(FOCUS, quiet, `${FILE}.parquet`, constants)) };
}

/** The report of the audit, and `focus.json`; null for a build without the file. */
export async function auditFocus(
  table: SpooledTable | null,
  job: AuditJob,
  checks: readonly SqlScript[] = [],
): Promise<{ readonly report: AuditReport; readonly file: Content } | null> {
  if (table === null) return null;
  const snapshot = { ...job.snapshot, left_out: null };
  const report = await auditSnapshot({ ...job, tables: [table], snapshot, checks });
  const { snapshot_id, checks: results } = report;
  const { columns } = describeTable(FOCUS);
  const file = encodeCanonical({ snapshot_id, focus_version: FOCUS_VERSION, columns, checks: results });
  return { report, file: contentOfBytes(file) };
}

/** The FOCUS file and its report as content to publish; null for a build without the file. */
export function focusContent(
  table: SpooledTable | null,
  spool: Spool,
  report: Content | null,
): NonNullable<AuditedBuild['focus']> | null {
  if (table === null || report === null) return null;
  const { rows: row_count, size_bytes, sha256, blocks } = table;
  const content = { ...spool.content(`${FILE}.parquet`, { size: size_bytes, sha256 }), blocks };
  return { row_count, content, report };
}
