/**
 * Watches the response bodies that are being sent. The connection is closed if the source fails, the client is too slow, or
 * the transfer takes over an hour.
 */
import type { ServerResponse } from 'node:http';
import { errorFields, type Logger } from '../../log.ts';
import { BufferedResponse } from './buffered-response.ts';

/** A client may be slow for this long. Then its average must be at least the rate below, because a slow client keeps a file open. */
const GRACE_MS = 60_000;
/** The rate of a bad mobile line. At this rate the maximum time below still allows 36 MB. */
const LEAST_BYTES_PER_SECOND = 10_000;
const MAX_TRANSFER_MS = 60 * 60 * 1000;

interface Transfer {
  readonly outgoing: ServerResponse;
  readonly logger: Logger;
  readonly began_ms: number;
  /** Bytes taken from the body; bytes in the socket's buffers count as sent. */
  bytes: number;
  /** The index among the running transfers; null when it is not running. */
  index: number | null;
}

/** How an answer ended. */
export interface Sent {
  /** Bytes taken from the body. */
  readonly bytes: number;
  /** `cut_off`: the connection ended before the answer did. */
  readonly outcome: 'completed' | 'cut_off';
}

/** What the listener adds to a request for the application. */
export interface SendingBindings {
  /** Calls `tell` when the answer was sent completely, or when the connection ended before that. */
  readonly whenSent: (tell: (sent: Sent) => void) => void;
}

export interface Transfers {
  /** The same response with a watched body; calls `tell` when the connection is done with it. */
  follow(response: Response, outgoing: ServerResponse, logger: Logger, tell?: (sent: Sent) => void): Response;
  /** How many bodies are being sent. */
  count(): number;
  /** Cuts transfers that are too slow or too old. */
  cutSlow(): void;
}

/** Starts with no transfer; `clock` gives milliseconds and never goes back. */
export function watchTransfers(clock: () => number): Transfers {
  // An array, not a `Set`: V8 copies a busy `Set` from time to time, and the old copy keeps its requests in memory until
  // a full garbage collection. A busy server then paused for up to 20 ms instead of 4.
  const running: Transfer[] = [];

  function add(transfer: Transfer): void {
    transfer.index = running.push(transfer) - 1;
  }

  function remove(transfer: Transfer): void {
    const { index } = transfer;
    const last = index === null ? undefined : running.pop();
    if (index === null || last === undefined) return;
    transfer.index = null;
    if (last === transfer) return;
    running[index] = last;
    last.index = index;
  }

  return {
    follow(response, outgoing, logger, tell) {
      const transfer: Transfer = { outgoing, logger, began_ms: clock(), bytes: 0, index: null };
      const end = (): void => {
        remove(transfer);
        tell?.({ bytes: transfer.bytes, outcome: outgoing.writableFinished ? 'completed' : 'cut_off' });
      };
      if (outgoing.closed) end(); // a closed client emits no further event
      else {
        if (response.body !== null) add(transfer);
        outgoing.once('close', end);
      }
      if (response instanceof BufferedResponse) {
        transfer.bytes = response.content.length; // the whole body is taken at once
        return response;
      }
      return response.body === null ? response : new Response(pass(response.body, transfer), response);
    },
    count: () => running.length,
    cutSlow() {
      for (const { outgoing, logger, began_ms, bytes } of running) {
        const ms = clock() - began_ms;
        if (!isTooSlow(ms, bytes)) continue;
        logger.warn('transfer.cut', { ms, bytes });
        outgoing.destroy();
      }
    },
  };
}

/** Whether a transfer of this age and size is to be cut. */
export function isTooSlow(ms: number, bytes: number): boolean {
  return ms >= MAX_TRANSFER_MS || (ms >= GRACE_MS && bytes * 1000 < LEAST_BYTES_PER_SECOND * ms);
}

/**
 * Destroys the connection when the body fails, so that a client never sees an incomplete answer as complete. Without this, the
 * server's adapter appends the error's text to the body, and the body could then have the length of `Content-Length`.
 */
function pass(source: ReadableStream<Uint8Array>, transfer: Transfer): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let cancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (cancelled) return; // the client is gone: drop the chunk
          if (done) return controller.close();
          transfer.bytes += value.length;
          controller.enqueue(value);
        } catch (error) {
          transfer.logger.error('transfer.broken', errorFields(error));
          transfer.outgoing.destroy();
        }
      },
      cancel: (reason) => {
        cancelled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 }, // read a chunk only when the client can take it
  );
}
