/**
 * `it` and `describe` for tests that take long. `npm test` leaves them out; `npm test -- --sweeps` runs what it left out.
 * The variable says which tests run, and nothing else: a house rule keeps every other file from reading it.
 */
import { describe, it } from 'vitest';

const which = process.env['CROSSFOOT_TEST_SWEEPS'];
const none = Object.assign(() => undefined, { each: () => () => undefined });

/** For `npm test` nothing; for the sweeps the only ones of their file; for vitest called directly, tests like others. */
function sweeping<T extends typeof it | typeof describe>(declare: T): T {
  if (which === 'left-out') return none as unknown as T; // only called, also by `each`
  return which === 'alone' ? (declare.only as T) : declare;
}

export const itInSweeps = sweeping(it);
export const describeInSweeps = sweeping(describe);
