/** A store with one call that goes wrong, in each of the ways a store can go wrong. */
import { CrossfootError } from '../../../src/errors.ts';
import type { Store } from '../../../src/store/store.ts';

export const FAULTS = [
  'refuses one call',
  'loses one request',
  'loses one reply',
  'goes silent',
  'goes silent after applying',
] as const;

export type Fault = (typeof FAULTS)[number];

/** The n-th call meets the fault; `reached()` says whether there were that many. */
export function faultyStore(inner: Store, fault: Fault, faultyCall: number): Store & { reached(): boolean } {
  let calls = 0;

  async function call<T>(work: () => Promise<T>): Promise<T> {
    calls += 1;
    const silent = fault.startsWith('goes silent') && calls > faultyCall;
    if (calls !== faultyCall && !silent) return await work();
    if (fault === 'refuses one call') throw new CrossfootError('store_unavailable', 'refused');
    const applied = !silent && (fault === 'loses one reply' || fault === 'goes silent after applying');
    if (applied) await work();
    throw new CrossfootError('store_outcome_unknown', 'no answer');
  }

  return {
    create: (key, body) => call(() => inner.create(key, body)),
    readSmall: (key, cap) => call(() => inner.readSmall(key, cap)),
    stat: (key) => call(() => inner.stat(key)),
    async *readRange(key, offset, length) {
      await call(async () => undefined);
      yield* inner.readRange(key, offset, length);
    },
    async *list(prefix) {
      await call(async () => undefined);
      yield* inner.list(prefix);
    },
    delete: (key) => call(() => inner.delete(key)),
    reached: () => calls >= faultyCall,
  };
}
