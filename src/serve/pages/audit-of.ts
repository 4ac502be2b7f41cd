/** The audit report of a snapshot, for pages: read from its checked file. */
import type { Context } from 'hono';
import { isCrossfootError } from '../../errors.ts';
import { errorFields } from '../../log.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { type AuditFile, decodeAudit } from './audit-file.ts';

const AUDIT = 'audit.json';

/**
 * The audit report of a snapshot; null if there is none or if it cannot be read now. The page then shows a sentence
 * instead.
 */
export async function auditOf(
  c: Context<ServeEnv>,
  snapshots: SnapshotReader,
  { snapshot_id, files }: ReadableSnapshot,
): Promise<AuditFile | null> {
  if (!files.some(({ name }) => name === AUDIT)) return null;
  try {
    return decodeAudit(await snapshots.readFile(c.var.principal.account_id, snapshot_id, AUDIT));
  } catch (error) {
    if (!isCrossfootError(error)) throw error;
    c.var.logger.warn('report.unread', { snapshot: snapshot_id, ...errorFields(error) });
    return null;
  }
}

/** How many of the checks passed, as text. */
export function checksPassed(audit: AuditFile | null): string {
  if (audit === null) return 'no report';
  const passed = audit.checks.filter((check) => check.passed).length;
  return `${passed} of ${audit.checks.length}`;
}
