/** Many small accounts, one after the other in one process as a worker builds them: how many a second, and what each costs. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Benchmark, BenchRequest, Figure } from './benchmark.ts';
import { buildCpuSeconds } from '../fleet/build-cpu.ts';
import { median, timed } from './rounds.ts';
import { STEPS, steppedBuilds } from './stepped-builds.ts';

const ROWS = 100;
const ACCOUNTS = 40;

export const smallAccounts: Benchmark = {
  name: 'small-accounts',
  title: `${ACCOUNTS} accounts of ${ROWS} costs and ${ROWS} value entries`,
  run: async ({ ledger, folder }: BenchRequest): Promise<readonly Figure[]> => {
    const generated = await ledger();
    const accounts: bigint[] = [];
    for (let seed = 1n; seed <= ACCOUNTS; seed += 1n) {
      accounts.push(await generated.accountOf({ rows: ROWS, initiatives: 20, years: 1, inputs: 0, seed }));
    }
    let costs: readonly number[] = [];
    const { wall_s } = await timed(async () => {
      costs = await buildCpuSeconds(accounts, {
        ...process.env,
        LEDGER_URL: generated.databases.ledgerUrl,
        OBJECT_STORE: pathToFileURL(join(folder, 'store')).href,
        DATA_DIR: folder,
      });
    });
    const [first = NaN, ...later] = costs;
    const mean = later.reduce((sum, cost) => sum + cost, 0) / later.length;
    // The first of a process loads the libraries, and code is not tuned yet.
    const [, ...stepped] = await steppedBuilds(generated.databases, accounts, folder);
    return [
      {
        name: 'small accounts: built a second by one worker',
        value: ACCOUNTS / wall_s,
        unit: 'accounts/s',
        against: null,
        runs: ACCOUNTS,
      },
      {
        name: 'small accounts: CPU of each build, PostgreSQL aside',
        value: mean,
        unit: 's',
        against: null,
        runs: later.length,
      },
      {
        name: 'small accounts: less CPU than where each build is a process of its own',
        value: first / mean,
        unit: 'times',
        against: 'the first build of the process, its start included',
        runs: 1,
        target: { at_least: 1.5 },
      },
      ...STEPS.map((step) => ({
        name: `small accounts: CPU of ${step}`,
        value: median(stepped.map(({ cpu_s }) => cpu_s[step])),
        unit: 's',
        against: null,
        runs: stepped.length,
      })),
      {
        name: 'small accounts: calls of the store in a build',
        value: median(stepped.map(({ storeCalls }) => storeCalls)),
        unit: 'calls',
        against: null,
        runs: stepped.length,
      },
    ];
  },
};
