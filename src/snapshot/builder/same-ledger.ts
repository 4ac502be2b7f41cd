/**
 * Notices a restored ledger: its newest snapshot read a later transaction than the database has reached. A copy or an earlier
 * state of the database must not publish older figures as the newest.
 */
import { CrossfootError } from '../../errors.ts';
import type { Moment } from '../../ledger/moment/moment.ts';
import type { Manifest } from '../format/manifest.ts';
import type { BuildJob } from './build-start.ts';

/**
 * After a crash, PostgreSQL may give numbers again that it gave shortly before, to transactions that changed nothing: their log
 * need not be written. A worker alone makes several hundred transactions an hour.
 */
const MAX_REUSED_TRANSACTIONS = 100n;

/**
 * Throws `ledger_older` if the newest snapshot read a later transaction, unless the job accepts the ledger as it is. It cannot
 * notice a database whose server has made as many transactions, such as a restore or a copy in the same server.
 */
export function requireSameLedger(
  { account_id, accept_ledger = false }: Pick<BuildJob, 'accept_ledger' | 'account_id'>,
  newest: Pick<Manifest, 'pg_snapshot' | 'snapshot_id'> | null,
  { pg_snapshot }: Pick<Moment, 'pg_snapshot'>,
): void {
  if (newest === null || accept_ledger) return;
  const [expected, found] = [nextTransaction(newest.pg_snapshot), nextTransaction(pg_snapshot)];
  if (expected - found <= MAX_REUSED_TRANSACTIONS) return;
  throw new CrossfootError(
    'ledger_older',
    `ledger of account ${account_id}: snapshot ${newest.snapshot_id} read up to transaction ${expected}, this database has reached ${found}; nothing was published.`,
    {
      hint: `Set OBJECT_STORE of a copied database to another place. If this database replaces the lost one, run npx --no crossfoot build --account ${account_id} --accept-ledger. If LEDGER_URL names a standby that lags, build again later.`,
      data: { account: account_id, expected, found },
    },
  );
}

/** The first transaction that the snapshot does not see: the second number of `xmin:xmax:in progress`. Throws without one. */
function nextTransaction(pg_snapshot: string): bigint {
  return BigInt(String(pg_snapshot.split(':')[1]));
}
