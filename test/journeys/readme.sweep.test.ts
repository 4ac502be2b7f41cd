/** The README's blocks run against a first start; `npm run campaign -- journeys` runs those of the other pages. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Clone } from './clone.ts';
import { runJourney } from './journey.ts';
import { SHARED } from './journeys.ts';

const clone = new Clone();
beforeAll(() => clone.start());
afterAll(() => clone[Symbol.asyncDispose]());

it('every block of the README runs, and prints what the README shows', async () => {
  const [readme] = SHARED;
  if (readme?.page !== 'README.md') throw new Error('the README is the first page of a newcomer');
  const outcomes = await runJourney(readme, clone);
  // The second command runs the tests, this one among them.
  const others = outcomes.filter(({ came }) => came !== 'ran');
  expect(others).toMatchObject([{ came: 'marked', why: expect.stringContaining('.ci/run') }]);
  expect(outcomes).toHaveLength(10);
});
