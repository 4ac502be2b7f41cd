/**
 * A whole build, from the moment to the published snapshot: against the bare COPYs of its tables, what of it is the
 * audit, what its process tree held, and what the ledger's own writers felt of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { requireOwner } from '../../src/run/databases.ts';
import { tableSelect } from '../../src/ledger/moment/table-select.ts';
import { TABLES } from '../../src/tables/all.ts';
import { drop } from './peers/bare-copy.ts';
import { type Benchmark, type BenchRequest, type Figure, figure } from './benchmark.ts';
import { type GeneratedLedger, sizeOf } from './ledgers/generated-ledger.ts';
import { builderEnv, type MeasuredBuild, measureBuild } from './measured-build.ts';
import { timed } from './rounds.ts';
import { type Waits, workBeside } from './work-beside.ts';

const ROWS = 1_000_000;
const GENERATED_AT = 1_767_232_800_000_000n; // 2026-01-01T02:00:00Z
/** What a build of so many rows may hold, and one of ten times as many. */
const MAX_MB = 450;
const MAX_MB_OF_MORE = 500;
const UNDISTURBED_MS = 20_000;

export const wholeSnapshot: Benchmark = {
  name: 'whole-snapshot',
  title: 'fourteen tables, from the moment to published',
  run: async (request) => {
    const ledger = await request.ledger();
    const rows = request.rows ?? ROWS;
    const account = await ledger.accountOf(sizeOf(rows));
    const bare_s = await bareCopies(ledger, account, request.say);
    const build = await measured(ledger, account, request, 'alone');
    const figures = ofBuild(build, bare_s, rows > ROWS ? MAX_MB_OF_MORE : MAX_MB);
    // A larger build takes no more from writers than one of a million, only for longer.
    if (rows > ROWS) return figures;
    const without = await writersFor(ledger, account, () => sleep(UNDISTURBED_MS));
    const beside = await writersFor(ledger, account, () => measured(ledger, account, request, 'beside'));
    return [...figures, ...ofWriters(without, beside)];
  },
};

async function measured(
  { databases }: GeneratedLedger,
  account: bigint,
  { folder }: BenchRequest,
  name: string,
): Promise<MeasuredBuild> {
  return measureBuild(account, builderEnv(databases, folder, name));
}

/** The seconds of the tables' own selects, read one after the other and dropped; those that are computed have none. */
async function bareCopies(
  ledger: GeneratedLedger,
  account: bigint,
  say: (line: string) => void,
): Promise<number> {
  return ledger.asReader(account, async (reader) => {
    let sum_s = 0;
    for (const { name, from } of TABLES) {
      if (from === null) continue;
      const select = tableSelect(name, { account_id: account, generatedAt: GENERATED_AT });
      const { wall_s } = await timed(() => drop(reader, select));
      say(`  bare COPY of ${name}: ${wall_s.toFixed(2)} s`);
      sum_s += wall_s;
    }
    return sum_s;
  });
}

function ofBuild(build: MeasuredBuild, bare_s: number, most_mb: number): readonly Figure[] {
  const milliseconds = (kind: string): number => {
    const event = build.events.find((each) => each.kind === kind);
    if (event === undefined || !('ms' in event)) throw new Error(`the build did not tell of ${kind}`);
    return event.ms;
  };
  const [whole, audit] = [milliseconds('snapshot.published'), milliseconds('audit.passed')];
  const steps = build.events.flatMap((event): Figure[] =>
    event.kind === 'table.written' ? [figure(`whole snapshot: ${event.table}`, event.ms / 1000, 's')] : [],
  );
  return [
    ...steps,
    figure('whole snapshot: wall', whole / 1000, 's'),
    figure('whole snapshot: wall against the bare COPYs', whole / 1000 / bare_s, 'times', {
      against: 'COPY binary of the twelve selects, read and dropped',
      target: { at_most: 1.7 },
    }),
    figure("whole snapshot: the audit's share", audit / whole, 'of the wall time', {
      against: 'the whole build',
      target: { at_most: 0.2 },
    }),
    figure('whole snapshot: peak RSS of the process tree', build.peak_bytes / 1e6, 'MB', {
      target: { at_most: most_mb },
    }),
  ];
}

async function writersFor(
  { databases }: GeneratedLedger,
  account: bigint,
  meanwhile: () => Promise<unknown>,
): Promise<readonly Waits[]> {
  const beside = await workBeside(requireOwner(databases), databases.ledgerUrl, account);
  // Their sessions end also where what they are beside fails.
  const [done, waits] = await Promise.allSettled([meanwhile()]).then(
    async ([result]) => [result, await beside.stop()] as const,
  );
  if (done.status === 'rejected') throw done.reason;
  return waits;
}

function ofWriters(without: readonly Waits[], beside: readonly Waits[]): readonly Figure[] {
  return beside.map(({ work, times, p99_ms }, place) =>
    figure(`whole snapshot: who ${work} beside it, p99`, p99_ms, 'ms', {
      against: `${(without[place]?.p99_ms ?? NaN).toFixed(1)} ms without a build`,
      runs: times,
    }),
  );
}
