/** `it` and `describe` for tests that take long. Only `npm test` without `--sweeps` leaves them out. */
import { describe, it } from 'vitest';

const none = Object.assign(() => undefined, { each: () => () => undefined });
const isLeftOut = process.env['CROSSFOOT_TEST_SWEEPS'] === '0';

export const itInSweeps = isLeftOut ? (none as unknown as typeof it) : it; // only called, also by `each`
export const describeInSweeps = isLeftOut ? (none as unknown as typeof describe) : describe; // the same
