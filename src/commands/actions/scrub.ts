/** The action of `crossfoot scrub`: reads the due snapshots and prints the result. */
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import type { DamagedSnapshot } from '../../snapshot/keep/scrub-snapshot.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { scrubStore } from '../../run/worker/scrub-store.ts';
import { BYTES_PER_MEGABYTE, shownCount, shownCountOf, shownInstant, shownMegabytes } from '../../format.ts';

export interface ScrubOptions {
  readonly account?: bigint;
  /** In megabytes. */
  readonly budget: number;
  readonly dryRun: boolean;
}

/** Scrubs the store of the settings; throws if anything is damaged or was not read. */
export async function scrubWith(
  { account, budget, dryRun }: ScrubOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  const { print, say } = context;
  const { checked, bytes, damaged, left, faults } = await scrubStore({
    settings,
    account_id: account ?? null,
    // A person who names an account wants it read now, also if it was read today.
    which: account === undefined ? 'due' : 'all',
    budget_bytes: budget * BYTES_PER_MEGABYTE,
    dryRun,
    signal: context.signal,
    onDue: ({ account_id, entry, checked_at }) => {
      if (dryRun)
        print(`account ${account_id}  ${entry.snapshot_id}  was last undamaged ${shownInstant(checked_at)}`);
    },
    onDamage: (snapshot) => print(damageLine(snapshot)),
    onRestored: ({ account_id, entry }) =>
      print(`account ${account_id}  ${entry.snapshot_id}  is undamaged again and served`),
    onStrange: ({ account_id, entry }, file) =>
      say(
        `account ${account_id}  ${entry.snapshot_id}  ${file} belongs to no published snapshot; it is not served`,
      ),
    onUnknownKey: ({ account_id, entry }, key_id) =>
      say(
        `account ${account_id}  ${entry.snapshot_id}  is signed with the key ${key_id}, which SIGNING_PUBLIC_KEYS does not name`,
      ),
    onDamagedComparison: ({ account_id, entry }, prefix) =>
      say(
        `account ${account_id}  ${entry.snapshot_id}  its stored comparison is damaged and not read; delete ${prefix}/`,
      ),
    onFault: (account_id, fault) => say(`account ${account_id} could not be read: ${said(fault)}`),
  });
  const verb = dryRun ? 'due' : `read again, ${shownMegabytes(bytes)}`;
  say(
    `${shownCountOf(checked, 'snapshot')} ${verb}, ${shownCount(damaged)} damaged, ${shownCount(left)} left for later`,
  );
  if (damaged === 0 && faults === 0) return;
  throw new CrossfootError(
    'scrub_found_damage',
    `${damaged} snapshots are damaged, ${faults} were not read.`,
    {
      hint: 'Restore the files named above from a copy and run npx --no crossfoot scrub again. To rebuild a newest snapshot run npx --no crossfoot enqueue.',
    },
  );
}

function damageLine({ account_id, entry, head, files, pins }: DamagedSnapshot): string {
  const lost = pins.length === 0 ? '' : `; it was pinned as ${pins.map(({ name }) => name).join(', ')}`;
  const next = head ? `; npx --no crossfoot enqueue --account ${account_id} builds a new one` : '';
  return `account ${account_id}  ${entry.snapshot_id}  DAMAGED ${files.join(', ')}${lost}${next}`;
}

function said(fault: unknown): string {
  if (!isCrossfootError(fault)) throw fault; // a programming error, not damage in the store
  return fault.message;
}
