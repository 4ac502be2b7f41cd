/** `crossfoot retract`: records that a published snapshot must no longer be used. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { CrossfootError } from '../errors.ts';
import { parseId, parseReason, parseSnapshot, parseSnapshotId } from './terminal/arguments.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot retract 20261101T020000Z --account 1 --reason "The October bill of Anthropic was loaded twice."
  npx --no crossfoot retract 20261101T020000Z --account 1 --reason "…" --replaced-by 20261101T091500Z
  npx --no crossfoot retract latest --account 1 --reason "The October bill of Anthropic was loaded twice."
  npx --no crossfoot retract 20281101T020000Z --account 1 --future-head

latest is refused while the newest snapshot is less than an hour old and an older one is there: type the id, which the
refusal has.

The list, the manifest and a header of every file show the retraction, and pull refuses the snapshot. Its files stay, so
that readers can compare. latest does not move back. Build a new snapshot first, then retract once with --replaced-by: a
retraction can be neither changed nor undone.`;

interface RetractOptions {
  readonly account: bigint;
  readonly reason?: string;
  readonly futureHead: boolean;
  readonly replacedBy?: string;
}

/** Adds the command to the program. */
export function addRetractCommand(program: Command, context: CommandContext): void {
  program
    .command('retract')
    .description('mark a snapshot as no longer to be used')
    .argument('<snapshot>', 'its id, or latest', parseSnapshot)
    .requiredOption('--account <id>', 'whose it is', parseId)
    .option('--reason <text>', 'what is wrong with the snapshot, for its readers', parseReason)
    .option('--replaced-by <snapshot>', 'the id of the snapshot to read instead', parseSnapshotId)
    .option(
      '--future-head',
      'retract all snapshots dated in the future, so that the next build publishes',
      false,
    )
    .addHelpText('after', EXAMPLES)
    .action(async (snapshot_id: string, options: RetractOptions) => {
      const { account: account_id, replacedBy: replaced_by = null, futureHead } = options;
      const reason = options.reason ?? (futureHead ? 'A wrong clock dated it in the future.' : undefined);
      if (reason === undefined || (futureHead && replaced_by !== null)) throw wrongOptions();
      const { retractHead, retractSnapshot } = await import('./actions/retract.ts');
      const named = { account_id, snapshot_id, reason };
      await (futureHead ? retractHead(named, context) : retractSnapshot({ ...named, replaced_by }, context));
    });
}

function wrongOptions(): CrossfootError {
  return new CrossfootError(
    'usage_invalid',
    'retract takes --reason, or --future-head without --replaced-by.',
    {
      hint: 'npx --no crossfoot retract --help shows an example of each.',
    },
  );
}
