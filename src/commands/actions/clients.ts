/** The actions of `crossfoot clients`, over one connection as the owner. */
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { shownInstant } from '../../format.ts';
import { requireAccount } from '../../ledger/accounts.ts';
import { endConnection, listConnections } from '../../ops/assistant-connections.ts';
import type { CommandContext } from '../../run/context.ts';
import { placeOf } from '../../serve/connect/redirect-address.ts';
import { formatInstant } from '../../time.ts';
import { printList } from '../terminal/print-list.ts';

/** Prints what is connected to an account. */
export async function list(
  owner: Client,
  { account, json }: { readonly account: bigint; readonly json: boolean },
  context: CommandContext,
): Promise<void> {
  await requireAccount(owner, account);
  const connections = await listConnections(owner, account);
  printList(context, connections, {
    json,
    asJson: ({ id, user_id, consented_at, used_at, ...connection }) => ({
      id: String(id),
      ...connection,
      user_id: String(user_id),
      consented_at: formatInstant(consented_at),
      used_at: formatInstant(used_at),
    }),
    columns: {
      id: ({ id }) => String(id),
      client: ({ name }) => name,
      'answers go to': ({ redirect_uri }) => placeOf(redirect_uri),
      'allowed by': ({ user_id }) => `person ${user_id}`,
      since: ({ consented_at }) => shownInstant(consented_at),
      'last asked': ({ used_at }) => shownInstant(used_at),
    },
    none: `no assistant is connected to account ${account} by signing in`,
  });
}

/** Ends a connection. */
export async function end(
  owner: Client,
  account: bigint,
  id: bigint,
  { print }: CommandContext,
): Promise<void> {
  if (!(await endConnection(owner, account, id))) {
    throw new CrossfootError('not_found', `Account ${account} has no connected client ${id}.`, {
      hint: `npx --no crossfoot clients list --account ${account} lists what is connected.`,
    });
  }
  print(`client ${id} of account ${account} is ended: its next question is refused`);
}
