/** One figure has one value: every surface of the company for the figures of all time; sweeps ask for every window. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALL_SURFACES, openSurfaces, type Surfaces } from './open-surfaces.ts';

let surfaces: Surfaces;
beforeAll(async () => {
  surfaces = await openSurfaces();
});
afterAll(() => surfaces.close());

/** It may only rise. */
const LEAST = 1_076;

it('every surface shows each figure of all time of the company as reported_totals has it', async () => {
  const { different, figures, count } = await surfaces.asked('the company, all time', 1n, ['all']);
  expect(different).toEqual([]);
  expect([...figures.keys()].toSorted()).toEqual(ALL_SURFACES);
  expect(count).toBeGreaterThanOrEqual(LEAST);
});
