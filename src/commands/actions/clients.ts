/** The actions of `crossfoot clients`, over one connection as the owner. */
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { shownInstant } from '../../format.ts';
import { requireAccount } from '../../ledger/accounts.ts';
import { endConnection, listConnections } from '../../ops/assistant-connections.ts';
import type { CommandContext } from '../../run/context.ts';
import { placeOf } from '../../serve/connect/redirect-address.ts';
import { formatInstant } from '../../time.ts';
import { aligned } from '../terminal/aligned.ts';
import { printJson } from '../terminal/print-json.ts';

const HEADINGS = ['id', 'client', 'answers go to', 'allowed by', 'since', 'last asked'];

/** Prints what is connected to an account. */
export async function list(
  owner: Client,
  { account, json }: { readonly account: bigint; readonly json: boolean },
  { print, say }: CommandContext,
): Promise<void> {
  await requireAccount(owner, account);
  const connections = await listConnections(owner, account);
  if (json) {
    const shown = connections.map(({ id, user_id, consented_at, used_at, ...connection }) => ({
      id: String(id),
      ...connection,
      user_id: String(user_id),
      consented_at: formatInstant(consented_at),
      used_at: formatInstant(used_at),
    }));
    printJson(print, shown);
    return;
  }
  if (connections.length === 0) {
    say(`no assistant is connected to account ${account} by signing in`);
    return;
  }
  const rows = connections.map(({ id, name, redirect_uri, user_id, consented_at, used_at }) => [
    String(id),
    name,
    placeOf(redirect_uri),
    `person ${user_id}`,
    shownInstant(consented_at),
    shownInstant(used_at),
  ]);
  for (const line of aligned([HEADINGS, ...rows])) print(line);
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
