import type { ClientBase } from 'pg';
import { db, readFirst } from '../../database/query.ts';
import { CrossfootError } from '../../errors.ts';

export interface SeenInitiative {
  readonly id: bigint;
  readonly title: string;
}

/** The initiative; throws if the account cannot see it. The error is the same for foreign, unknown, deleted and sample ones. */
export async function requireInitiative(
  client: ClientBase,
  account_id: bigint,
  { id, include_sample }: { readonly id: bigint; readonly include_sample: boolean },
): Promise<SeenInitiative> {
  const question = db
    .selectFrom('ledger.initiatives')
    .select(['id', 'title'])
    .where('account_id', '=', account_id)
    .where('id', '=', id);
  const wanted = include_sample ? question : question.where((eb) => eb.not('is_sample'));
  const found = await readFirst(client, wanted);
  if (found === null) throw noSuchRecord();
  return found;
}

/** The error for an id that the account cannot see. It must be the same for every cause, to reveal nothing. */
export function noSuchRecord(): CrossfootError {
  return new CrossfootError('not_found', 'There is no such record in this account.');
}
