/** `crossfoot pin` and `crossfoot unpin`: keep a snapshot beyond fourteen days, and end such a pin. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId, parseLastDay, parseNamedSnapshot, parsePinName } from './terminal/arguments.ts';
import type { PinOptions } from './actions/pin.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot pin 20261101T020000Z --account 1 --name 2026-10-close
  npx --no crossfoot pin 20261101T020000Z --account 1 --name year-end --until 2027-12-31
  npx --no crossfoot pin latest --account 1 --name 2026-11-close
  npx --no crossfoot pin 20261102T020000Z --account 1 --name 2026-10-close --move
  npx --no crossfoot pin 2026-10-close --account 1 --name for-the-auditor
  npx --no crossfoot unpin 20261101T020000Z --account 1 --name 2026-10-close

latest is refused while the newest snapshot is less than an hour old and an older one is there: type the id, which the
refusal has.

A name that means another snapshot is refused: every address with the name would lead to other figures. --move ends the pin of
that snapshot, and says which it was.

Every pin ends: after 400 days, or on the day that --until names. Builds set the pins of closed months themselves. If several
snapshots have a pin of the same name, the name means the newest of them. A snapshot can be pinned while its files exist: until one day after it can no longer be read.
Its files are deleted a day after its last pin ends.`;

/** Adds `pin` to the program. */
export function addPinCommand(program: Command, context: CommandContext): void {
  program
    .command('pin')
    .description('keep a snapshot beyond its fourteen days')
    .argument('<snapshot>', 'its id, latest, or the name of a pin', parseNamedSnapshot)
    .requiredOption('--account <id>', 'whose it is', parseId)
    .requiredOption('--name <name>', 'the name of the pin', parsePinName)
    .option('--move', 'move the name here from the snapshot that it means until now', false)
    .option('--until <day>', 'the last day on which the pin keeps the snapshot', parseLastDay)
    .addHelpText('after', EXAMPLES)
    .action(async (snapshot_id: string, options: PinOptions) => {
      const { setPin } = await import('./actions/pin.ts');
      await setPin(snapshot_id, options, context);
    });
}

/** Adds `unpin` to the program. */
export function addUnpinCommand(program: Command, context: CommandContext): void {
  program
    .command('unpin')
    .description('end a pin now; the files are deleted a day later, unless another reason keeps them')
    .argument('<snapshot>', 'its id, latest, or the name of a pin', parseNamedSnapshot)
    .requiredOption('--account <id>', 'whose it is', parseId)
    .requiredOption('--name <name>', 'the name of the pin', parsePinName)
    .addHelpText('after', EXAMPLES)
    .action(async (snapshot_id: string, options: PinOptions) => {
      const { endPin } = await import('./actions/pin.ts');
      await endPin(snapshot_id, options, context);
    });
}
