/** Finds whether the newest snapshot of an account still shows the current ledger: then `start` need not build it again. */
import { createHash } from 'node:crypto';
import { applicationUrl, type Settings } from '../../config.ts';
import type { SnapshotOrigin } from '../../ops/account-changes.ts';
import { encodeCanonical } from '../../snapshot/format/canonical-json.ts';
import { snapshotStatus } from '../../snapshot/format/snapshot-status.ts';
import { readEntryManifest } from '../../snapshot/read/entry-manifest.ts';
import { readLog } from '../../snapshot/read/read-log.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import type { CheckHead } from '../../snapshot/read/seen-heads.ts';
import type { StoreReader } from '../../store/store.ts';
import { describeTables } from '../../tables/describe.ts';
import { WRITER } from '../../version.ts';
import { openSigning } from '../signing.ts';

/**
 * The digest of everything besides the ledger that changes a snapshot: the program's version, its tables, the address in
 * links, and the key that signs. If the digest has changed, the snapshot must be built again.
 */
export async function publishingTerms(settings: Settings): Promise<string> {
  const { signer } = await openSigning(settings.signing);
  const terms = {
    writer: WRITER,
    tables: describeTables(),
    application: applicationUrl(settings),
    key: signer?.public_key.key_id ?? null,
  };
  return createHash('sha256').update(encodeCanonical(terms)).digest('hex');
}

interface CurrentParts {
  readonly store: StoreReader;
  readonly checkHead: CheckHead;
  readonly isStillCurrent: (origin: SnapshotOrigin) => Promise<boolean>;
  readonly terms: string;
}

/**
 * The id of the newest snapshot, if it shows the current ledger and may be read; otherwise null. Also null if the log or the
 * manifest is damaged, or if the log was set back: the build that follows reports the fault.
 */
export async function currentSnapshot(account_id: bigint, parts: CurrentParts): Promise<string | null> {
  const { store, checkHead, isStillCurrent, terms } = parts;
  try {
    const log = await readLog(store, account_id);
    const head = log.entries.at(-1);
    if (log.fault !== null || head === undefined) return null;
    await checkHead(log);
    const { retraction, quarantine, removed } = snapshotStatus(
      await readMarks(store, account_id),
      head.snapshot_id,
    );
    if (retraction !== null || quarantine !== null || removed) return null;
    const { snapshot_id, night } = head;
    const { pg_snapshot, generated_at } = await readEntryManifest(store, account_id, head);
    const current = await isStillCurrent({
      account_id,
      snapshot_id,
      night,
      pg_snapshot,
      generated_at,
      terms,
    });
    return current ? snapshot_id : null;
  } catch {
    return null;
  }
}
