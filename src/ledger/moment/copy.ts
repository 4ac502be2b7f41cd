/** Reads a select as PostgreSQL's binary COPY. It ends only after the last row, or throws: it never ends early. */
import type { ClientBase, DatabaseError } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { CopyQuery } from './copy-query.ts';

/** A connection that may be broken: `end` closes the socket of a busy connection. */
type Connection = ClientBase & { end(): Promise<void> };

export interface CopyOut {
  /** The bytes as they arrive. It ends only after PostgreSQL confirmed the whole COPY; anything else throws. */
  readonly source: AsyncIterable<Buffer>;
  /** The number of rows that PostgreSQL sent; call it only after `source` has ended. */
  rowsSent: () => number;
}

/**
 * Copies the rows of `select` in the connection's transaction. If the reader stops early, the signal is aborted or the COPY
 * fails, the connection is closed: rows still on their way would block the next statement.
 */
export function copyOut(client: Connection, select: string, signal: AbortSignal): CopyOut {
  let confirmed: number | undefined;
  return {
    source: read(client, select, signal, (rows) => {
      confirmed = rows;
    }),
    rowsSent: () => {
      if (confirmed === undefined) throw new Error('rowsSent was called before the COPY ended');
      return confirmed;
    },
  };
}

async function* read(
  client: Connection,
  select: string,
  signal: AbortSignal,
  confirm: (rows: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  signal.throwIfAborted();
  const query = new CopyQuery(`copy (${select}) to stdout (format binary)`);
  // Keep this listener: PostgreSQL may still fail after the last byte, and an unhandled `error` event would crash the
  // process. `settled` rejects then.
  query.on('error', () => undefined);
  const cut = (): void => void client.end();
  signal.addEventListener('abort', cut, { once: true });
  let complete = false;
  try {
    for await (const chunk of client.query(query)) yield chunk as Buffer;
    confirm(await query.settled);
    complete = true;
  } catch (cause) {
    throw signal.aborted ? signal.reason : copyFailed(cause);
  } finally {
    signal.removeEventListener('abort', cut);
    if (!complete) await client.end();
  }
}

function copyFailed(cause: unknown): CrossfootError {
  const { message, code } = cause as DatabaseError;
  return new CrossfootError('copy_failed', `A table broke off while it was read: ${message}`, {
    hint: 'Nothing was published. Build again.',
    data: { sqlstate: code },
    cause,
  });
}
