/** Reads a select as PostgreSQL's binary COPY, to its end or to an error: never to a quiet short end. */
import type { ClientBase, DatabaseError } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { CopyQuery } from './copy-query.ts';

/** A connection of its own that may be cut: `end` on a busy one closes its socket. */
type Connection = ClientBase & { end(): Promise<void> };

export interface CopyOut {
  /** The bytes as they arrive. It ends only after PostgreSQL confirmed the whole COPY; anything else throws. */
  readonly source: AsyncIterable<Buffer>;
  /** The rows PostgreSQL says it sent; to be asked when `source` has ended. */
  rowsSent: () => number;
}

/**
 * Copies `select` out of the connection's transaction. A reader that stops early, an aborted signal and a failed
 * COPY all cut the connection: rows still on their way would otherwise block whatever is asked next.
 */
export function copyOut(client: Connection, select: string, signal: AbortSignal): CopyOut {
  let confirmed: number | undefined;
  return {
    source: read(client, select, signal, (rows) => {
      confirmed = rows;
    }),
    rowsSent: () => {
      if (confirmed === undefined) throw new Error('the rows of a COPY were asked for before it ended');
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
  // The listener stays after the last byte: PostgreSQL may still fail between the end of the data and its
  // confirmation, which `settled` tells; an error without a listener would end the program.
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
    hint: 'Nothing was published; the next build reads it anew.',
    data: { sqlstate: code },
    cause,
  });
}
