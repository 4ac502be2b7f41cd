/** Builds in this process, to see what the steps of one cost and how often it asks the store. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import type { Databases } from '../../../src/run/opened-databases.ts';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { BuildClocks } from '../../../src/run/builders/build-clocks.ts';
import { KeptSession } from '../../../src/run/builders/kept-session.ts';
import { IDENTITY, CLOCK } from '../../../src/run/machine.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import type { BuildLayout } from '../../../src/store-settings.ts';
import { signingWith } from '../../support/signing.ts';
import { readClock } from '../../../src/ledger/clock.ts';
import { openClient } from '../../../src/ledger/connect.ts';
import { readSqlFiles } from '../../../src/ledger/migrate/files.ts';
import { auditScripts } from '../../../src/snapshot/audit/script.ts';
import { sqlScripts } from '../../../src/sql-scripts.ts';
import { SCHEMA_FOLDER } from '../../../src/ledger/schema-folder.ts';
import { WarmThread } from '../../../src/parquet/warm-thread.ts';
import type { BuildEvent } from '../../../src/snapshot/builder/events.ts';
import { buildSnapshot } from '../../../src/snapshot/builder/build.ts';
import { readStoreClock } from '../../../src/store/clock.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import type { Signing } from '../../../src/signing/keys.ts';
import type { Store } from '../../../src/store/store.ts';
import { describeTables } from '../../../src/tables/describe.ts';

/** The steps of a build, each up to an event that it tells. */
export const STEPS = ['tables', 'control totals and audit', 'publishing'] as const;

export interface SteppedBuild {
  /** CPU time of this process and its threads in each step. */
  readonly cpu_s: Readonly<Record<(typeof STEPS)[number], number>>;
  readonly storeCalls: number;
}

export interface SteppedBuilder extends AsyncDisposable {
  readonly build: (account_id: bigint) => Promise<SteppedBuild>;
}

/** Builds the accounts one after the other into a folder, as a builder does in the packed layout. */
export async function steppedBuilds(
  databases: Databases,
  accounts: readonly bigint[],
  folder: string,
): Promise<readonly SteppedBuild[]> {
  await using builder = await openSteppedBuilder(databases, join(folder, 'stepped'), {
    signing: signingWith(),
    layout: 'packed',
    checksBeside: await readChecksBeside(),
  });
  const builds: SteppedBuild[] = [];
  for (const account_id of accounts) builds.push(await builder.build(account_id));
  return builds;
}

interface SteppedOptions {
  /** Without it nothing is signed, as before snapshots were. */
  readonly signing?: Signing;
  readonly layout?: BuildLayout;
  /** Without it there are no companion tables and no FOCUS file. */
  readonly checksBeside?: SetChecks;
  readonly onEvent?: (event: BuildEvent) => void;
}

/** Builds into a store in the folder. */
export async function openSteppedBuilder(
  { ledgerUrl }: Pick<Databases, 'ledgerUrl'>,
  folder: string,
  { signing, layout, checksBeside, onEvent }: SteppedOptions = {},
): Promise<SteppedBuilder> {
  const description = describeTables();
  const checks = auditScripts(sqlScripts(await readSqlFiles(join(SCHEMA_FOLDER, 'audit'))), description);
  const counted = countCalls(
    Object.assign(
      await openFolderStore({ fs, root: join(folder, 'store'), randomUuid: randomUUID }),
      signing === undefined ? {} : { signing },
    ),
  );
  const thread = new WarmThread();
  const sessions = new KeptSession(
    () =>
      openClient({
        url: ledgerUrl,
        role: 'cf_reader',
        applicationName: 'crossfoot bench',
        onError: () => undefined,
      }),
    async () => undefined,
  );
  const clocks = new BuildClocks({
    readStoreClock: () => readStoreClock(counted.store, randomUUID),
    readOwnClock: CLOCK.now,
  });
  const build = async (account_id: bigint): Promise<SteppedBuild> => {
    const marks: Partial<Record<BuildEvent['kind'], number>> = {};
    const before = { cpu_s: cpuSeconds(), calls: counted.calls };
    await buildSnapshot(
      {
        account_id,
        nonce: IDENTITY.newNonce(),
        night: '2026-01-01',
        once: false,
        builder: 'bench',
        signal: new AbortController().signal,
      },
      {
        connect: () => sessions.lend(),
        giveBack: (client) => sessions.giveBack(client),
        store: counted.store,
        clock: CLOCK,
        readClocks: (client, lately = false) => clocks.read(() => readClock(client), lately),
        nightAt: () => '2026-01-01',
        fs,
        spoolRoot: join(folder, 'spool'),
        thread,
        layout,
        description,
        checks,
        checksBeside,
        newNonce: IDENTITY.newNonce,
        writer: 'bench',
        onEvent: (event) => {
          marks[event.kind] = cpuSeconds();
          onEvent?.(event);
        },
      },
    );
    const {
      'table.written': written = NaN,
      'audit.passed': audited = NaN,
      'snapshot.published': published = NaN,
    } = marks;
    return {
      cpu_s: {
        tables: written - before.cpu_s,
        'control totals and audit': audited - written,
        publishing: published - audited,
      },
      storeCalls: counted.calls - before.calls,
    };
  };
  return {
    build,
    async [Symbol.asyncDispose]() {
      await sessions[Symbol.asyncDispose]();
      await thread[Symbol.asyncDispose]();
    },
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** A store that counts what is asked of it. */
function countCalls(store: Store): { readonly store: Store; calls: number } {
  const counted = {
    calls: 0,
    store: new Proxy(store, {
      get: (target, name: keyof Store) => {
        counted.calls += 1; // every method is called as it is taken
        const part = target[name];
        return typeof part === 'function' ? part.bind(target) : part;
      },
    }),
  };
  return counted;
}
