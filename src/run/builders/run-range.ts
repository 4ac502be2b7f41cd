/** Stores one range for another build, in a child process of a worker. */
import * as fs from 'node:fs/promises';
import type { Settings } from '../../config.ts';
import { CrossfootError } from '../../errors.ts';
import type { QueuedRange } from '../../ops/range-queue.ts';
import type { WarmThread } from '../../parquet/warm-thread.ts';
import { storeRange } from '../../snapshot/builder/store-range.ts';
import type { Store } from '../../store/store.ts';
import { spoolFolder } from '../databases.ts';
import { CLOCK, IDENTITY } from '../machine.ts';
import type { BuilderSessions } from './builder-sessions.ts';
import type { BuildMessage } from './messages.ts';

interface RangeProcessTools {
  readonly settings: Pick<Settings, 'dataDir'>;
  readonly sessions: Pick<BuilderSessions, 'reader'>;
  readonly openStore: () => Promise<Store>;
  /** The thread that encodes the part. */
  readonly thread: WarmThread;
  /** For tests: the rows in a row group, instead of those that the tables declare. */
  readonly group_rows?: number;
  readonly signal: AbortSignal;
  readonly tell: (message: BuildMessage) => void;
}

/** Stores the part of the range, and tells the parent its digest. Throws what `storeRange` throws. */
export async function runRange(queued: QueuedRange, tools: RangeProcessTools): Promise<void> {
  const { settings, sessions, openStore, thread, group_rows, signal, tell } = tools;
  const { reader } = sessions;
  if (reader === null)
    throw new CrossfootError('settings_invalid', 'A range needs LEDGER_URL or DATABASE_URL.');
  const { table, number, from, to, rows, exported_snapshot, pg_snapshot } = queued;
  const { size_bytes, sha256 } = await storeRange(
    {
      account_id: BigInt(queued.account_id),
      nonce: queued.build,
      moment: { generated_at: BigInt(queued.generated_at), exported_snapshot, pg_snapshot },
      table,
      number,
      range: { from, to, rows },
      signal,
    },
    {
      connect: () => reader.lend(),
      giveBack: (client) => reader.giveBack(client),
      store: await openStore(),
      clock: CLOCK,
      fs,
      spoolRoot: spoolFolder(settings),
      thread,
      group_rows,
      newNonce: IDENTITY.newNonce,
      onEvent: (event) => tell({ event }),
    },
  );
  tell({ event: { kind: 'part.stored', rows, size_bytes, sha256 } });
}
