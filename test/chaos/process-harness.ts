/** Builds as schedules start them, each in a process of its own, on a ledger, a spool and a folder store of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BuildMessage, BuildRequest } from '../../src/run/builders/messages.ts';
import { startBuilder } from '../../src/run/builders/build-process.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import type { Store } from '../../src/store/store.ts';
import { type BuildHarness, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { asAdmin, startCluster } from '../support/cluster.ts';
import { SEED, signingWith } from '../support/signing.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const POLL_MS = 20;
/** PostgreSQL hears of a client that was killed when it next writes to it. */
const LEAVE_MS = 10_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface ProcessHarness extends AsyncDisposable {
  readonly harness: BuildHarness;
  /** Where the processes publish to. */
  readonly store: Store;
  /** A build, and what is done to it once it has told so many steps. */
  start(step: number, act: (child: ChildProcess) => void): ChildProcess;
  /** A build behind another program, such as one that spoils its calls; or with other flags of Node. */
  startBehind(program: readonly string[], flags?: readonly string[]): ChildProcess;
  /** A build in this process, at the database's own time; throws unless it is published. */
  publish(): Promise<string>;
  /** The latest snapshot, every byte of it read. */
  served(): Promise<string | undefined>;
  /** Throws when a session is left, or a spool where none may be. */
  holdClean(spool: 'empty' | 'may be left'): Promise<void>;
}

/** How a process ended. */
export async function endOf(child: ChildProcess): Promise<Ended> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, signal: child.signalCode };
}

/** Opens it, with one snapshot published. */
export async function openProcessHarness(): Promise<ProcessHarness> {
  const cluster = await startCluster();
  try {
    const harness = await openBuildHarness('template_company', cluster);
    const root = join(harness.root, 'store');
    const store = {
      ...(await openFolderStore({ fs, root, randomUuid: randomUUID })),
      signing: signingWith(),
    };
    const dataDir = join(harness.root, 'data');
    const env = {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      LEDGER_URL: harness.database.url('cf_reader'),
      SIGNING_KEYS: SEED,
      OBJECT_STORE: `file:${root}`,
      LOG_LEVEL: 'error',
      // One thread for all calls to the file system: the n-th is then the same one each time.
      UV_THREADPOOL_SIZE: '1',
    };
    const publish = async (): Promise<string> => {
      const { outcome, snapshot_id } = await harness.build({ store, at: undefined });
      if (outcome !== 'published') throw new Error(`the next build was ${outcome}`);
      return snapshot_id;
    };
    await publish();
    return {
      harness,
      store,
      publish,
      start(step, act) {
        const child = startBuilder(env);
        child.send({ account: '1', night: null, requested_at: null } satisfies BuildRequest);
        let told = 0;
        child.on('message', (message: BuildMessage) => {
          if ('ended' in message) child.disconnect();
          if (!('event' in message)) return;
          if (told === step) act(child);
          told += 1;
        });
        return child;
      },
      startBehind(program, flags = []) {
        const [file, ...args] = [...program, process.execPath, ...flags, 'jobs/build.ts', '1'];
        return spawn(file, args, { cwd: TOP, env, stdio: 'ignore' });
      },
      served: async () => (await harness.served(1n, store))?.snapshot_id,
      async holdClean(spool) {
        const sessions = `select from pg_stat_activity where application_name = 'crossfoot build'`;
        const left = async (): Promise<number> =>
          await asAdmin(cluster.adminUrl, async (admin) => (await admin.query(sessions)).rowCount ?? 0);
        for (let waited = 0; (await left()) > 0; waited += POLL_MS) {
          if (waited > LEAVE_MS) throw new Error('a session of the build was left');
          await sleep(POLL_MS);
        }
        const spools = await readdir(join(dataDir, 'spool', '1')).catch(() => []);
        if (spool === 'empty' && spools.length > 0) throw new Error(`${spools.length} spools were left`);
      },
      async [Symbol.asyncDispose]() {
        await harness.close();
        await cluster.stop();
      },
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
