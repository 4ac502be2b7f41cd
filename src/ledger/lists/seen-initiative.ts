import type { ClientBase } from 'pg';
import { CrossfootError } from '../../errors.ts';

export interface SeenInitiative {
  readonly id: bigint;
  readonly title: string;
}

/** The initiative, or a refusal when the account cannot see it: one sentence for foreign, unknown, deleted and sample ones. */
export async function requireInitiative(
  client: ClientBase,
  account_id: bigint,
  { id, include_sample }: { readonly id: bigint; readonly include_sample: boolean },
): Promise<SeenInitiative> {
  const { rows } = await client.query<SeenInitiative>(
    'select id, title from ledger.initiatives where account_id = $1 and id = $2 and (not is_sample or $3)',
    [account_id, id, include_sample],
  );
  const [found] = rows;
  if (found === undefined) throw noSuchRecord();
  return found;
}

/** What every route says of an id that names nothing the account can see: the same bytes, whatever the cause. */
export function noSuchRecord(): CrossfootError {
  return new CrossfootError('not_found', 'There is no such record in this account.');
}
