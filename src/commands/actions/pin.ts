/** The actions of `crossfoot pin` and `crossfoot unpin`. */
import { CrossfootError } from '../../errors.ts';
import { endEarlierPins, pin, pinEnd, unpin } from '../../snapshot/keep/pins.ts';
import type { CommandContext } from '../../run/context.ts';
import { markedSnapshot } from '../terminal/latest-snapshot.ts';
import { openMarking } from '../terminal/marking.ts';
import { shownInstant } from '../../format.ts';
import { shellWord } from '../../next-step.ts';
import { DAY, type Instant } from '../../instant.ts';

export interface PinOptions {
  readonly account: bigint;
  readonly name: string;
  readonly until?: Instant;
  /** True: the name may mean another snapshot until now; the pin of that snapshot ends. */
  readonly move?: boolean;
}

/** The maximum length of a pin. A pin does not replace a backup. */
const MAX_DAYS = 3_660n;
/** Pins a snapshot, or moves the pin of this name. */
export async function setPin(named: string, options: PinOptions, context: CommandContext): Promise<void> {
  const { account, name, move = false } = options;
  const marking = await openMarking(context);
  const { tools, by, now } = marking;
  const until = options.until ?? pinEnd(now);
  if (until <= now || until > now + MAX_DAYS * DAY) {
    throw new CrossfootError(
      'usage_invalid',
      `--until must name a day from today to ten years from now, found ${lastDay(until)}.`,
    );
  }
  const snapshot_id = await markedSnapshot(named, account, 'pin', marking, optionsOf(options));
  const of = { account_id: account, name, by, now };
  await pin({ ...of, snapshot_id, until, free: !move }, tools);
  context.print(`${snapshot_id} is pinned as ${name} until ${shownInstant(until)}`);
  if (!move) return;
  // The new pin comes first: a name that is shared always means a snapshot.
  for (const other of await endEarlierPins(of, tools))
    context.print(`${other} is no longer pinned as ${name}`);
}

/** Ends a pin. */
export async function endPin(
  named: string,
  { account, name }: PinOptions,
  context: CommandContext,
): Promise<void> {
  const marking = await openMarking(context);
  const { tools, by, now } = marking;
  const snapshot_id = await markedSnapshot(named, account, 'unpin', marking, optionsOf({ name }));
  await unpin({ account_id: account, snapshot_id, name, by, now }, tools);
  context.print(`${snapshot_id} is no longer pinned as ${name}`);
}

/** The options beside the account, as the person types them again. */
function optionsOf({ name, until, move = false }: Omit<PinOptions, 'account'>): string {
  return [
    `--name ${shellWord(name)}`,
    ...(move ? ['--move'] : []),
    ...(until === undefined ? [] : [`--until ${lastDay(until)}`]),
  ].join(' ');
}

/** The last day of a pin that ends at this midnight, as the person named it. */
function lastDay(until: Instant): string {
  return shownInstant(until - 1n).slice(0, 'YYYY-MM-DD'.length);
}
