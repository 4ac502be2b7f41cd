/** `crossfoot scrub`: reads stored snapshots again before somebody needs them, and says which are damaged. */
import type { Command } from 'commander';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import type { DamagedSnapshot } from '../../snapshot/keep/scrub-snapshot.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { parseCount, parseId } from '../terminal/id-argument.ts';
import { BUDGET_BYTES, scrubStore } from '../../run/worker/scrub-store.ts';
import { shownCount, shownInstant, shownMegabytes } from '../../format.ts';

const EXAMPLES = `
Examples:
  crossfoot scrub --dry-run
  crossfoot scrub
  crossfoot scrub --account 1 --budget 2000

Of each account the newest snapshot is due every day, each other once in seven. Files that are wrong three times over are
refused from then on, until they were restored from a copy and a scrub found every byte right. It deletes nothing.`;

const BYTES_PER_MEGABYTE = 1_000_000;

interface ScrubOptions {
  readonly account?: bigint;
  readonly budget: number;
  readonly dryRun: boolean;
}

/** Adds the command to the program. */
export function addScrubCommand(program: Command, context: CommandContext): void {
  program
    .command('scrub')
    .description('read stored snapshots again and put damaged ones into quarantine')
    .option('--account <id>', 'only this account', parseId)
    .option(
      '--budget <megabytes>',
      'how much to read at most; the rest is due the next time',
      parseCount(100_000_000),
      BUDGET_BYTES / BYTES_PER_MEGABYTE,
    )
    .option('--dry-run', 'tell what is due, and read none of it', false)
    .addHelpText('after', EXAMPLES)
    .action((options: ScrubOptions) => scrubWith(options, context));
}

async function scrubWith({ account, budget, dryRun }: ScrubOptions, context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  const { print, say } = context;
  const { checked, bytes, damaged, left, faults } = await scrubStore({
    settings,
    account_id: account ?? null,
    budget_bytes: budget * BYTES_PER_MEGABYTE,
    dryRun,
    signal: context.signal,
    onDue: ({ account_id, entry, checked_at }) => {
      if (dryRun)
        print(`account ${account_id}  ${entry.snapshot_id}  was last right ${shownInstant(checked_at)}`);
    },
    onDamage: (snapshot) => print(damageLine(snapshot)),
    onRestored: ({ account_id, entry }) =>
      print(`account ${account_id}  ${entry.snapshot_id}  is whole again and served`),
    onStrange: ({ account_id, entry }, file) =>
      say(`account ${account_id}  ${entry.snapshot_id}  ${file} was published by nobody; it is not served`),
    onFault: (account_id, fault) => say(`account ${account_id} could not be looked at: ${said(fault)}`),
  });
  const verb = dryRun ? 'due' : `read again, ${shownMegabytes(bytes)}`;
  say(
    `${shownCount(checked)} snapshots ${verb}, ${shownCount(damaged)} damaged, ${shownCount(left)} left for later`,
  );
  if (damaged === 0 && faults === 0) return;
  throw new CrossfootError(
    'scrub_found_damage',
    `${damaged} snapshots are damaged, ${faults} were not read.`,
    {
      hint: 'Restore the files named above from a copy and run crossfoot scrub again; a newest one is built anew by crossfoot enqueue.',
    },
  );
}

function damageLine({ account_id, entry, head, files, pins }: DamagedSnapshot): string {
  const lost = pins.length === 0 ? '' : `; it was pinned as ${pins.map(({ name }) => name).join(', ')}`;
  const next = head ? `; crossfoot enqueue --account ${account_id} builds a new one` : '';
  return `account ${account_id}  ${entry.snapshot_id}  DAMAGED ${files.join(', ')}${lost}${next}`;
}

function said(fault: unknown): string {
  if (!isCrossfootError(fault)) throw fault; // a mistake of ours, not a state of the store
  return fault.message;
}
