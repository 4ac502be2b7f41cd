/**
 * The files of a whole snapshot beside DuckDB's. First the twelve tables that are selected: ours with all promises, DuckDB's
 * bytes only, in turns. Then all fourteen tables: our build as it is, against the same build with DuckDB's twelve files in
 * place of ours. In both the two computed tables and the audit are our own work.
 */
import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import type { Client } from 'pg';
import { TABLES } from '../../../src/tables/all.ts';
import { type Benchmark, type BenchRequest, type Figure, figure } from '../benchmark.ts';
import { type GeneratedLedger, sizeOf } from '../ledgers/generated-ledger.ts';
import { builderEnv, measureTables } from '../measured-build.ts';
import { endedSeconds, treeSeconds } from '../process-tree.ts';
import { median } from '../rounds.ts';
import { inTurns, momentOf, ratioOf } from './costs-peers.ts';
import { type LaneJob, laneTable, sessionUrl } from './lane-job.ts';
import { cpuOf, runFresh } from './lane-process.ts';
import { ourLane, peerLanes } from './lanes.ts';
import { requireSameRows } from './same-rows.ts';

const ROWS = 300_000;
const ROUNDS = 3;
const AGAINST = "DuckDB's PostgreSQL scanner, bytes only";

export const snapshotPeers: Benchmark = {
  name: 'snapshot-peers',
  title: 'fourteen tables, beside the files of DuckDB',
  run: async (request) => {
    const ledger = await request.ledger();
    const account = await ledger.accountOf(sizeOf(request.rows ?? ROWS));
    return ledger.asReader(account, (leader) => measure(request, ledger, account, leader));
  },
};

async function measure(
  { folder, say }: BenchRequest,
  { databases }: GeneratedLedger,
  account: bigint,
  leader: Client,
): Promise<readonly Figure[]> {
  const { moment, postmaster } = await momentOf(leader);
  const jobOf = async (lane: string, at: string | null): Promise<LaneJob> => {
    await mkdir(join(folder, lane));
    const tables = TABLES.filter(({ from }) => from !== null).map((table) =>
      laneTable(table, account, join(folder, lane, `${table.name}.parquet`)),
    );
    return { url: sessionUrl(databases.ledgerUrl, account), account: String(account), moment: at, tables };
  };
  const entries = [
    { lane: ourLane(folder), job: await jobOf('ours', moment) },
    { lane: peerLanes().duckdb, job: await jobOf('duckdb', null) },
  ];
  const [ours = [], theirs = []] = await inTurns(
    entries,
    ROUNDS,
    ({ lane, job }) => runFresh(lane, job, postmaster),
    say,
  );
  await requireSameRows(entries.map(({ job }) => job.tables));

  const before_s = endedSeconds(process.pid) + treeSeconds(postmaster);
  const build = await measureTables(account, builderEnv(databases, folder, 'store'));
  const build_s = endedSeconds(process.pid) + treeSeconds(postmaster) - before_s;
  say(`  build: ${build.seconds.toFixed(1)} s, ${build_s.toFixed(1)} s of CPU with PostgreSQL`);
  const [own_s, their_s] = [median(ours.map(cpuOf)), median(theirs.map(cpuOf))];
  return [
    figure('snapshot peers: twelve tables: wall', median(ours.map(({ wall_s }) => wall_s)), 's', {
      runs: ROUNDS,
    }),
    figure('snapshot peers: twelve tables: CPU with PostgreSQL', own_s, 's', { runs: ROUNDS }),
    figure(
      'snapshot peers: twelve tables: wall against DuckDB',
      ratioOf([ours, theirs], ({ wall_s }) => wall_s),
      'times',
      { against: AGAINST, runs: ROUNDS },
    ),
    figure(
      'snapshot peers: twelve tables: CPU with PostgreSQL against DuckDB',
      ratioOf([ours, theirs], cpuOf),
      'times',
      { against: AGAINST, runs: ROUNDS },
    ),
    figure('snapshot peers: fourteen tables: CPU with PostgreSQL', build_s, 's'),
    figure(
      'snapshot peers: fourteen tables: CPU with PostgreSQL against DuckDB',
      build_s / (build_s - own_s + their_s),
      'times',
      { against: "the same build with DuckDB's twelve files in place of ours, computed from these figures" },
    ),
  ];
}
