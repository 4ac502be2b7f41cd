/** Scrubbing as a job: damage is logged as an alarm, and a damaged newest snapshot is rebuilt. */
import { errorFields, type Logger } from '../../log.ts';
import type { ObjectStoreSettings } from '../object-store.ts';
import { SCRUB_BUDGET_BYTES } from '../limits.ts';
import { scrubStore } from './scrub-store.ts';

interface ScrubParts {
  /** Queues a rebuild of each of these accounts; absent where there is no queue: the scrub of the night does it then. */
  readonly rebuild?: (accounts: readonly bigint[]) => Promise<unknown>;
  /** One snapshot in which a read met damage; without it, the due snapshots of every account. */
  readonly damaged?: { readonly account_id: bigint; readonly snapshot_id: string };
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Reads the due snapshots of every account; false if any is damaged or could not be read. */
export async function scrubByLog(
  settings: ObjectStoreSettings,
  { rebuild, damaged: met, logger, signal }: ScrubParts,
): Promise<boolean> {
  const heads: bigint[] = [];
  const { checked, bytes, damaged, left, faults } = await scrubStore({
    settings,
    account_id: met?.account_id ?? null,
    which: met === undefined ? 'due' : [met.snapshot_id],
    budget_bytes: SCRUB_BUDGET_BYTES,
    dryRun: false,
    signal,
    onDue: () => undefined,
    onDamage: ({ account_id: account, entry, files, head, pins }) => {
      const fields = { account, snapshot: entry.snapshot_id };
      for (const file of files) logger.error('snapshot.quarantined', { ...fields, file });
      for (const { name } of pins) logger.error('pin.lost', { ...fields, step: name });
      if (head) heads.push(account);
    },
    onRestored: ({ account_id: account, entry }) =>
      logger.info('snapshot.restored', { account, snapshot: entry.snapshot_id }),
    onStrange: ({ account_id: account, entry }, file) =>
      logger.warn('file.unexpected', { account, snapshot: entry.snapshot_id, file }),
    onUnknownKey: ({ account_id: account, entry }, key_id) =>
      logger.warn('signature.unknown', { account, snapshot: entry.snapshot_id, found: key_id }),
    onDamagedComparison: ({ account_id: account, entry }, found) =>
      logger.warn('comparison.damaged', { account, snapshot: entry.snapshot_id, found }),
    onFault: (account, fault) => logger.error('scrub.skipped', { account, ...errorFields(fault) }),
  });
  logger.info('scrub.completed', {
    rows: checked,
    bytes,
    found: `${damaged} damaged, ${left} left for later`,
  });
  if (heads.length > 0 && rebuild !== undefined) {
    await rebuild(heads);
    logger.info('rebuild.queued', { rows: heads.length });
  }
  return damaged === 0 && faults === 0;
}
