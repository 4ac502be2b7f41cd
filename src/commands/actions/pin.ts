/** `crossfoot pin` and `crossfoot unpin`: keeping a snapshot beyond its fourteen days, and letting it go. */
import type { Command } from 'commander';
import { CrossfootError } from '../../errors.ts';
import { pin, pinEnd, unpin } from '../../snapshot/keep/pins.ts';
import type { CommandContext } from '../../run/context.ts';
import { parseId } from '../terminal/id-argument.ts';
import { openMarking } from '../terminal/marking.ts';
import { shownInstant } from '../../format.ts';
import { parseLastDay, parsePinName, parseSnapshotId } from '../terminal/snapshot-argument.ts';

const EXAMPLES = `
Examples:
  crossfoot pin 20261101T020000Z --account 1 --name 2026-10-close
  crossfoot pin 20261101T020000Z --account 1 --name year-end --until 2027-12-31
  crossfoot unpin 20261101T020000Z --account 1 --name 2026-10-close

Every pin has an end: 400 days from now unless --until names the last day. Pinning again under the same name moves it. A
snapshot may be pinned while it can be read, and a day longer; its files go a day after its last pin has ended.`;

/** A pin that outlives the retention of the books themselves is a backup, and this is none. */
const MOST_DAYS = 3_660n;
const MICROSECONDS_PER_DAY = 86_400_000_000n;

interface PinOptions {
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
    .action((snapshot_id: string, options: PinOptions) => setPin(snapshot_id, options, context));
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
    .action(async (snapshot_id: string, { account, name }: PinOptions) => {
      const { tools, by, now } = await openMarking(context);
      await unpin({ account_id: account, snapshot_id, name, by, now }, tools);
      context.print(`${snapshot_id} is no longer pinned as ${name}`);
    });
}

async function setPin(snapshot_id: string, options: PinOptions, context: CommandContext): Promise<void> {
  const { account, name } = options;
  const { tools, by, now } = await openMarking(context);
  const until = options.until ?? pinEnd(now);
  if (until <= now || until > now + MOST_DAYS * MICROSECONDS_PER_DAY) {
    throw new CrossfootError(
      'usage_invalid',
      `--until must name a day from today to ten years from now, found ${lastDay(until)}.`,
    );
  }
  await pin({ account_id: account, snapshot_id, name, until, by, now }, tools);
  context.print(`${snapshot_id} is pinned as ${name} until ${shownInstant(until)}`);
}

/** The last day of a pin that ends at this midnight, as it was named. */
function lastDay(until: bigint): string {
  return shownInstant(until - 1n).slice(0, 'YYYY-MM-DD'.length);
}
