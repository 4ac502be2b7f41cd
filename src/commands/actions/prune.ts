/** The action of `crossfoot prune`: deletes expired snapshots and abandoned builds, or lists them. */
import * as fs from 'node:fs/promises';
import type { Settings } from '../../config.ts';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import type { Kept, Removal } from '../../snapshot/keep/removals.ts';
import { refusedFolders } from '../../snapshot/spool/sweep.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases, spoolFolder } from '../../run/databases.ts';
import { pruneStore } from '../../run/worker/prune-store.ts';
import { shownCountOf, shownInstant, shownMegabytes } from '../../format.ts';
import { withReserve } from '../../run/with-reserve.ts';

export interface PruneOptions {
  readonly account?: bigint;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** The maximum number of folders of unpublished builds that are printed. */
const MAX_UNPUBLISHED = 20;

const WHY = {
  expired: 'may go since',
  abandoned: 'never published, and unchanged for two days; deletable since',
  comparison: 'a stored comparison with a snapshot that may go or is retracted; deletable since',
  parts: 'of ranges of a build that ended, unchanged for two days; deletable since',
  tombstone: 'the fence of a build that died long ago; deletable since',
} as const satisfies Record<Removal['why'], string>;

/** Prunes the store of the settings; throws if the pruning of an account ended with a fault. */
export function prune(options: PruneOptions, context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  // Before the databases open: on a full disk the embedded database needs the freed space to start.
  return withReserve(settings, () => pruneWith(options, settings, context));
}

async function pruneWith(
  { account, dryRun, json }: PruneOptions,
  settings: Settings,
  context: CommandContext,
): Promise<void> {
  await using databases = await openDatabases(settings, context.signal);
  const { accounts, removed, faults, kept } = await pruneStore({
    settings,
    ledgerUrl: databases.ledgerUrl,
    account_id: account ?? null,
    dryRun,
    onRemoval: (account_id, removal) =>
      context.print(json ? asJson(account_id, removal) : asLine(account_id, removal)),
    onFault: (account_id, fault) =>
      context.say(`account ${account_id} was not pruned to its end: ${said(fault)}`),
    onSweep: (path) =>
      context.print(json ? JSON.stringify({ why: 'left over', path }) : `left over  ${path}`),
  });
  const verb = dryRun ? 'would go' : 'gone';
  context.say(
    `${shownCountOf(accounts, 'account')} looked at, ${shownCountOf(removed, 'folder')} of the store ${verb}`,
  );
  for (const line of keptLines(kept)) context.say(line);
  for await (const { path, bytes } of refusedFolders(fs, spoolFolder(settings))) {
    context.say(
      `a refused build keeps ${shownMegabytes(bytes)} until the next build; delete ${path} to free them`,
    );
  }
  if (faults === 0) return;
  throw new CrossfootError(
    'prune_incomplete',
    `${faults} of ${accounts} accounts were not pruned to their end.`,
    {
      hint: 'Correct the faults listed above, then run npx --no crossfoot prune again. Nothing is deleted while the log or the newest snapshot of an account is damaged.',
    },
  );
}

/** What stays and why, and the commands that let more go. */
function keptLines({ snapshots, pinned, next_at, unpublished }: Kept): readonly string[] {
  const next =
    next_at === null
      ? ''
      : `; the files of the next may go after ${shownInstant(next_at)}, a day after it can no longer be read`;
  return [
    ...(snapshots === 0 ? [] : [`${shownCountOf(snapshots, 'snapshot stays', 'snapshots stay')}${next}`]),
    ...unpublished
      .slice(0, MAX_UNPUBLISHED)
      .map((prefix) => `${prefix} stays: its build runs, or ended without publishing less than two days ago`),
    ...(unpublished.length > MAX_UNPUBLISHED
      ? [`${unpublished.length - MAX_UNPUBLISHED} more such folders stay`]
      : []),
    ...(pinned === 0
      ? []
      : [
          `${pinned} of them pinned: npx --no crossfoot snapshots --account <id> names the pins, npx --no crossfoot unpin ends one`,
        ]),
  ];
}

function asLine(account_id: bigint, { why, snapshot_id, keys, since }: Removal): string {
  const files = shownCountOf(keys.length, 'file');
  return `account ${account_id}  ${snapshot_id}  ${why}, ${files}: ${WHY[why]} ${shownInstant(since)}`;
}

function asJson(account_id: bigint, { why, snapshot_id, prefix, keys, since }: Removal): string {
  const removal = { account_id: String(account_id), snapshot_id, why, prefix, files: keys.length };
  return JSON.stringify({ ...removal, since: shownInstant(since) });
}

function said(fault: unknown): string {
  if (!isCrossfootError(fault)) throw fault; // a programming error, not damage in the store
  return fault.message;
}
