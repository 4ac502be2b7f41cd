/**
 * The file of `costs` beside what a data engineer would use, in turns: DuckDB's PostgreSQL scanner, ADBC and connectorx
 * into pyarrow. Each peer has two lines. "Bytes only": it writes a file as its manual shows, while ours has all promises.
 * "The same promises": it also reads at an exported moment, writes required columns, field ids and descriptions, computes
 * the SHA-256 of the file and of each block, and counts the rows of the footer. The rows of all files are compared.
 */
import { join } from 'node:path';
import type { Client } from 'pg';
import { TABLES } from '../../../src/tables/all.ts';
import { type Benchmark, type BenchRequest, type Figure, figure } from '../benchmark.ts';
import { type GeneratedLedger, sizeOf } from '../ledgers/generated-ledger.ts';
import { parentOf } from '../process-tree.ts';
import { median } from '../rounds.ts';
import { type LaneJob, laneTable, sessionUrl } from './lane-job.ts';
import { cpuOf, type Lane, type LaneRun, runFresh, warmUp } from './lane-process.ts';
import { ourLane, type Peer, peerLanes } from './lanes.ts';
import { requireSameRows } from './same-rows.ts';

const ROWS = 1_000_000;
const ROUNDS = 5;
const PROMISES = ['bytes only', 'the same promises'] as const;

export const costsPeers: Benchmark = {
  name: 'peers',
  title: 'costs as Parquet, beside tools of data engineers',
  run: async (request) => {
    const ledger = await request.ledger();
    const account = await ledger.accountOf(sizeOf(request.rows ?? ROWS));
    return ledger.asReader(account, (leader) => measure(request, ledger, account, leader));
  },
};

/** A lane with its job. */
interface Entry {
  readonly lane: Lane;
  readonly job: LaneJob;
}

async function measure(
  { folder, say }: BenchRequest,
  { databases }: GeneratedLedger,
  account: bigint,
  leader: Client,
): Promise<readonly Figure[]> {
  const costs = TABLES.find(({ name }) => name === 'costs');
  if (costs === undefined) throw new Error('there is no table of costs');
  const { moment, postmaster } = await momentOf(leader);
  const url = sessionUrl(databases.ledgerUrl, account);
  const jobTo = (file: string, at: string | null): LaneJob => ({
    url,
    account: String(account),
    moment: at,
    tables: [laneTable(costs, account, join(folder, file))],
  });
  const { duckdb, adbc, connectorx } = peerLanes();
  const ours: Entry = { lane: ourLane(folder), job: jobTo('ours.parquet', moment) };
  const beside = [duckdb, adbc, connectorx].flatMap((peer, index) =>
    PROMISES.map((promises, promised) => ({
      promises,
      lane: peer,
      job: jobTo(`peer-${index}-${promised}.parquet`, promised === 0 ? null : moment),
    })),
  );
  const entries = [ours, ...beside];
  const fresh = await inTurns(entries, ROUNDS, ({ lane, job }) => runFresh(lane, job, postmaster), say);
  await requireSameRows(entries.map(({ job }) => job.tables));

  const warm = [ours, ...beside.filter(({ lane }) => lane === duckdb)];
  const started = await Promise.all(
    warm.map(async ({ lane, job }) => ({ lane, job, running: await warmUp(lane, job) })),
  );
  const again = await inTurns(started, ROUNDS, ({ running, job }) => running.measure(job, postmaster), say);
  for (const { running } of started) await running.end();
  await requireSameRows(warm.map(({ job }) => job.tables));

  const [own = [], ...theirs] = fresh;
  const [ownWarm = [], ...theirsWarm] = again;
  return [
    figure('peers: rows', own[0]?.rows[0] ?? NaN, 'rows'),
    ...ofLane('ours', own),
    ...beside.flatMap(({ lane, promises }, index) => [
      ...ofLane(`${lane.name}, ${promises}`, theirs[index] ?? []),
      ...against(lane, promises, [own, theirs[index] ?? []]),
    ]),
    ...theirsWarm.flatMap((runs, index) => againstWarm(PROMISES[index] ?? '', [ownWarm, runs])),
  ];
}

/** The exported moment of the session, and the first process of its PostgreSQL, which must run on this machine. */
export async function momentOf(
  leader: Client,
): Promise<{ readonly moment: string; readonly postmaster: number }> {
  const { rows } = await leader.query<{ moment: string; pid: number }>(
    'select pg_export_snapshot() as moment, pg_backend_pid() as pid',
  );
  const [{ moment, pid } = { moment: '', pid: 0 }] = rows;
  const postmaster = parentOf(pid);
  if (postmaster === undefined)
    throw new Error('PostgreSQL does not run on this machine: its time is not known');
  return { moment, postmaster };
}

/** Runs each entry so many times in turns, after one round that does not count; gives the runs of each. */
export async function inTurns<Each extends { readonly lane: Lane; readonly job: LaneJob }>(
  entries: readonly Each[],
  rounds: number,
  run: (entry: Each) => Promise<LaneRun>,
  say: (line: string) => void,
): Promise<readonly (readonly LaneRun[])[]> {
  const runs = entries.map((): LaneRun[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, entry] of entries.entries()) {
      const taken = await run(entry);
      const { wall_s, client_s, postgres_s } = taken;
      const seconds = [wall_s, client_s, postgres_s].map((each) => each.toFixed(2)).join(', ');
      const promised = entry.job.moment === null ? 'bytes only' : 'with promises';
      say(`  ${round}: ${entry.lane.name}, ${promised}: wall, client, PostgreSQL ${seconds} s`);
      if (round > 0) runs[index]?.push(taken);
    }
  }
  return runs;
}

/** The two sides of a ratio: ours and the peer's, round by round. */
export type Sides = readonly [ours: readonly LaneRun[], theirs: readonly LaneRun[]];

/** The median of the rounds' ratios. */
export function ratioOf([ours, theirs]: Sides, of: (run: LaneRun) => number): number {
  return median(ours.map((run, round) => of(run) / of(theirs[round] ?? { ...run, rows: [] })));
}

function ofLane(name: string, runs: readonly LaneRun[]): readonly Figure[] {
  const middle = (of: (run: LaneRun) => number): number => median(runs.map(of));
  const beside = { runs: runs.length };
  return [
    figure(
      `peers: ${name}: wall`,
      middle(({ wall_s }) => wall_s),
      's',
      beside,
    ),
    figure(
      `peers: ${name}: CPU of the client`,
      middle(({ client_s }) => client_s),
      's',
      beside,
    ),
    figure(
      `peers: ${name}: CPU of PostgreSQL`,
      middle(({ postgres_s }) => postgres_s),
      's',
      beside,
    ),
    figure(`peers: ${name}: peak memory`, middle(({ peak_bytes }) => peak_bytes) / 1e6, 'MB', beside),
  ];
}

function against({ name, promised }: Peer, promises: string, sides: Sides): readonly Figure[] {
  // What is promised is promised beside the faster line.
  const { cpu, wall } = promises === PROMISES[0] ? promised : {};
  const beside = { against: `${name}, ${promises}, a fresh process each`, runs: ROUNDS };
  return [
    figure(`peers: CPU with PostgreSQL against ${name}, ${promises}`, ratioOf(sides, cpuOf), 'times', {
      ...beside,
      ...(cpu === undefined ? {} : { target: cpu }),
    }),
    figure(
      `peers: wall against ${name}, ${promises}`,
      ratioOf(sides, ({ wall_s }) => wall_s),
      'times',
      {
        ...beside,
        ...(wall === undefined ? {} : { target: wall }),
      },
    ),
  ];
}

function againstWarm(promises: string, sides: Sides): readonly Figure[] {
  const beside = { against: `DuckDB's PostgreSQL scanner, ${promises}, both warm`, runs: ROUNDS };
  const promised = promises === PROMISES[0];
  return [
    figure(`peers: warm: CPU with PostgreSQL against DuckDB, ${promises}`, ratioOf(sides, cpuOf), 'times', {
      ...beside,
      ...(promised ? { target: { at_most: 0.95 } } : {}),
    }),
    figure(
      `peers: warm: wall against DuckDB, ${promises}`,
      ratioOf(sides, ({ wall_s }) => wall_s),
      'times',
      {
        ...beside,
        ...(promised ? { target: { at_most: 0.8 } } : {}),
      },
    ),
  ];
}
