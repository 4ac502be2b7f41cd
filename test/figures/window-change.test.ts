import { expect, it } from 'vitest';
import { changeOf } from '../../src/figures/window-change.ts';

const BEFORE = { cost: 100n, cash_value: 150n, net_value: 50n, freed_capacity: 20n, roi: 0.5 };
const AFTER = { cost: 125n, cash_value: 150n, net_value: 25n, freed_capacity: 5n, roi: 0.2 };

it('the change of a window is the later figure less the earlier one, and ROI in percentage points', () => {
  const { roi_points, ...amounts } = changeOf(BEFORE, AFTER);
  expect(amounts).toEqual({ cost: 25n, cash_value: 0n, net_value: -25n, freed_capacity: -15n });
  expect(roi_points).toBeCloseTo(-30, 9);
});

it('a window that one side lacks has no entry there, and no ratio', () => {
  expect(changeOf(undefined, AFTER)).toEqual({
    cost: 125n,
    cash_value: 150n,
    net_value: 25n,
    freed_capacity: 5n,
    roi_points: null,
  });
  expect(changeOf(BEFORE)).toMatchObject({ cost: -100n, net_value: -50n, roi_points: null });
});
