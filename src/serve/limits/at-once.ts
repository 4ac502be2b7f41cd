/** How many long answers an account may be given at once: each holds memory and a share of the processor. */
import { ConcurrencyLimit } from '../../concurrency-limit.ts';
import { CrossfootError } from '../../errors.ts';

export interface AtOnce {
  /** Opens a stream unless the account has as many already; it counts until it ends, breaks or is cancelled. */
  open(
    account_id: bigint,
    open: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** The streams of one serving process; `what` names them in the refusal, as in "CSV files". */
export function limitAtOnce(most: number, what: string): AtOnce {
  const limit = new ConcurrencyLimit<bigint>({
    at_once: most,
    refusal: () =>
      new CrossfootError(
        'figures_in_flight',
        `Too many ${what} of this account are being made at once; at most ${most} are.`,
        { hint: 'Ask for the next one once one has been answered.' },
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
    { highWaterMark: 0 }, // nothing is read ahead of the client
  );
}
