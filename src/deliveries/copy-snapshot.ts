/**
 * Copies a published snapshot to a target. The order makes it safe: 1. each object is recorded before it is made  2. the tables, each
 * read back whole  3. the signatures  4. the manifest, which says that the folder is whole  5. `latest.json`. No object is
 * overwritten, and a repeated copy goes on where an earlier one ended.
 */
import type { Pool } from 'pg';
import type { Clock } from '../clock.ts';
import { CrossfootError } from '../errors.ts';
import { decodeManifest, type Manifest } from '../snapshot/format/manifest.ts';
import type { LogEntry, PublishLog } from '../snapshot/format/publish-log.ts';
import { SIGNATURE_FILES } from '../snapshot/format/signature-files.ts';
import { type Retraction, snapshotStatus } from '../snapshot/format/snapshot-status.ts';
import { readChecked } from '../snapshot/read/checked-read.ts';
import { fileIn } from '../snapshot/read/published-file.ts';
import { readMarks } from '../snapshot/read/read-marks.ts';
import { createSignedReader } from '../snapshot/read/signed-reader.ts';
import { contentOfBytes, upload } from '../snapshot/spool/upload.ts';
import { untilAnswered } from '../store/retry.ts';
import { formatInstant } from '../time.ts';
import type { Content, ReplacingStore, StoreReader } from '../store/store.ts';
import { encodeLatest, moveLatest } from './latest.ts';
import { type DueDelivery, holdingTarget, planObject, readObjects, recordCompared } from './records.ts';

export interface CopyTools {
  /** Sessions as `cf_service`. */
  readonly service: Pool;
  /** What is published here. */
  readonly store: StoreReader;
  /** The log of an account as it is now. */
  readonly logOf: (account_id: bigint) => Promise<PublishLog>;
  readonly clock: Clock;
}

interface DeliveredFile {
  readonly key: string;
  readonly content: Content;
}

/** Copies it whole; false if it may not be copied any more, because it was retracted or deleted. */
export async function copySnapshot(
  due: DueDelivery,
  target: ReplacingStore,
  tools: CopyTools,
): Promise<boolean> {
  const { service, store, logOf, clock } = tools;
  const { account_id, seq, snapshot_id } = due;
  const log = await logOf(account_id);
  const entry = log.entries[seq - 1];
  if (entry?.snapshot_id !== snapshot_id) throw log.fault ?? unpublished(due);
  const status = snapshotStatus(await readMarks(store, account_id), snapshot_id);
  if (status.retraction !== null) await tellRetraction(due, status.retraction, target, tools);
  if (status.retraction !== null || status.removed) return false;

  const signed = createSignedReader(store, {
    logOf: async () => log,
    entryOf: async () => entry,
    marksOf: () => readMarks(store, account_id),
  });
  const bytes = await signed.manifest(account_id, snapshot_id);
  const manifest = decodeManifest(bytes, { ...entry, account_id });
  const place = (name: string): string => `snapshots/${snapshot_id}/${name}`;
  const files: DeliveredFile[] = manifest.tables.map((table) => ({
    key: place(`${table.name}.parquet`),
    content: {
      size: table.size_bytes,
      sha256: table.sha256,
      open: () =>
        readChecked(store, fileIn({ log, entry, status }, manifest, table), 0, table.size_bytes - 1),
    },
  }));
  for (const name of entry.sshsig_key === undefined ? [] : SIGNATURE_FILES) {
    const signature = await signed.signature(account_id, snapshot_id, name);
    files.push({ key: place(name), content: contentOfBytes(signature) });
  }
  files.push({ key: place('manifest.json'), content: contentOfBytes(bytes) });

  const planned = await readObjects(service, due);
  for (const { key, content } of files) {
    if (planned.get(key) === true) continue;
    if (!planned.has(key)) await plan(key, due, target, tools);
    await upload(target, clock, key, content, differs);
    const made = await untilAnswered(clock, () => target.stat(key));
    if (made === null) throw differs(key);
    await recordCompared(service, due, { key, made_at: made.created_at });
  }
  await moveTo(manifest, entry, due, target, tools);
  return true;
}

/** Leaves a notice beside files that were delivered before: they stay, because they are the customer's. */
async function tellRetraction(
  due: DueDelivery,
  { reason, at, replaced_by }: Retraction,
  target: ReplacingStore,
  { service, clock }: CopyTools,
): Promise<void> {
  const { account_id, snapshot_id } = due;
  if ((await readObjects(service, due)).size === 0) return;
  const notice = {
    account_id: Number(account_id),
    snapshot_id,
    retracted_at: formatInstant(at),
    reason,
    replaced_by,
  };
  const key = `snapshots/${snapshot_id}/retracted.json`;
  const content = contentOfBytes(Buffer.from(`${JSON.stringify(notice, null, 2)}\n`));
  await untilAnswered(clock, () => target.create(key, content));
}

/** Records an object before it is made, so that a later attempt knows whether a delivery made it. */
async function plan(
  key: string,
  due: DueDelivery,
  target: ReplacingStore,
  { service, clock }: CopyTools,
): Promise<void> {
  const stood = await untilAnswered(clock, () => target.stat(key));
  await planObject(service, due, { key, own: stood === null });
}

async function moveTo(
  manifest: Manifest,
  entry: LogEntry,
  due: DueDelivery,
  target: ReplacingStore,
  { service, logOf }: CopyTools,
): Promise<void> {
  const { account_id, seq } = due;
  const bytes = encodeLatest(manifest, entry);
  const snapshotAt = async (number: number): Promise<string | null> =>
    (await logOf(account_id)).entries[number - 1]?.snapshot_id ?? null;
  await holdingTarget(service, due, () => moveLatest(target, { account_id, seq, bytes, snapshotAt }));
}

function unpublished({ account_id, snapshot_id }: DueDelivery): CrossfootError {
  return new CrossfootError(
    'delivery_refused',
    `delivery: the publish log of account ${account_id} no longer has snapshot ${snapshot_id}.`,
    { hint: 'Restore the object store from a copy.' },
  );
}

function differs(key: string): CrossfootError {
  return new CrossfootError(
    'delivery_refused',
    `delivery: ${key} is there with other bytes than were published.`,
    {
      hint: 'Move that object away: deliveries overwrite nothing.',
      data: { key },
    },
  );
}
