/** `crossfoot pin` and `crossfoot unpin`: keeping a snapshot beyond its fourteen days, and letting it go. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId } from './terminal/id-argument.ts';
import { parseLastDay, parsePinName, parseSnapshotId } from './terminal/snapshot-argument.ts';

const EXAMPLES = `
Examples:
  crossfoot pin 20261101T020000Z --account 1 --name 2026-10-close
  crossfoot pin 20261101T020000Z --account 1 --name year-end --until 2027-12-31
  crossfoot unpin 20261101T020000Z --account 1 --name 2026-10-close

Every pin has an end: 400 days from now unless --until names the last day. Pinning again under the same name moves it. A
snapshot may be pinned while it can be read, and a day longer; its files go a day after its last pin has ended.`;

export interface PinOptions {
  readonly account: bigint;
  readonly name: string;
  readonly until?: bigint;
}

/** Adds `pin` to the program. */
export function addPinCommand(program: Command, context: CommandContext): void {
  program
    .command('pin')
    .description('keep a snapshot beyond its fourteen days')
    .argument('<snapshot>', 'its id', parseSnapshotId)
    .requiredOption('--account <id>', 'whose it is', parseId)
    .requiredOption('--name <name>', 'what the pin is called', parsePinName)
    .option('--until <day>', 'the last day that it keeps the snapshot through', parseLastDay)
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
    .description('end a pin now; the files go a day later, unless something else keeps them')
    .argument('<snapshot>', 'its id', parseSnapshotId)
    .requiredOption('--account <id>', 'whose it is', parseId)
    .requiredOption('--name <name>', 'what the pin is called', parsePinName)
    .addHelpText('after', EXAMPLES)
    .action(async (snapshot_id: string, options: PinOptions) => {
      const { endPin } = await import('./actions/pin.ts');
      await endPin(snapshot_id, options, context);
    });
}
