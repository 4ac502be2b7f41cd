/** The action of `crossfoot why`: reads the records of builds in the data folder. */
import { leftOutLine } from '../../figures/left-out-words.ts';
import { TABLES } from '../../tables/all.ts';
import {
  type Attempt,
  attemptAsJson,
  attemptedAccounts,
  type Fate,
  fateOf,
  readAttempts,
} from '../../run/builders/attempts.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { nextCommand } from '../../run/builders/next-command.ts';
import { glanceAtPending } from '../../run/pending-builds.ts';
import type { NextCommand, PendingBuild } from '../../next-step.ts';
import { shownAge, shownDuration, shownInstant } from '../../format.ts';
import { formatInstant } from '../../time.ts';
import { toMs } from '../../instant.ts';
import { CLOCK } from '../../run/machine.ts';
import { openStoreToRead } from '../../run/object-store.ts';
import type { Settings } from '../../config.ts';
import {
  NO_STANDING,
  type Standing,
  standingAsJson,
  standingLines,
  standingOf,
} from '../terminal/newest-snapshots.ts';
import { printJson } from '../terminal/print-json.ts';

/** Also true while no server runs. */
const UNCHANGED = 'the failed build changed nothing: the newest published snapshot is as it was';

/** Then nothing is known of retries: the command to run next may begin a build beside a retry. */
const NO_QUEUE = 'the queue does not answer: whether a build waits or runs is unknown';

export interface WhyOptions {
  readonly account?: bigint;
  readonly last: number;
  readonly json: boolean;
}

/** Prints how the last builds ended, and the command to run next. */
export async function why({ account, last, json }: WhyOptions, context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  const accounts = account === undefined ? await attemptedAccounts(settings.dataDir) : [String(account)];
  const pending = await glanceAtPending(settings, accounts.map(BigInt));
  const records: unknown[] = [];
  for (const each of accounts) {
    const { attempts, unreadable } = await readAttempts(settings.dataDir, each);
    for (const path of unreadable) context.say(`${path} is not a record of a build`);
    const shown = attempts.slice(0, last);
    const fates = await Promise.all(shown.map(fateOf));
    const standing = await readableStanding(settings, BigInt(each));
    const queued = pending?.get(BigInt(each)) ?? null;
    const lines = standingLines(BigInt(each), standing, queued);
    const worker = settings.ledgerUrl === null ? 'start' : 'work';
    // The queue and the newest snapshot say what follows the last build, and nothing of those before it.
    const nexts = shown.map((attempt, index) => {
      const beside = { pending: queued, newest: standing.newest_fault, worker } as const;
      return nextCommand(attempt, fates[index] ?? 'died', index === 0 ? beside : {});
    });
    if (json) {
      // An account that was built elsewhere has no record that could name them.
      if (shown.length === 0) for (const line of lines) context.say(line);
      records.push(
        ...shown.map((attempt, index) => ({
          ...attemptAsJson(attempt),
          outcome: fates[index] ?? 'died',
          next: nexts[index],
          ...(index === 0 ? { pending: pendingAsJson(queued), queue_answers: pending !== null } : {}),
          ...standingAsJson(standing),
        })),
      );
    } else {
      if (attempts.length === 0) context.print(`account ${each}: ${noneRecorded(settings, account)}`);
      else for (const line of accountLines(each, shown, fates, nexts[0], standing)) context.print(line);
      for (const line of lines) context.print(`  ${line}`);
      if (pending !== null && queued === null) context.print('  no build waits or runs');
    }
  }
  if (json) printJson(context.print, records);
  else {
    if (accounts.length === 0) context.print(noneRecorded(settings));
    if (pending === null) context.print(NO_QUEUE);
  }
}

/** With a database of one's own, workers build too, and record it where they run. */
function noneRecorded({ ledgerUrl, dataDir }: Settings, account?: bigint): string {
  if (ledgerUrl === null)
    return `nothing was built yet; next: npx --no crossfoot build${account === undefined ? '' : ` --account ${account}`}`;
  return `no build is recorded in ${dataDir}: workers record theirs where they run; next: npx --no crossfoot status`;
}

/** What is damaged or retracted; nothing if the store does not answer: then the builds say why. */
async function readableStanding(settings: Settings, account_id: bigint): Promise<Standing> {
  try {
    return await standingOf(await openStoreToRead(settings), account_id);
  } catch {
    return NO_STANDING;
  }
}

/** In the form of `--json`. */
function pendingAsJson(pending: PendingBuild | null): unknown {
  return pending && { ...pending, account_id: String(pending.account_id), at: formatInstant(pending.at) };
}

function accountLines(
  account: string,
  attempts: readonly Attempt[],
  fates: readonly Fate[],
  next: NextCommand | undefined,
  { newest_fault }: Standing,
): readonly string[] {
  const [newest] = attempts;
  const [fate = 'died'] = fates;
  if (newest === undefined || next === undefined) return [];
  const failed = fate === 'failed' || fate === 'died';
  const leftOut = newest.left_out === null ? [] : [leftOutLine(newest.left_out) ?? []].flat();
  return [
    `account ${account}`,
    ...attempts.flatMap((attempt, index) => attemptLines(attempt, fates[index] ?? 'died')),
    ...leftOut.map((line) => `  ${line}`),
    ...(failed && newest_fault === null ? [`  ${UNCHANGED}`] : []),
    `  next: ${next.command}`,
    `        ${next.why}`,
  ];
}

function attemptLines(attempt: Attempt, fate: Fate): readonly string[] {
  const { began_at, ended_at, snapshot_id, failure, kept, pid, host } = attempt;
  const when = `  ${shownInstant(began_at)}, ${shownAge(began_at, CLOCK.now())} ago: `;
  if (fate === 'published' || fate === 'superseded' || fate === 'skipped')
    return [`${when}${fate} ${snapshot_id}`];
  if (fate === 'running') return [`${when}still running as process ${pid} of ${host}, at ${stepOf(attempt)}`];
  if (fate === 'died' || failure === null) {
    return [`${when}DIED without recording an error (killed, or out of memory), at ${stepOf(attempt)}`];
  }
  const took = ended_at === null ? '' : ` after ${shownDuration(toMs(ended_at - began_at))}`;
  return [
    `${when}FAILED${took}, at ${stepOf(attempt)}`,
    `    ${failure.code}: ${failure.message}`,
    ...(failure.code === 'unforeseen' && failure.error !== null ? [`    ${failure.error}`] : []),
    ...(failure.hint === null ? [] : [`    ${failure.hint}`]),
    ...(kept === null ? [] : [`    its files, until the next build: ${kept}`]),
  ];
}

function stepOf({ step, tables_written, last_table }: Attempt): string {
  switch (step) {
    case 'start':
      return 'the start: store, publish log, database, the first table';
    case 'tables':
      return `table ${tables_written + 1} of ${TABLES.length}, after ${last_table}`;
    case 'audit':
      return 'the control totals and the audit';
    case 'publish':
      return 'publishing, after the audit passed';
    case 'done':
      return 'the end, after the snapshot was published';
  }
}
