/** The store of a target, whose errors name the target: those of a store advise on the settings of this program. */
import { CrossfootError, isCrossfootError } from '../errors.ts';
import type { Content, ReplacingStore } from '../store/store.ts';

const HINT =
  'Check the address, region and endpoint of the target, and that its key may get, put and delete objects there. Then run npx --no crossfoot deliver test.';

/** The same store. The code of an error stays, so a call without an answer is still repeated. */
export function inItsOwnWords(store: ReplacingStore): ReplacingStore {
  return {
    ...store,
    create: async (key, body) => {
      if (body instanceof Uint8Array) return await inWordsOfTarget(store.create(key, body));
      const { content, own } = watched(body);
      return await inWordsOfTarget(store.create(key, content), own);
    },
    readSmall: (...call) => inWordsOfTarget(store.readSmall(...call)),
    readVersion: (...call) => inWordsOfTarget(store.readVersion(...call)),
    replace: (...call) => inWordsOfTarget(store.replace(...call)),
    stat: (key) => inWordsOfTarget(store.stat(key)),
    delete: (key) => inWordsOfTarget(store.delete(key)),
    async *readRange(...range) {
      const pieces = store.readRange(...range)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await inWordsOfTarget(Promise.resolve(pieces.next()));
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        await pieces.return?.();
      }
    },
  };
}

/** The content, and what its source threw: that is no error of the target. */
function watched(body: Content): { readonly content: Content; readonly own: () => unknown } {
  let thrown: unknown;
  const content = {
    ...body,
    async *open() {
      try {
        yield* body.open();
      } catch (error) {
        thrown = error;
        throw error;
      }
    },
  };
  return { content, own: () => thrown };
}

async function inWordsOfTarget<Result>(call: Promise<Result>, own?: () => unknown): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!isCrossfootError(error) || !error.code.startsWith('store_') || error === own?.()) throw error;
    throw new CrossfootError(error.code, error.message.replace(/^store: /, 'target: '), {
      hint: HINT,
      cause: error,
    });
  }
}
