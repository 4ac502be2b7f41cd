/**
 * Runs the queries of a figure in one transaction, so that all see the same moment. Limits how many run per account.
 */
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import type { AccountSession, AccountWork } from '../../ledger/account-session.ts';
import type { FigureSlots } from '../limits/figure-slots.ts';

export interface FigureParts {
  readonly figureSlots: FigureSlots;
  /** Runs a transaction on the ledger's primary that sees one account. */
  readonly inAccount: <Result>(session: AccountSession, run: AccountWork<Result>) => Promise<Result>;
  /** Today's date, by the database's clock. */
  readonly readToday: (client: ClientBase) => Promise<Day>;
}

/**
 * Waits for a free slot of the account, reads today's date, and calls `run`. Throws `figures_in_flight` if no slot
 * becomes free.
 */
export async function inFigureMoment<Result>(
  { figureSlots, inAccount, readToday }: FigureParts,
  session: Omit<AccountSession, 'forFigures' | 'withHorizon'>,
  run: (client: ClientBase, today: Day) => Promise<Result>,
): Promise<Result> {
  return await figureSlots.run(session.account_id, () =>
    inAccount({ ...session, forFigures: true }, async (client) => run(client, await readToday(client))),
  );
}
