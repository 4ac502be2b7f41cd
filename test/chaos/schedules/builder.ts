/** Builders of a schedule: they stage small audited files and publish them with the real code. */
import { millisecondsBehind } from '../../../src/snapshot/builder/build-moment.ts';
import { blocksKey, buildPrefix, fileKey, tableKey } from '../../../src/snapshot/format/keys.ts';
import { type AuditedBuild, publish } from '../../../src/snapshot/builder/publish.ts';
import { entryOfNight, type PublishLog } from '../../../src/snapshot/format/publish-log.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { contentOfBytes } from '../../../src/snapshot/spool/upload.ts';
import { ACCOUNT } from './history.ts';
import { foreseen, type Process, type World } from './world.ts';

/** What a builder is to do. */
export interface BuildOrder {
  readonly night: string;
  readonly once: boolean;
  /** How long it reads and audits. */
  readonly work_ms: number;
  /** How often it may try to publish what it built. */
  readonly tries: number;
}

/** Builds as `src/snapshot/builder/build.ts` does, with the ledger's reading and the audit left out. */
export async function build(world: World, order: BuildOrder, process: Process): Promise<boolean> {
  const { store, clock } = process;
  let known: PublishLog;
  try {
    known = await readLog(store, ACCOUNT);
  } catch (error) {
    foreseen(error);
    return false;
  }
  if (known.fault !== null) throw known.fault;
  if (order.once && entryOfNight(known, order.night) !== undefined) return false;
  const moment = await nextMoment(world, known, process);
  const staged = stage(world, order, moment, process);
  await clock.sleep(order.work_ms);
  for (let tries = 1; tries <= order.tries; tries += 1) {
    const published = await tryToPublish(world, staged, known, process);
    if (published !== null) return published;
  }
  return false;
}

/** The database's clock, once it is past the second of the newest snapshot that is known. */
async function nextMoment({ scheduler }: World, known: PublishLog, { clock }: Process): Promise<bigint> {
  for (;;) {
    const moment = BigInt(scheduler.now);
    const early_ms = millisecondsBehind(known, moment);
    if (early_ms <= 0) return moment;
    await clock.sleep(early_ms);
  }
}

function stage({ history }: World, order: BuildOrder, moment: bigint, process: Process): AuditedBuild {
  const nonce = process.newNonce();
  const snapshot_id = snapshotIdOf(moment);
  const prefix = buildPrefix(ACCOUNT, snapshot_id, nonce);
  const table = Buffer.from(`the table of ${nonce}`);
  const evidence = Buffer.from(`the audit of ${nonce}`);
  const content = contentOfBytes(table);
  // A file of one block: its list of digests is its own.
  const blocks = Buffer.from(content.sha256, 'hex');
  history.stage({
    nonce,
    snapshot_id,
    night: order.night,
    once: order.once,
    prefix,
    files: new Map([
      [tableKey(prefix, 'snapshot'), table],
      [blocksKey(prefix, 'snapshot'), blocks],
      [fileKey(prefix, 'audit.json'), evidence],
    ]),
  });
  return {
    account_id: ACCOUNT,
    nonce,
    night: order.night,
    once: order.once,
    builder: process.actor.name,
    generated_at: moment,
    changes_from: null,
    pg_snapshot: '1:1:',
    left_out: { cost: [], value: [] },
    versions: { writer: 'crossfoot 0', audit_engine: 'none', postgres: '18' },
    tables: [{ name: 'snapshot', row_count: 1, content: { ...content, blocks } }],
    files: [{ name: 'audit.json', content: contentOfBytes(evidence) }],
  };
}

/** Whether it is published; null when not known, and trying again is safe. */
async function tryToPublish(
  { history, shelf }: World,
  staged: AuditedBuild,
  known: PublishLog,
  { store, clock }: Process,
): Promise<boolean | null> {
  const { nonce } = staged;
  try {
    const { outcome, seq } = await publish(staged, known, { store, clock });
    if (outcome === 'published') history.acknowledged(nonce, seq);
    else history.hopeless(nonce);
    return outcome === 'published';
  } catch (error) {
    const { code } = foreseen(error, 'publish_aborted', 'upload_differs', 'store_object_missing');
    if (code === 'publish_aborted') {
      const prefix = buildPrefix(ACCOUNT, snapshotIdOf(staged.generated_at), nonce);
      const manifest = shelf.bytesAt(`${prefix}/manifest.json`);
      history.refuse(
        manifest !== null && manifest.length > 100,
        `${nonce} was told that it is fenced off, and is not`,
      );
    }
    return null;
  }
}
