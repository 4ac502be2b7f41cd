/** Builds of a real ledger into a real folder; whatever may fail, wait or look at a clock is the test's to replace. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { readClock } from '../../../src/ledger/clock.ts';
import { openClient } from '../../../src/ledger/connect.ts';
import type { WarmThread } from '../../../src/parquet/warm-thread.ts';
import type { BuildEvent } from '../../../src/snapshot/builder/events.ts';
import type { BuildJob } from '../../../src/snapshot/builder/build-start.ts';
import { type Built, buildSnapshot } from '../../../src/snapshot/builder/build.ts';
import type { BuildTools } from '../../../src/snapshot/builder/build-tools.ts';
import { instantOf } from '../../support/instant-of.ts';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import type { Store } from '../../../src/store/store.ts';
import { describeTables } from '../../../src/tables/describe.ts';
import { sharedThread } from '../../parquet/shared-thread.ts';
import { readAll } from '../../store/contract.ts';
import type { Cluster } from '../../support/cluster.ts';
import { type Template, type TestDatabase, createDatabase } from '../../support/database.ts';
import { agreeingAt, clockAt, readerAt } from './build-harness.ts';
import { readChecks } from '../audit/audited-files.ts';

/** The moment that fixtures/TOTALS.md describes, with microseconds to lose. */
export const AT: bigint = instantOf('2026-07-15T02:00:00.123456Z');

/** What the sessions of these builds are called. */
const BUILD_SESSION = 'crossfoot build';

/** What a test may ask of a build beside the defaults: account 1, at `AT`, by the harness's own tools. */
export type Asked = Partial<BuildJob & BuildTools>;

/** The latest snapshot of an account with the bytes of its files, every block checked against the manifest. */
export interface Served extends ReadableSnapshot {
  readonly bytes: ReadonlyMap<string, Buffer>;
}

export interface BuildHarness {
  readonly database: TestDatabase;
  readonly store: Store;
  readonly root: string;
  /** The spool's folder of account 1. */
  readonly spool: string;
  /** What the files of its builds are encoded in. */
  readonly thread: WarmThread;
  /** A session of a build; not of `database`, which would close what a build forgets instead of reporting it. */
  readonly connect: () => Promise<Client>;
  build(asked?: Asked): Promise<Built>;
  /** Null before the first was published. */
  served(account_id?: bigint, store?: Store): Promise<Served | null>;
  /** An empty folder as a store. */
  emptyStore(): Promise<Store>;
  close(): Promise<void>;
}

/** A clone of the template and an empty folder. Every build is audited whole, unless `given` are other checks. */
export async function openBuildHarness(
  template: Template = 'template_company',
  cluster?: Cluster,
  given?: readonly SqlScript[],
): Promise<BuildHarness> {
  const database = await createDatabase(template, cluster);
  const root = await mkdtemp(join(tmpdir(), 'crossfoot-build-'));
  const checks = given ?? (await readChecks());
  const spoolRoot = join(root, 'spool');
  const emptyStore = (): Promise<Store> =>
    openFolderStore({ fs, root: join(root, randomUUID()), randomUuid: randomUUID });
  const store = await emptyStore();
  // As a process has it that builds one account after the other.
  const thread = sharedThread();
  const connect = (): Promise<Client> =>
    openClient({
      url: database.url('cf_reader'),
      role: 'cf_reader',
      applicationName: BUILD_SESSION,
      onError: () => undefined,
    });
  return {
    database,
    store,
    root,
    thread,
    connect,
    spool: join(spoolRoot, '1'),
    emptyStore,
    build: (asked = {}) =>
      buildSnapshot(
        {
          account_id: 1n,
          nonce: randomUUID().replaceAll('-', ''),
          night: '2026-07-15',
          once: false,
          builder: 'test',
          at: AT,
          signal: new AbortController().signal,
          ...asked,
        },
        {
          connect,
          store,
          // Before the time of any file, so that no spool looks abandoned.
          clock: clockAt(0n),
          // All at the stated moment; a test that states none has the database's clock.
          readClocks: async (client) =>
            agreeingAt('at' in asked ? (asked.at ?? (await readClock(client))) : AT),
          nightAt: () => '2026-07-15',
          fs,
          spoolRoot,
          thread,
          description: describeTables(),
          checks,
          newNonce: () => randomUUID().replaceAll('-', ''),
          writer: 'crossfoot 0',
          onEvent: () => undefined,
          ...asked,
        },
      ),
    served: (account_id = 1n, of = store) => servedOf(of, account_id),
    async close() {
      await database.drop();
      await rm(root, { recursive: true });
    },
  };
}

/** What readers of the store have of the account at `AT`; null before the first was published. */
export async function servedOf(store: Store, account_id = 1n): Promise<Served | null> {
  const reader = readerAt(store, () => AT);
  const latest = await reader.latest(account_id);
  if (latest === null) return null;
  const bytes = new Map<string, Buffer>();
  for (const { name } of latest.tables) {
    bytes.set(name, await readAll(await reader.openTable(account_id, latest.snapshot_id, name)));
  }
  return { ...latest, bytes };
}

/** The file of a table in a snapshot that must be there. */
export function fileOf(served: Served | null, table: string): Buffer {
  const file = served?.bytes.get(table);
  if (file === undefined) throw new Error(`no snapshot with a file of ${table} is served`);
  return file;
}

/** Resolves once no build has a session left; a forgotten one ends the test by its time limit. */
export async function untilNoSession(admin: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await admin.query(
      'select from pg_stat_activity where datname = current_database() and application_name = $1',
      [BUILD_SESSION],
    );
    if (rowCount === 0) return;
  }
}

/** Collects what a build tells. */
export function listener(): { readonly events: BuildEvent[]; readonly onEvent: (event: BuildEvent) => void } {
  const events: BuildEvent[] = [];
  return { events, onEvent: (event) => events.push(event) };
}

/** Runs statements of the ledger's owner that name their account, in one transaction. */
export async function change(owner: Client, statements: string, account = 1n): Promise<void> {
  await owner
    .query(`begin; set local app.account_id = '${account}'; ${statements}; commit`)
    .catch(async (error: unknown) => {
      await owner.query('rollback');
      throw error;
    });
}
