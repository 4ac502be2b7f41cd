/**
 * The build, from the ledger to the publish log: ledger → tables → Parquet → audit → store → publish log. Nothing is
 * visible before the last step. If a step fails, the previous snapshot is still served.
 *
 *   1. read the head of the log, before the moment: publishing then notices any snapshot published since
 *   2. at one moment, write every table into the spool, and read control totals straight from the base tables
 *   3. audit the spooled files with another engine, which then also computes their logical digests
 *   4. publish the objects and, if the account still reports, the manifest and the log entry
 *   5. pin the snapshot for each month that is closed for the first time
 */
import { leavesOut } from '../../figures/left-out.ts';
import type { Content } from '../../store/store.ts';
import type { PublishResult } from './append-entry.ts';
import { type AuditJob, auditSnapshot } from '../audit/audit.ts';
import { ENGINE, threadsFor } from '../audit/engine.ts';
import { refuse } from '../audit/report.ts';
import { auditScript } from '../audit/script.ts';
import { auditCompanions, companionContents } from './companions.ts';
import { auditFocus, focusContent } from './focus.ts';
import type { BuildTools } from './build-tools.ts';
import { atMoment, confirmPublishing } from './build-moment.ts';
import { alreadyBuilt, type BuildJob, readKnownLog, rememberPublished } from './build-start.ts';
import { encodeCanonical } from '../format/canonical-json.ts';
import { pinPublished } from './pin-published.ts';
import { publish } from './publish.ts';
import type { PublishLog } from '../format/publish-log.ts';
import { type ReadLedger, readLedger } from './read-ledger.ts';
import { confirmShrunkTables, type ShrunkTable } from './shrunk-tables.ts';
import { contentOfBytes } from '../spool/upload.ts';
import { DIGESTS_FILE } from '../format/stored-digests.ts';
import { digestTables } from '../audit/table-digests.ts';
import { openSpool, readSpooled, type Spool } from '../spool/spool.ts';
import { stoppablePace, stoppableStore, untilStopped } from '../../store/stoppable.ts';

/**
 * Memory limit of the audit's engine. Beyond it, the engine spills to the spool, except for the sums of its groups:
 * those took 156 MB for a hundred thousand initiatives and ten million entries of each kind.
 */
const AUDIT_MB = 160;

export interface Built extends PublishResult {
  readonly snapshot_id: string;
}

/**
 * Builds, audits and publishes one snapshot of one account. If any step fails it throws and publishes nothing; if the
 * build was stopped, it throws the signal's reason.
 */
export async function buildSnapshot(job: BuildJob, tools: BuildTools): Promise<Built> {
  const { signal } = job;
  try {
    signal.throwIfAborted();
    return await buildUntilStopped(job, {
      ...tools,
      store: stoppableStore(tools.store, signal),
      pace: stoppablePace(tools.pace, signal),
    });
  } catch (error) {
    // After a stop, the error of the interrupted step says nothing more than the signal's reason.
    throw signal.aborted ? signal.reason : error;
  }
}

async function buildUntilStopped(job: BuildJob, tools: BuildTools): Promise<Built> {
  const began = tools.pace.now();
  const known = await readKnownLog(job.account_id, tools);
  const there = await alreadyBuilt(known, job, tools);
  if (there !== undefined) {
    const { seq, snapshot_id } = there;
    tools.onEvent({ kind: 'snapshot.skipped', snapshot: snapshot_id, seq, ms: 0 });
    return { outcome: 'skipped', seq, snapshot_id };
  }
  const { account_id, nonce } = job;
  const { fs, spoolRoot: root, pace } = tools;
  const spool = await openSpool({ fs, root, account_id, nonce, now: pace.now });
  try {
    const read = await readLedger(job, tools, known, spool);
    const shrunk = await confirmShrunkTables(known, read.tables, {
      store: tools.store,
      pace: tools.pace,
      account_id: job.account_id,
      count: (count) => atMoment(job, tools.connect, count),
      onEvent: tools.onEvent,
    });
    const files = await audit(job, tools, spool, read, shrunk);
    const result = await publishRead(job, tools, known, spool, read, files);
    const ms = Number((tools.pace.now() - began) / 1000n);
    tools.onEvent({ kind: `snapshot.${result.outcome}`, snapshot: read.snapshot_id, seq: result.seq, ms });
    if (result.outcome === 'published') {
      await rememberPublished(known, tools);
      const { snapshot_id, closed } = read;
      const generated_at = read.moment.generatedAt;
      await pinPublished({ account_id, snapshot_id, generated_at, closed, by: job.builder }, tools);
    }
    return { ...result, snapshot_id: read.snapshot_id };
  } finally {
    // Report the snapshot's outcome, not a folder that could not be removed: a later build removes it.
    await spool.remove().catch(() => tools.onEvent({ kind: 'spool.left', directory: spool.directory }));
  }
}

/** The files beside the tables, by name, and the reports on the companions and on the FOCUS file. */
interface Audited {
  readonly evidence: ReadonlyMap<string, Content>;
  readonly companions: Content | null;
  readonly focus: Content | null;
}

async function audit(
  job: BuildJob,
  tools: BuildTools,
  spool: Spool,
  read: ReadLedger,
  shrunk: readonly ShrunkTable[],
): Promise<Audited> {
  const began = tools.pace.now();
  const evidence = new Map([
    ['schema.json', await spool.write('schema.json', encodeCanonical(tools.description))],
    ['control.json', read.control],
    ['audit.sql', await spool.write('audit.sql', Buffer.from(auditScript(tools.checks)))],
  ]);
  const auditJob: AuditJob = {
    directory: spool.directory,
    tables: read.tables,
    description: tools.description,
    control: { size_bytes: read.control.size, sha256: read.control.sha256 },
    snapshot: {
      snapshot_id: read.snapshot_id,
      account_id: job.account_id,
      generated_at: read.moment.generatedAt,
      left_out: read.left_out,
    },
    checks: tools.checks,
    tempDirectory: spool.pathOf('audit'),
    memory_mb: AUDIT_MB,
    read: (path) => untilStopped(readSpooled(tools.fs, path), job.signal),
    signal: job.signal,
  };
  const report = await auditSnapshot(auditJob);
  evidence.set('audit.json', contentOfBytes(encodeCanonical({ ...report, shrunk_tables: shrunk })));
  const { companionChecks, focusChecks } = tools;
  const companions = report.passed ? await auditCompanions(read.companions, auditJob, companionChecks) : null;
  const focus = report.passed ? await auditFocus(read.focus, auditJob, focusChecks) : null;
  for (const [name, one] of [
    ['audit.json', report],
    ['companions-audit.json', companions?.report],
    ['focus-audit.json', focus?.report],
  ] as const) {
    if (one === undefined || one.passed) continue;
    await spool.write(name, encodeCanonical(one));
    tools.onEvent({ kind: 'audit.refused', kept: await spool.keep() });
    throw refuse(one);
  }
  const digests = await digestTables({
    directory: spool.directory,
    snapshot_id: read.snapshot_id,
    tempDirectory: spool.pathOf('audit'),
    memoryLimit: `${AUDIT_MB}MB`,
    threads: threadsFor(read.tables),
    signal: job.signal,
  });
  evidence.set(DIGESTS_FILE, contentOfBytes(encodeCanonical(digests)));
  const ms = Number((tools.pace.now() - began) / 1000n);
  tools.onEvent({ kind: 'audit.passed', checks: report.checks.length, ms });
  if (leavesOut(read.left_out)) tools.onEvent({ kind: 'totals.incomplete', left_out: read.left_out });
  return { evidence, companions: companions?.file ?? null, focus: focus?.file ?? null };
}

async function publishRead(
  job: BuildJob,
  tools: BuildTools,
  known: PublishLog,
  spool: Spool,
  read: ReadLedger,
  { evidence, companions, focus }: Audited,
): Promise<PublishResult> {
  return publish(
    {
      account_id: job.account_id,
      nonce: job.nonce,
      night: job.night ?? tools.nightAt(read.moment.generatedAt),
      once: job.once,
      builder: job.builder,
      generated_at: read.moment.generatedAt,
      changes_from: read.moment.changesFrom,
      pg_snapshot: read.moment.pgSnapshot,
      left_out: read.left_out,
      versions: { writer: tools.writer, audit_engine: ENGINE, postgres: read.postgres },
      tables: read.tables.map(({ name, rows, size_bytes, sha256, blocks }) => ({
        name,
        row_count: rows,
        content: { ...spool.content(`${name}.parquet`, { size: size_bytes, sha256 }), blocks },
      })),
      companions: companionContents(read.companions, spool, companions),
      focus: focusContent(read.focus, spool, focus),
      files: [...evidence].map(([name, content]) => ({ name, content })),
    },
    known,
    { store: tools.store, pace: tools.pace, confirm: () => confirmPublishing(job, tools) },
  );
}
