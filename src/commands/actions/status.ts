/** The action of `crossfoot status`: reads the queue and the store, and prints both. */
import { type DeliveryStatus, readDeliveryStatus } from '../../deliveries/standing.ts';
import type { Night } from '../../ops/night.ts';
import type { NightStatus, Trouble } from '../../ops/night-status.ts';
import { fromMs, SECOND, toMs } from '../../instant.ts';
import { formatInstant, parseInstant } from '../../time.ts';
import { secondOfSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import { aligned } from '../terminal/aligned.ts';
import { type Clocks, clockThatIsOff } from '../../clock-offsets.ts';
import { clockReader } from '../../run/clocks.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { leftOutCounts, leftOutOfAccounts } from '../terminal/left-out-report.ts';
import {
  type NewestSnapshot,
  readNewestSnapshots,
  standingAsJson,
  standingLines,
} from '../terminal/newest-snapshots.ts';
import { nextCommand } from '../../run/builders/next-command.ts';
import { nightAt } from '../../run/nights.ts';
import { openStoreToRead } from '../../run/object-store.ts';
import { openQueueSession } from '../../run/worker/queue-session.ts';
import { shownAge, shownDuration, shownInstant, shownSentence } from '../../format.ts';
import { CLOCK } from '../../run/machine.ts';
import type { PendingBuild } from '../../next-step.ts';
import { readPendingBuilds } from '../../ops/pending-builds.ts';
import { printJson } from '../terminal/print-json.ts';

/** The maximum number of failures printed for a person, and by `--json`. */
const MAX_PRINTED_FAILURES = 20;
const MAX_JSON_FAILURES = 100_000;
const SLOWEST = 5;
const MILLISECONDS = 1_000;

export interface StatusOptions {
  readonly json: boolean;
  /** True: each amount without dollars is shown with its reason, and not only their number. */
  readonly amounts: boolean;
}

interface StatusReport {
  readonly night: Night;
  readonly status: NightStatus;
  readonly newest: readonly NewestSnapshot[];
  readonly clocks: Clocks;
  readonly deliveries: DeliveryStatus;
  /** The builds that wait or run, of the accounts in trouble. */
  readonly pending: ReadonlyMap<bigint, PendingBuild>;
}

/** Prints the progress of this night and the newest snapshots. */
export async function tellStatus({ json, amounts }: StatusOptions, context: CommandContext): Promise<void> {
  const status = await look(context, json ? MAX_JSON_FAILURES : MAX_PRINTED_FAILURES);
  if (json) printJson(context.print, asJson(status));
  else for (const line of lines(status, amounts)) context.print(line);
}

async function look(context: CommandContext, troubles: number): Promise<StatusReport> {
  const { settings, logger } = openSettings(context);
  await using databases = await openDatabases(settings, context.signal);
  await using session = await openQueueSession({ databases, logger, supervise: false });
  const night = nightAt(settings, await session.readDatabaseClock());
  const status = await session.readStatus(night.day, { troubles, slowest: SLOWEST });
  const store = await openStoreToRead(settings);
  const newest = await readNewestSnapshots(store, await session.readAccounts(), CLOCK.now());
  const clocks = await clockReader(settings, session.readDatabaseClock)();
  const deliveries = await readDeliveryStatus(session.service, troubles);
  const inTrouble = [
    ...[...status.troubles, ...status.rebuild_troubles].map(({ account_id }) => account_id),
    ...newest.filter(({ newest_fault }) => newest_fault !== null).map(({ account_id }) => account_id),
  ];
  const pending = await readPendingBuilds(session.service, inTrouble);
  return { night, status, newest, clocks, deliveries, pending };
}

function asJson({ night, status, newest, clocks, deliveries, pending }: StatusReport): unknown {
  return {
    night: night.day,
    due_at: formatInstant(fromMs(night.due_ms)),
    ...status,
    last_ended_at: status.last_ended_at && formatInstant(status.last_ended_at),
    newest: newest.map((each) => ({ ...each, ...standingAsJson(each) })),
    deliveries,
    pending: [...pending.values()].map((each) => ({ ...each, at: formatInstant(each.at) })),
    clock_offset_seconds: {
      database: secondsOf(clocks.database_offset),
      store: secondsOf(clocks.store_offset),
    },
  };
}

function secondsOf(offset: bigint | null): number | null {
  return offset === null ? null : Number(offset) / Number(SECOND);
}

/** Seconds with one decimal; a small offset below zero is `0.0`, not `-0.0`. */
function shownSeconds(offset: bigint): string {
  return (Math.round(toMs(offset) / 100) / 10 || 0).toFixed(1);
}

function clockLine(clocks: Clocks): string {
  const off = clockThatIsOff(clocks);
  const [database, store] = [clocks.database_offset, clocks.store_offset].map((offset) =>
    offset === null ? 'unknown' : `${shownSeconds(offset)} s`,
  );
  const line = `clocks from this machine: database ${database}, store ${store}`;
  return off === null ? line : `${line}. ${off.sentence}. ${off.cure}`;
}

function lines(
  { night, status, newest, clocks, deliveries, pending }: StatusReport,
  amounts: boolean,
): readonly string[] {
  const { counts, last_ended_at, troubles, rebuild_troubles, slowest, rebuilds, dead_letters } = status;
  const now = CLOCK.now();
  return [
    `night of ${night.day}, due ${shownInstant(fromMs(night.due_ms))}`,
    last_ended_at === null
      ? 'no build of this night has ended'
      : `its last build ended at ${shownInstant(last_ended_at)}`,
    ...aligned(Object.entries(counts).map(([state, count]) => [`  ${state}`, String(count)])),
    `rebuilds waiting or running: ${rebuilds}; dead letters of all nights: ${dead_letters}`,
    ...(troubles.length + rebuild_troubles.length === 0 ? [] : ['troubles']),
    ...troubles.map((trouble) => troubleLine(trouble, '', { pending, newest })),
    ...rebuild_troubles.map((trouble) => troubleLine(trouble, 'rebuild ', { pending, newest })),
    ...(slowest.length === 0 ? [] : ['slowest']),
    ...slowest.map(
      ({ account_id, seconds }) => `  account ${account_id} ${shownDuration(seconds * MILLISECONDS)}`,
    ),
    clockLine(clocks),
    'newest snapshot of each account, the oldest first',
    ...aligned(
      newest.map(({ account_id, snapshot_id, age_seconds }) => [
        `  account ${account_id}`,
        age_seconds === null ? 'none' : shownAge(now - BigInt(age_seconds) * SECOND, now),
        snapshot_id ?? '',
      ]),
    ),
    ...newest.flatMap((each) =>
      standingLines(each.account_id, each, pending.get(each.account_id) ?? null).map(
        (line) => `account ${each.account_id}: ${line}`,
      ),
    ),
    ...deliveryLines(deliveries),
    ...(amounts ? leftOutOfAccounts(newest) : leftOutCounts(newest)),
  ];
}

/** What failed, and what follows. */
function troubleLine(
  { account_id, state, tries, code, message, os_code, ended_at }: Trouble,
  what: string,
  { pending, newest }: Pick<StatusReport, 'pending' | 'newest'>,
): string {
  const failed = `  account ${account_id} ${what}${state}, try ${tries}: ${code}: ${shownSentence(message)}`;
  const since = newest.find((each) => each.account_id === account_id)?.snapshot_id ?? null;
  const ended = ended_at === null ? null : parseInstant(ended_at);
  // A retry that follows is said all the same.
  if (state === 'dead' && since !== null && ended !== null && secondOfSnapshotId(since) > ended)
    return `${failed} Since then ${since} was published.`;
  const failure = { code, data: { code: os_code } };
  const build = { account_id: String(account_id), failure, started_by: 'queue' } as const;
  const { command, why } = nextCommand(build, 'failed', { pending: pending.get(account_id) ?? null });
  return `${failed} Next: ${command} (${why})`;
}

/** Nothing if no account has a target. */
function deliveryLines({ targets, delivered, troubles }: DeliveryStatus): readonly string[] {
  if (targets === 0) return [];
  return [
    `deliveries: ${delivered} of ${targets} targets have the newest snapshot that is due there`,
    ...troubles.map(
      ({ account_id, target_id, snapshot_id, state, tries, fault }) =>
        `  account ${account_id}, target ${target_id}: ${snapshot_id} ${state}, try ${tries}: ${fault}`,
    ),
  ];
}
