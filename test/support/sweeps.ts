/** `it` and `describe` of what takes long: `npm test` leaves these tests out, `npm test -- --sweeps` and vitest itself run them. */
import { describe, it } from 'vitest';

const left_out = Object.assign(() => undefined, { each: () => () => undefined });
const isLeftOut = process.env['CROSSFOOT_TEST_SWEEPS'] === '0';

export const itInSweeps = isLeftOut ? (left_out as unknown as typeof it) : it; // only called, also by `each`
export const describeInSweeps = isLeftOut ? (left_out as unknown as typeof describe) : describe; // the same
