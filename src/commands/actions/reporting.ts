/** The action of `crossfoot reporting`: switches an account's reporting on or off in the ledger. */
import { requireManager, switchReporting } from '../../ledger/accounts.ts';
import { switchClosePins } from '../../ledger/moment/close-pins.ts';
import { withOwner } from '../../run/as-owner.ts';
import type { CommandContext } from '../../run/context.ts';
import { shownInstant } from '../../format.ts';

export interface SwitchOptions {
  readonly account: bigint;
  readonly by?: bigint;
  readonly closePins?: boolean;
}

/** Switches the reporting of an account on or off, and prints the state. */
export async function turn(
  on: boolean,
  { account, by, closePins }: SwitchOptions,
  context: CommandContext,
): Promise<void> {
  const { enabled_at, plan_includes_api } = await withOwner(context, 'crossfoot reporting', async (owner) => {
    if (by !== undefined) await requireManager(owner, account, by);
    const reporting = await switchReporting(owner, account, { on, by: by ?? null });
    if (closePins !== undefined) await switchClosePins(owner, account, closePins);
    return reporting;
  });
  context.print(
    enabled_at === null
      ? `reporting of account ${account} is off`
      : `reporting of account ${account} is on since ${shownInstant(enabled_at)}`,
  );
  if (closePins !== undefined) {
    context.print(closePins ? 'closes are pinned from now on' : 'closes are no longer pinned');
  }
  if (on && !plan_includes_api) {
    context.say('the plan of the account has no API access: no snapshot is built until it does');
  }
}
