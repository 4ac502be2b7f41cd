/** `crossfoot retract`: says of a published snapshot that it must no longer be relied upon. */
import type { Command } from 'commander';
import { parseInstant } from '../snapshot/instant.ts';
import { retract } from '../snapshot/retract.ts';
import type { CommandContext } from './command.ts';
import { parseId } from './id-argument.ts';
import { openMarking } from './marking.ts';
import { shownInstant } from './shown.ts';
import { parseReason, parseSnapshotId } from './snapshot-argument.ts';

const EXAMPLES = `
Examples:
  crossfoot retract 20261101T020000Z --account 1 --reason "The October bill of Anthropic was loaded twice."
  crossfoot retract 20261101T020000Z --account 1 --reason "…" --replaced-by 20261101T091500Z

The list, the manifest and a header of every file tell of it; pull refuses the snapshot. Its files stay as they are, for
whoever has to compare, and latest does not move back: build anew, then name the new one. Nothing takes the word back.`;

interface RetractOptions {
  readonly account: bigint;
  readonly reason: string;
  readonly replacedBy?: string;
}

/** Adds the command to the program. */
export function addRetractCommand(program: Command, context: CommandContext): void {
  program
    .command('retract')
    .description('say of a snapshot that it must no longer be relied upon')
    .argument('<snapshot>', 'its id', parseSnapshotId)
    .requiredOption('--account <id>', 'whose it is', parseId)
    .requiredOption('--reason <text>', 'what is wrong with it, for those who read it', parseReason)
    .option('--replaced-by <snapshot>', 'the id of the snapshot to read instead', parseSnapshotId)
    .addHelpText('after', EXAMPLES)
    .action(async (snapshot_id: string, options: RetractOptions) => {
      const { account: account_id, reason, replacedBy: replaced_by = null } = options;
      const { tools, by, now } = await openMarking(context);
      const { at } = await retract({ account_id, snapshot_id, reason, replaced_by, by, now }, tools);
      const instead = replaced_by === null ? '' : `; ${replaced_by} is to be read instead`;
      context.print(`${snapshot_id} is retracted since ${shownInstant(parseInstant(at) ?? now)}${instead}`);
    });
}
