/**
 * Many small accounts, built as workers do it: one process builds one account after the other, and there is one for
 * each of two cores, in the packed layout, with companions, FOCUS and signatures. How many a second, and what each costs. Making a thousand takes longer than building them.
 */
import type { Databases } from '../../../src/run/opened-databases.ts';
import { type Benchmark, type BenchRequest, type Figure, figure } from '../benchmark.ts';
import { buildCpuSeconds } from '../../fleet/build-cpu.ts';
import { parentOf, treeSeconds } from '../process-tree.ts';
import { builderEnv } from '../measured-build.ts';
import { median, timed } from '../rounds.ts';
import type { GeneratedLedger } from './generated-ledger.ts';
import { STEPS, steppedBuilds } from './stepped-builds.ts';

const ROWS = 100;
const ACCOUNTS = 40;
const BUILDERS = 2;
/** Of how many the steps are looked at, in this process. */
const STEPPED = 40;

export const smallAccounts: Benchmark = {
  name: 'small-accounts',
  title: `accounts of ${ROWS} costs and ${ROWS} value entries, by ${BUILDERS} builders`,
  run: async (request: BenchRequest): Promise<readonly Figure[]> => {
    const generated = await request.ledger();
    const accounts: bigint[] = [];
    for (let seed = 1n; seed <= (request.accounts ?? ACCOUNTS); seed += 1n) {
      accounts.push(await generated.accountOf({ rows: ROWS, initiatives: 20, years: 1, inputs: 0, seed }));
    }
    const postgres = await postmasterOf(generated, accounts[0] ?? 0n);
    const before_s = treeSeconds(postgres);
    let costs: readonly (readonly number[])[] = [];
    const { wall_s } = await timed(async () => {
      costs = await build(accounts, generated.databases, request.folder);
    });
    const postgres_s = (treeSeconds(postgres) - before_s) / accounts.length;
    const first = median(costs.map(([cost = NaN]) => cost));
    const later = costs.flatMap(([, ...rest]) => rest);
    const mean = later.reduce((sum, cost) => sum + cost, 0) / later.length;
    // The first of a process loads the libraries, and code is not tuned yet.
    const [, ...stepped] = await steppedBuilds(
      generated.databases,
      accounts.slice(0, STEPPED),
      request.folder,
    );
    return [
      figure(
        `small accounts: built a second by ${BUILDERS} builders`,
        accounts.length / wall_s,
        'accounts/s',
        { runs: accounts.length, target: { at_least: 5 } },
      ),
      figure('small accounts: CPU of each build, PostgreSQL aside', mean, 's', { runs: later.length }),
      figure('small accounts: CPU of PostgreSQL for each', postgres_s, 's', { runs: accounts.length }),
      figure(
        'small accounts: less CPU than where each build is a process of its own',
        first / mean,
        'times',
        {
          against: 'the first build of a process, its start included',
          runs: BUILDERS,
          target: { at_least: 1.5 },
        },
      ),
      ...STEPS.map((step) =>
        figure(`small accounts: CPU of ${step}`, median(stepped.map(({ cpu_s }) => cpu_s[step])), 's', {
          runs: stepped.length,
        }),
      ),
      figure(
        'small accounts: calls of the store in a build',
        median(stepped.map(({ storeCalls }) => storeCalls)),
        'calls',
        { runs: stepped.length, target: { at_most: 44 } },
      ),
    ];
  },
};

/** The process of PostgreSQL that all its sessions descend from: the parent of one. */
async function postmasterOf(generated: GeneratedLedger, account: bigint): Promise<number> {
  const [session] = await generated.asReader(account, async (reader) => {
    const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows.map(({ pid }) => parentOf(pid) ?? 0);
  });
  return session ?? 0;
}

/** The CPU seconds of each account's build, by builder; each takes every second account. */
async function build(
  accounts: readonly bigint[],
  databases: Databases,
  folder: string,
): Promise<readonly (readonly number[])[]> {
  const env = { ...builderEnv(databases, folder, 'store'), BUILD_LAYOUT: 'packed' };
  return Promise.all(
    Array.from({ length: BUILDERS }, (_, builder) =>
      buildCpuSeconds(
        accounts.filter((_account, index) => index % BUILDERS === builder),
        env,
      ),
    ),
  );
}
