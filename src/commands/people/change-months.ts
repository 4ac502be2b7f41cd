/** The actions of `crossfoot month`, over one connection as the owner. */
import type { Client } from 'pg';
import { shownCount } from '../../format.ts';
import { inTransaction } from '../../ledger/account-records.ts';
import { closeMonth, reopenMonth } from '../../ledger/months.ts';
import type { CommandContext } from '../../run/context.ts';
import { areSampleRates, SAMPLE_RATES } from '../../run/demo/sample-rates.ts';
import type { Databases } from '../../run/opened-databases.ts';

export interface MonthOptions {
  readonly account: bigint;
  readonly by: bigint;
}

/** Closes the month. */
export async function close(
  [owner, databases]: readonly [owner: Client, databases: Pick<Databases, 'embedded'>],
  month: string,
  { account, by }: MonthOptions,
  { print, say }: CommandContext,
): Promise<void> {
  // A locked month keeps its rates: the person hears it before the lock.
  if (await areSampleRates(owner, databases))
    say(`${SAMPLE_RATES}. A closed month keeps its rates: to mend them, reopen it first`);
  const { without_dollars, provisional, unapproved } = await inTransaction(owner, () =>
    closeMonth(owner, { account_id: account, month, by }),
  );
  print(`month ${month} of account ${account} is closed by person ${by}`);
  if (without_dollars > 0n)
    say(
      `its entries without a dollar figure: ${shownCount(without_dollars)}; reopen the month to convert them`,
    );
  if (provisional > 0n)
    say(
      `its costs at a provisional rate: ${shownCount(provisional)}; reopen the month to import the published rates and convert them`,
    );
  if (unapproved > 0n)
    say(`its values without an approval: ${shownCount(unapproved)}; reopen the month to approve them`);
  say(`next: npx --no crossfoot build --account ${account}`);
}

/** Reopens the month. */
export async function reopen(
  owner: Client,
  month: string,
  { account, by, reason }: MonthOptions & { readonly reason: string },
  { print, say }: CommandContext,
): Promise<void> {
  await inTransaction(owner, () => reopenMonth(owner, { account_id: account, month, by, reason }));
  print(`month ${month} of account ${account} is reopened by person ${by}: ${reason}`);
  say(
    `next: correct its entries, then npx --no crossfoot month close ${month} --account ${account} --by ${by}`,
  );
}
