/** The bodies being sent: each is cut when it breaks, and when its client takes it too slowly or for too long. */
import type { ServerResponse } from 'node:http';
import { errorFields, type Logger } from '../../log.ts';
import { WholeAnswer } from './whole-answer.ts';

/** After this, a client must have kept the least rate from the beginning: a slow reader holds a file open. */
const GRACE_MS = 60_000;
/** A bad mobile line; at this rate the cap below would still give 36 MB. */
const LEAST_BYTES_PER_SECOND = 10_000;
const MAX_MS = 60 * 60 * 1000;

interface Transfer {
  readonly outgoing: ServerResponse;
  readonly logger: Logger;
  readonly began_ms: number;
  /** What was taken from the body; what is in the buffers of the socket counts as with the client. */
  bytes: number;
  /** Where it stands among those that run; null when it does not. */
  place: number | null;
}

/** How an answer ended. */
export interface Sent {
  /** What was taken from the body. */
  readonly bytes: number;
  /** `cut_off`: the connection ended before the answer did. */
  readonly outcome: 'completed' | 'cut_off';
}

/** What the listener lends to the application beside the request. */
export interface SendingBindings {
  /** Calls back when the answer was sent, or will never be. */
  readonly whenSent: (tell: (sent: Sent) => void) => void;
}

export interface Transfers {
  /** The same response, whose body is watched until its connection is done with it; then `tell` hears of it. */
  follow(response: Response, outgoing: ServerResponse, logger: Logger, tell?: (sent: Sent) => void): Response;
  /** How many bodies are being sent. */
  count(): number;
  /** Cuts what is too slow or too old by now. */
  cutSlow(): void;
}

/** Starts without any; `clock` gives milliseconds and only goes forward. */
export function watchTransfers(clock: () => number): Transfers {
  // Not a `Set`: one that is filled and emptied all day is copied every so often, and a copy that was left behind keeps the
  // requests it held, until the collector looks at all there is. A busy server then stood still for up to 20 ms, not 4.
  const running: Transfer[] = [];

  function add(transfer: Transfer): void {
    transfer.place = running.push(transfer) - 1;
  }

  function remove(transfer: Transfer): void {
    const { place } = transfer;
    const last = place === null ? undefined : running.pop();
    if (place === null || last === undefined) return;
    transfer.place = null;
    if (last === transfer) return;
    running[place] = last;
    last.place = place;
  }

  return {
    follow(response, outgoing, logger, tell) {
      const transfer: Transfer = { outgoing, logger, began_ms: clock(), bytes: 0, place: null };
      const end = (): void => {
        remove(transfer);
        tell?.({ bytes: transfer.bytes, outcome: outgoing.writableFinished ? 'completed' : 'cut_off' });
      };
      if (outgoing.closed) end(); // a client that has gone already is not announced again
      else {
        if (response.body !== null) add(transfer);
        outgoing.once('close', end);
      }
      if (response instanceof WholeAnswer) {
        transfer.bytes = response.whole.length; // all of it is taken at once
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

/** Whether a transfer of this age, of which so much was taken, is to be cut. */
export function isTooSlow(ms: number, bytes: number): boolean {
  return ms >= MAX_MS || (ms >= GRACE_MS && bytes * 1000 < LEAST_BYTES_PER_SECOND * ms);
}

/**
 * A body that breaks takes its connection with it, so that no client sees a whole answer. Left to the adapter, the
 * text of the error would be appended to the body, and might complete the promised length.
 */
function pass(source: ReadableStream<Uint8Array>, transfer: Transfer): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let cancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (cancelled) return; // the client went away meanwhile: nobody takes what was read
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
    { highWaterMark: 0 }, // nothing is read ahead of the client
  );
}
