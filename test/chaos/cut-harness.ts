/** Builds of the fixture company whose connections go through a proxy, on a PostgreSQL that can be crashed. */
import { rm } from 'node:fs/promises';
import type { Client } from 'pg';
import { openClient } from '../../src/ledger/connect.ts';
import type { Built } from '../../src/snapshot/builder/build.ts';
import { AT, type Asked, type BuildHarness, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { type StartedCluster, asAdmin, startCluster } from '../support/cluster.ts';
import { type Ending, startCuttingProxy } from '../support/cutting-proxy.ts';

const MINUTE = 60_000_000n;
/** Long for a database that answers, short for a campaign. */
const SILENCE_MS = 3_000;

/** How the next connection ends; null for well. */
export interface End {
  readonly afterBytes: number;
  readonly ending: Ending;
}

export interface CutHarness extends AsyncDisposable {
  readonly harness: BuildHarness;
  readonly cluster: StartedCluster;
  /** How many bytes of answers the first whole build had. */
  readonly bytes: number;
  /** The `number`-th build, a minute later than the one before. */
  build(number: number, end?: End | null, asked?: Asked): Promise<Built>;
  /** A session of a build, through the proxy. */
  readonly connect: () => Promise<Client>;
  /** The URL that the builds connect to. */
  url(): URL;
  /** Runs a statement as the superuser, with the parameters it has. */
  admin(statement: string, parameters?: readonly unknown[]): Promise<number>;
}

/** Opens it, with the first snapshot of account 1 published. */
export async function openCutHarness(): Promise<CutHarness> {
  const cluster = await startCluster();
  try {
    const harness = await openBuildHarness('template_company', cluster);
    let next: End | null = null;
    let passed = 0;
    const proxy = await startCuttingProxy(cluster.port, {
      allowance: () => next?.afterBytes ?? null,
      ending: () => next?.ending ?? 'cut',
      onPassed: (bytes) => (passed = bytes),
    });
    const url = (): URL => {
      const through = new URL(harness.database.url('cf_reader'));
      through.port = String(proxy.port);
      return through;
    };
    const connect = (silent = false): Promise<Client> =>
      openClient({
        url: url().href,
        role: 'cf_reader',
        applicationName: 'crossfoot build',
        onError: () => undefined,
        ...(silent ? { silenceMs: SILENCE_MS } : {}),
      });
    const build: CutHarness['build'] = async (number, end = null, asked = {}) => {
      next = end;
      try {
        const at = AT + BigInt(number) * MINUTE;
        return await harness.build({ at, connect: () => connect(end?.ending === 'silence'), ...asked });
      } finally {
        next = null;
      }
    };
    await build(0);
    return {
      harness,
      cluster,
      bytes: passed,
      build,
      connect: () => connect(),
      url,
      async admin(statement, parameters = []) {
        const now = new URL(harness.database.adminUrl);
        now.port = String(cluster.port());
        return await asAdmin(now.href, async (admin) => {
          const { rowCount } = await admin.query(statement, [...parameters]);
          return rowCount ?? 0;
        });
      },
      async [Symbol.asyncDispose]() {
        await proxy.close();
        // The database goes with its cluster, which may be down.
        await harness.thread[Symbol.asyncDispose]();
        await rm(harness.root, { recursive: true });
        await cluster.stop();
      },
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
