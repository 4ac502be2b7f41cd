/** Limits how many long answers of an account run at the same time: each holds memory and processor time. */
import { ConcurrencyLimit } from '../../concurrency-limit.ts';
import { CrossfootError } from '../../errors.ts';

export interface StreamLimit {
  /** Opens a stream unless the account has the maximum already. It counts until it ends, fails or is cancelled. */
  open(
    account_id: bigint,
    open: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** The limit of one serving process; `what` names the streams in the refusal, as in "CSV files". */
export function limitStreams(most: number, what: string): StreamLimit {
  const limit = new ConcurrencyLimit<bigint>({
    at_once: most,
    refusal: () =>
      new CrossfootError(
        'figures_in_flight',
        `Too many ${what} of this account are being made at the same time; the maximum is ${most}.`,
        { hint: 'Wait for a running request to end, then try again.' },
      ),
  });
  return {
    async open(account_id, open) {
      using unopened = new DisposableStack();
      unopened.use(await limit.take(account_id));
      const stream = await open();
      const slot = unopened.move();
      return counted(stream, () => slot.dispose());
    },
  };
}

function counted(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  ended: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          ended();
          controller.close();
        } catch (error) {
          ended();
          throw error;
        }
      },
      async cancel(reason) {
        ended();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 }, // read only what the client takes
  );
}
