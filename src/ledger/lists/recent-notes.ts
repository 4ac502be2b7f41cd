import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readRows } from '../../database/query.ts';

const NOTES = db
  .selectFrom('ledger.initiative_notes as n')
  .leftJoin('ledger.users as author', 'author.id', 'n.author_id')
  .select(['n.id', 'n.body', 'author.name as author_name', 'n.created_at']);

/** A note about an initiative; `author_name` is null if the author or the author's name is unknown. */
export type NoteRow = InferResult<typeof NOTES>[number];

/** The latest notes of an initiative, newest first. */
export async function readRecentNotes(
  client: ClientBase,
  account_id: bigint,
  { initiative_id, rows }: { readonly initiative_id: bigint; readonly rows: number },
): Promise<readonly NoteRow[]> {
  const wanted = NOTES.where('n.account_id', '=', account_id).where('n.initiative_id', '=', initiative_id);
  return await readRows(client, wanted.orderBy('n.created_at', 'desc').orderBy('n.id', 'desc').limit(rows));
}
