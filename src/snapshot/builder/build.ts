/**
 * The build, from the ledger to the publish log: ledger → tables → Parquet → audit → store → publish log. Nothing is
 * visible before the last step. If a step fails, the previous snapshot is still served.
 *
 *   1. read the head of the log, before the moment: publishing then notices any snapshot published since
 *   2. at one moment, write every table into the spool, and read control totals straight from the base tables
 *   3. audit the spooled files with another engine, which then also computes their logical digests
 *   4. publish the objects and, if the account still reports, the manifest and the log entry
 *   5. pin the snapshot for each month that is closed for the first time, and compare it with the one before
 */
import { leavesOut } from '../../figures/left-out.ts';
import type { PublishResult } from './append-entry.ts';
import { rememberManifests } from './just-published.ts';
import { auditSnapshot } from '../audit/audit.ts';
import { encodeDescription } from '../audit/description-file.ts';
import { ENGINE } from '../audit/engine.ts';
import { shareEngine } from '../audit/shared-engine.ts';
import { type AuditReport, refuse } from '../audit/report.ts';
import { auditScript } from '../audit/script.ts';
import type { BuildTools } from './build-tools.ts';
import { atMoment, confirmPublishing } from './build-moment.ts';
import { alreadyBuilt, type BuildJob, readKnownLog, rememberPublished } from './build-start.ts';
import { encodeCanonical } from '../format/canonical-json.ts';
import { pinPublished } from './pin-published.ts';
import { type AuditedBuild, publish, type PublishTools } from './publish.ts';
import type { PublishLog } from '../format/publish-log.ts';
import { readFooters } from '../spool/footers.ts';
import { type ReadLedger, readLedger } from './read-ledger.ts';
import { confirmShrunkTables, newestManifest, type ShrunkTable } from './shrunk-tables.ts';
import { reportContent, type SpooledSet, tableContents } from './spooled-set.ts';
import { contentOfBytes } from '../spool/upload.ts';
import { REPORTING } from '../../tables/all.ts';
import { DIGESTS_FILE } from '../format/stored-digests.ts';
import { FOOTERS_FILE } from '../format/stored-footers.ts';
import { digestTables } from '../audit/table-digests.ts';
import { openSpool, readSpooled, type Spool } from '../spool/spool.ts';
import { wantedRanges } from './wanted-ranges.ts';
import { stoppableClock, stoppableStore, untilStopped } from '../../store/stoppable.ts';
import { toMs } from '../../instant.ts';

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
      clock: stoppableClock(tools.clock, signal),
    });
  } catch (error) {
    // After a stop, the error of the interrupted step says nothing more than the signal's reason.
    throw signal.aborted ? signal.reason : error;
  }
}

async function buildUntilStopped(job: BuildJob, given: BuildTools): Promise<Built> {
  const { store, manifests } = rememberManifests(given.store);
  const tools = { ...given, store };
  const began = job.began_at ?? tools.clock.now();
  const known = await readKnownLog(job.account_id, tools);
  const there = await alreadyBuilt(known, job, tools);
  if (there !== undefined) {
    const { seq, snapshot_id } = there;
    tools.onEvent({ kind: 'snapshot.skipped', snapshot: snapshot_id, seq, ms: 0 });
    return { outcome: 'skipped', seq, snapshot_id };
  }
  const { account_id, nonce } = job;
  const { fs, spoolRoot: root, clock } = tools;
  const spool = await openSpool({ fs, root, account_id, nonce, now: clock.now });
  try {
    const newest = await newestManifest(known, tools);
    const read = await readLedger({ ...job, ranges: wantedRanges(job, newest) }, tools, {
      known,
      newest,
      spool,
    });
    const shrunk = await confirmShrunkTables(newest, read.reporting.tables, {
      account_id: job.account_id,
      count: (count) => atMoment(job, tools, count),
      onEvent: tools.onEvent,
    });
    const files = await audit(job, tools, spool, read, shrunk);
    let log = known;
    const onAppended = (appended: PublishLog): void => void (log = appended);
    const result = await publishRead(job, { ...tools, onAppended }, known, read, files);
    const ms = toMs(tools.clock.now() - began);
    tools.onEvent({ kind: `snapshot.${result.outcome}`, snapshot: read.snapshot_id, seq: result.seq, ms });
    if (result.outcome === 'published') {
      await rememberPublished(log, tools);
      const { snapshot_id, closed } = read;
      const generated_at = read.moment.generated_at;
      await pinPublished({ account_id, snapshot_id, generated_at, closed, by: job.builder }, tools);
      await tools.afterPublished?.({ seq: result.seq, snapshot_id, log, manifests, tables: files.tables });
    }
    return { ...result, snapshot_id: read.snapshot_id };
  } finally {
    // Report the snapshot's outcome, not a folder that could not be removed: a later build removes it.
    await spool.remove().catch(() => tools.onEvent({ kind: 'spool.left', directory: spool.directory }));
  }
}

type Audited = Pick<AuditedBuild, 'tables' | 'files' | 'beside'>;

/** Audits each set, and returns what is published of them. */
async function audit(
  job: BuildJob,
  tools: BuildTools,
  spool: Spool,
  read: ReadLedger,
  shrunk: readonly ShrunkTable[],
): Promise<Audited> {
  const began = tools.clock.now();
  await using engines = shareEngine();
  const evidence = new Map([
    ['schema.json', await spool.write('schema.json', encodeDescription(tools.description))],
    ['control.json', read.control],
    ['audit.sql', await spool.write('audit.sql', Buffer.from(auditScript(tools.checks)))],
  ]);
  const audited = async ({ set, tables }: SpooledSet): Promise<AuditReport> => {
    const report = await auditSnapshot({
      directory: spool.directory,
      tables: tables.map((table) => ({ ...table, name: `${set.folder}${table.name}` })),
      others: set === REPORTING ? [] : read.reporting.tables,
      description: tools.description,
      control: { size_bytes: read.control.size, sha256: read.control.sha256 },
      snapshot: {
        snapshot_id: read.snapshot_id,
        account_id: job.account_id,
        generated_at: read.moment.generated_at,
        left_out: set === REPORTING ? read.left_out : null,
      },
      checks: tools.checksBeside?.get(set) ?? tools.checks,
      tempDirectory: spool.pathOf('audit'),
      memory_mb: AUDIT_MB,
      engines,
      read: (path) => untilStopped(readSpooled(tools.fs, path), job.signal),
      signal: job.signal,
    });
    if (report.passed) return report;
    await spool.write(`${set.folder.replace('/', '-')}audit.json`, encodeCanonical(report));
    tools.onEvent({ kind: 'audit.refused', kept: await spool.keep() });
    throw refuse(report);
  };
  const report = await audited(read.reporting);
  evidence.set('audit.json', contentOfBytes(encodeCanonical({ ...report, shrunk_tables: shrunk })));
  const beside: NonNullable<AuditedBuild['beside']>[number][] = [];
  for (const spooled of read.beside) {
    const { set } = spooled;
    const content = reportContent(spooled, await audited(spooled));
    beside.push({ set, tables: tableContents(spooled, spool), files: [{ name: set.report, content }] });
  }
  const digests = await digestTables({
    directory: spool.directory,
    snapshot_id: read.snapshot_id,
    tempDirectory: spool.pathOf('audit'),
    memoryLimit: `${AUDIT_MB}MB`,
    tables: read.reporting.tables,
    engines,
    signal: job.signal,
  });
  evidence.set(DIGESTS_FILE, contentOfBytes(encodeCanonical(digests)));
  const footers = await readFooters({
    fs: tools.fs,
    spool,
    snapshot_id: read.snapshot_id,
    tables: read.reporting.tables,
    known: (name) => ({
      columns: tools.description.tables.find((table) => table.name === name)?.columns ?? [],
      digest: digests.tables.find((table) => table.name === name),
    }),
  });
  evidence.set(FOOTERS_FILE, contentOfBytes(encodeCanonical(footers)));
  const ms = toMs(tools.clock.now() - began);
  tools.onEvent({ kind: 'audit.passed', checks: report.checks.length, ms });
  if (leavesOut(read.left_out)) tools.onEvent({ kind: 'totals.incomplete', left_out: read.left_out });
  const files = [...evidence].map(([name, content]) => ({ name, content }));
  return { tables: tableContents(read.reporting, spool), files, beside };
}

async function publishRead(
  job: BuildJob,
  tools: BuildTools & Pick<PublishTools, 'onAppended'>,
  known: PublishLog,
  read: ReadLedger,
  audited: Audited,
): Promise<PublishResult> {
  const { generated_at, changes_from, pg_snapshot } = read.moment;
  return publish(
    {
      account_id: job.account_id,
      nonce: job.nonce,
      night: job.night ?? tools.nightAt(generated_at),
      once: job.once,
      builder: job.builder,
      generated_at,
      changes_from,
      pg_snapshot,
      left_out: read.left_out,
      layout: tools.layout,
      versions: { writer: tools.writer, audit_engine: ENGINE, postgres: read.postgres },
      ...audited,
    },
    known,
    { ...tools, confirm: () => confirmPublishing(job, tools) },
  );
}
