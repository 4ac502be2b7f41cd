import type { ClientBase } from 'pg';
import { db, readFirst } from '../../database/query.ts';
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

/** What every route says of an id that names nothing the account can see: the same bytes, whatever the cause. */
export function noSuchRecord(): CrossfootError {
  return new CrossfootError('not_found', 'There is no such record in this account.');
}
