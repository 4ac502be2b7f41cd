import type { ClientBase } from 'pg';

/** What somebody wrote down about an initiative. */
export interface NoteRow {
  readonly id: bigint;
  readonly body: string;
  /** Null when the author gave no name or was not recorded. */
  readonly author_name: string | null;
  readonly created_at: bigint;
}

/** The latest notes of an initiative, newest first. */
export async function readRecentNotes(
  client: ClientBase,
  account_id: bigint,
  { initiative_id, rows: most }: { readonly initiative_id: bigint; readonly rows: number },
): Promise<readonly NoteRow[]> {
  const { rows } = await client.query<NoteRow>(
    `select n.id, n.body, author.name as author_name, n.created_at::timestamptz as created_at
     from ledger.initiative_notes n
     left join ledger.users author on author.id = n.author_id
     where n.account_id = $1 and n.initiative_id = $2
     order by n.created_at desc, n.id desc limit $3`,
    [account_id, initiative_id, most],
  );
  return rows;
}
