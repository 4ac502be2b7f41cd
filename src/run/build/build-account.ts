/** One build with the real tools: this machine's clock, disk and chance. What `jobs/build.ts` runs in its child. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { withPostgresErrors } from '../../ledger/moment/moment-errors.ts';
import { readClock } from '../../ledger/clock.ts';
import { openClient } from '../../ledger/connect.ts';
import { readSqlFiles } from '../../ledger/migrate/files.ts';
import { checkRoles } from '../../ledger/roles-check.ts';
import { SCHEMA_FOLDER } from '../../ledger/migrate/schema-folder.ts';
import type { BuildEvent } from '../../snapshot/build/events.ts';
import { SILENCE_MS } from '../../snapshot/build/build-moment.ts';
import { auditScripts } from '../../snapshot/audit/script.ts';
import { readClocks } from '../../clock-offsets.ts';
import { sqlScripts } from '../../sql-scripts.ts';
import { type Built, buildSnapshot } from '../../snapshot/build/build.ts';
import type { WarmThread } from '../../parquet/warm-thread.ts';
import { readStoreClock } from '../../store/clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { CheckHead } from '../../snapshot/read/seen-heads.ts';
import { describeTables } from '../../tables/describe.ts';
import { nightAt } from '../nights.ts';
import { type ObjectStoreSettings, openObjectStore } from '../object-store.ts';
import { leaveMark } from '../store-mark.ts';
import { MARKING, PACE } from '../surroundings.ts';
import { WRITER } from '../../version.ts';

export interface AccountBuild extends ObjectStoreSettings {
  readonly account_id: bigint;
  /** The night it is for, `YYYY-MM-DD`; null for that of its moment. */
  readonly night: string | null;
  /** When a rebuild was queued, in microseconds since 1970: a snapshot of a later moment answers it. */
  readonly requested_at?: bigint | undefined;
  readonly checkHead?: CheckHead;
  readonly schedule: string;
  /** True: only if that night has no snapshot yet. */
  readonly once: boolean;
  readonly ledgerUrl: string;
  /** Where links lead for an account that names no application of its own. */
  readonly appUrl: string;
  readonly spoolRoot: string;
  /** What the files of this and of later builds are encoded in; without one, it has its own. */
  readonly thread?: WarmThread;
  readonly signal: AbortSignal;
  readonly onEvent: (event: BuildEvent) => void;
}

/** Builds, audits and publishes one snapshot of the account. */
export async function buildAccount(build: AccountBuild): Promise<Built> {
  const store = await openObjectStore(build);
  await leaveMark(store, PACE);
  const description = describeTables();
  const checks = auditScripts(sqlScripts(await readSqlFiles(join(SCHEMA_FOLDER, 'audit'))), description);
  return buildSnapshot(
    {
      account_id: build.account_id,
      nonce: MARKING.newNonce(),
      night: build.night,
      once: build.once,
      requested_at: build.requested_at,
      builder: MARKING.by,
      signal: build.signal,
    },
    {
      connect: async () => {
        const client = await openClient({
          url: build.ledgerUrl,
          role: 'cf_reader',
          appUrl: build.appUrl,
          applicationName: 'crossfoot build',
          silenceMs: SILENCE_MS,
        });
        await withPostgresErrors(client, () => checkRoles(client)).catch(async (error: unknown) => {
          await client.end();
          throw error;
        });
        return client;
      },
      store,
      pace: PACE,
      checkHead: build.checkHead,
      readClocks: (client) =>
        readClocks({
          readDatabaseClock: () => readClock(client),
          readStoreClock: () => untilAnswered(PACE, () => readStoreClock(store, randomUUID)),
          readOwnClock: PACE.now,
        }),
      nightAt: (microseconds) => nightAt(build, microseconds).day,
      fs,
      spoolRoot: build.spoolRoot,
      thread: build.thread,
      description,
      checks,
      newNonce: MARKING.newNonce,
      writer: WRITER,
      onEvent: build.onEvent,
    },
  );
}
