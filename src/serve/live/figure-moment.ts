/** Computes figures: in a slot of their account, at one moment of the ledger, for today's date. */
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import type { AccountSession } from '../../ledger/account-session.ts';
import type { FigureSlots } from '../limits/figure-slots.ts';

export interface FigureParts {
  readonly figureSlots: FigureSlots;
  /** Runs a transaction on the ledger's primary that sees one account. */
  readonly inAccount: <Result>(
    session: AccountSession,
    run: (client: ClientBase) => Promise<Result>,
  ) => Promise<Result>;
  /** Today's date, by the database's clock. */
  readonly readToday: (client: ClientBase) => Promise<Day>;
}

/** Waits for a slot of the account, then calls `run` with a transaction that sees one moment; reads today's date once. */
export async function inFigureMoment<Result>(
  { figureSlots, inAccount, readToday }: FigureParts,
  session: Omit<AccountSession, 'forFigures'>,
  run: (client: ClientBase, today: Day) => Promise<Result>,
): Promise<Result> {
  return await figureSlots.run(session.account_id, () =>
    inAccount({ ...session, forFigures: true }, async (client) => run(client, await readToday(client))),
  );
}
