/** Runs one build with the real clock, disk and random source. `jobs/build.ts` runs it in its child process. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readClock } from '../../ledger/clock.ts';
import { readSqlFiles } from '../../ledger/migrate/files.ts';
import { SCHEMA_FOLDER } from '../../ledger/schema-folder.ts';
import type { BuildTools, SetChecks } from '../../snapshot/builder/build-tools.ts';
import type { ShareRanges } from '../../snapshot/builder/shared-ranges.ts';
import type { BuildEvent } from '../../snapshot/builder/events.ts';
import type { Logger } from '../../log.ts';
import { auditScripts } from '../../snapshot/audit/script.ts';
import { type SqlScript, sqlScripts } from '../../sql-scripts.ts';
import { type Built, buildSnapshot } from '../../snapshot/builder/build.ts';
import type { WarmThread } from '../../parquet/warm-thread.ts';
import { readStoreClock } from '../../store/clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { CheckHead } from '../../snapshot/read/seen-heads.ts';
import type { BuildLayout } from '../../store-settings.ts';
import { REPORTING } from '../../tables/all.ts';
import { describeTable, describeTables, SCHEMA_VERSION } from '../../tables/describe.ts';
import type { FileSet } from '../../tables/file-set.ts';
import { SETS_BESIDE } from '../../tables/file-sets.ts';
import { nightAt } from '../nights.ts';
import type { KeptSession } from './kept-session.ts';
import type { Store } from '../../store/store.ts';
import { BuildClocks } from './build-clocks.ts';
import { compareWithBefore } from './store-comparison.ts';
import { IDENTITY, CLOCK } from '../machine.ts';
import { WRITER } from '../../version.ts';
import type { Instant } from '../../instant.ts';

export interface AccountBuild {
  readonly account_id: bigint;
  /** A store with its marker, which passed its self-test. */
  readonly store: Store;
  /** The night of the build, `YYYY-MM-DD`; null: the night of the snapshot's moment. */
  readonly night: string | null;
  /** When a rebuild was queued: any snapshot of a later moment satisfies it. */
  readonly requested_at?: Instant | undefined;
  /** Since when the build is timed. */
  readonly began_at?: Instant;
  readonly checkHead?: CheckHead;
  readonly schedule: string;
  /** True: build only if the night has no snapshot yet. */
  readonly once: boolean;
  /** The number of ranges that a long table is cut into; `cutLong` decides if omitted. */
  readonly ranges?: number | undefined;
  /** The same for an account whose newest snapshot has many rows. */
  readonly cutLong?: number | undefined;
  /** True: publish although the newest snapshot read a later state of the ledger. */
  readonly acceptLedger?: boolean | undefined;
  /** Offers ranges to other workers; if omitted, this process reads all of them. */
  readonly shareRanges?: ShareRanges | undefined;
  /** Sessions of the ledger as the reader. */
  readonly sessions: KeptSession;
  readonly spoolRoot: string;
  readonly layout?: BuildLayout;
  /** The worker thread that encodes the files of this and later builds. The build starts its own if omitted. */
  readonly thread?: WarmThread;
  readonly signal: AbortSignal;
  readonly onEvent: (event: BuildEvent) => void;
  readonly logger: Logger;
}

/** Builds, audits and publishes one snapshot of the account, then stores its comparison with the snapshot before. */
export async function buildAccount(build: AccountBuild): Promise<Built> {
  const { store } = build;
  return await buildSnapshot(
    {
      account_id: build.account_id,
      nonce: IDENTITY.newNonce(),
      night: build.night,
      once: build.once,
      requested_at: build.requested_at,
      began_at: build.began_at,
      builder: IDENTITY.by,
      ranges: build.ranges,
      cut_long: build.cutLong,
      accept_ledger: build.acceptLedger,
      signal: build.signal,
    },
    {
      connect: () => build.sessions.lend(),
      giveBack: (client) => build.sessions.giveBack(client),
      store,
      clock: CLOCK,
      checkHead: build.checkHead,
      readClocks: (client, lately = false) => clocksOf(store).read(() => readClock(client), lately),
      nightAt: (microseconds) => nightAt(build, microseconds).day,
      fs,
      spoolRoot: build.spoolRoot,
      layout: build.layout,
      thread: build.thread,
      // More ranges at the same time would only wait for each other.
      range_lanes: availableParallelism(),
      shareRanges: build.shareRanges,
      ...(await auditsOfProcess()),
      newNonce: IDENTITY.newNonce,
      writer: WRITER,
      onEvent: build.onEvent,
      afterPublished: (published) => compareWithBefore({ ...build, published }),
    },
  );
}

type Audits = Pick<BuildTools, 'checks' | 'checksBeside' | 'description'>;

let audits: Promise<Audits> | undefined;

/** What every build of the process audits, read once: the program does not change. A failed read is repeated. */
export function auditsOfProcess(): Promise<Audits> {
  audits ??= readAudits();
  audits.catch(() => (audits = undefined));
  return audits;
}

async function readAudits(): Promise<Audits> {
  const description = describeTables();
  return {
    description,
    checks: auditScripts(await readScripts(REPORTING.checks), description),
    checksBeside: await readChecksBeside(),
  };
}

/** The scripts that audit each set: its own scripts, and the check of keys, which it shares with the reporting tables. */
export async function readChecksBeside(sets: readonly FileSet[] = SETS_BESIDE): Promise<SetChecks> {
  const shared = await readScripts(REPORTING.checks);
  const keys = shared.filter(({ name }) => name === '12-each-check-keys');
  const read = async (set: FileSet) => {
    const tables = set.tables.map((table) => ({
      ...describeTable(table),
      name: `${set.folder}${table.name}`,
    }));
    const scripts = [...(await readScripts(set.checks)), ...keys];
    return [set, auditScripts(scripts, { version: SCHEMA_VERSION, tables })] as const;
  };
  return new Map(await Promise.all(sets.map(read)));
}

const clocks = new WeakMap<Store, BuildClocks>();

/** The clocks of all builds of the process into this store. */
function clocksOf(store: Store): BuildClocks {
  const kept =
    clocks.get(store) ??
    new BuildClocks({
      readStoreClock: () => untilAnswered(CLOCK, () => readStoreClock(store, randomUUID)),
      readOwnClock: CLOCK.now,
    });
  clocks.set(store, kept);
  return kept;
}

async function readScripts(folder: string): Promise<readonly SqlScript[]> {
  return sqlScripts(await readSqlFiles(join(SCHEMA_FOLDER, folder)));
}
