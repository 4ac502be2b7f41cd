/** What an account has connected to the assistant. Called as `cf_service` or as the owner. */
import type { NotNull } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { call, db, readOne, readRows } from '../database/query.ts';
import type { Instant } from '../instant.ts';

/** A client that a person allowed, and that is answered now. */
export interface Connection {
  readonly id: bigint;
  /** The name that the client gives itself. */
  readonly name: string;
  readonly redirect_uri: string;
  /** The person who allowed it. */
  readonly user_id: bigint;
  readonly consented_at: Instant;
  readonly used_at: Instant;
}

/** The connections of the account, by ascending id. */
export async function listConnections(
  session: ClientBase | Pool,
  account_id: bigint,
): Promise<readonly Connection[]> {
  const listed = db
    .selectFrom(call('ops.assistant_connections', account_id).as('connection'))
    .selectAll()
    .$narrowType<{
      id: NotNull;
      name: NotNull;
      redirect_uri: NotNull;
      user_id: NotNull;
      consented_at: NotNull;
      used_at: NotNull;
    }>();
  return await readRows(session, listed);
}

/** Ends a connection: the next question of the client is refused. False if the account has no such connection. */
export async function endConnection(
  session: ClientBase | Pool,
  account_id: bigint,
  id: bigint,
): Promise<boolean> {
  const ended = call('ops.end_assistant_connection', account_id, id).$castTo<boolean | null>();
  return (await readOne(session, db.selectNoFrom(ended.as('ended')))).ended === true;
}
