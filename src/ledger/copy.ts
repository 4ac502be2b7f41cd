/** Reads a select as PostgreSQL's binary COPY, to its end or to an error: never to a quiet short end. */
import type { ClientBase, DatabaseError } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { CrossfootError } from '../errors.ts';

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
  const stream = copyTo(`copy (${select}) to stdout (format binary)`);
  let failure: unknown;
  // The listener stays after the last byte: PostgreSQL may still fail between the end of the data and its
  // confirmation, and an error without a listener would end the program.
  stream.on('error', (error) => {
    failure ??= error;
  });
  // The connection drains once the confirmation was read, and ends when it never will be.
  let ended = false;
  const settled = Promise.withResolvers<void>();
  const onDrain = (): void => settled.resolve();
  const onEnd = (): void => {
    ended = true;
    settled.resolve();
  };
  client.once('drain', onDrain).once('end', onEnd);
  const cut = (): void => void client.end();
  signal.addEventListener('abort', cut, { once: true });
  let complete = false;
  try {
    for await (const chunk of client.query(stream)) yield chunk as Buffer;
    await settled.promise;
    if (failure !== undefined) throw failure;
    if (ended) throw new Error('the connection ended before the COPY was confirmed');
    confirm(stream.rowCount);
    complete = true;
  } catch (cause) {
    throw signal.aborted ? signal.reason : copyFailed(cause);
  } finally {
    signal.removeEventListener('abort', cut);
    client.off('drain', onDrain).off('end', onEnd);
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
