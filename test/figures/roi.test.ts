import { expect, it } from 'vitest';
import { cash, cents } from '../../src/figures/cents.ts';
import { liveRoi, reportedRoi } from '../../src/figures/roi.ts';

it('divides net value by cost without rounding', () => {
  // (400 − 300) ÷ 300
  expect(liveRoi(cash(400n), cents(300n))).toBe(100 / 300);
  expect(reportedRoi(cash(400n), cents(300n))).toBe(100 / 300);
  // (100 − 300) ÷ 300: a loss is a ratio too
  expect(reportedRoi(cash(100n), cents(300n))).toBe(-200 / 300);
});

it('has no ratio without a cost above zero', () => {
  for (const cost of [0n, -300n]) {
    expect(liveRoi(cash(400n), cents(cost))).toBeNull();
    expect(reportedRoi(cash(400n), cents(cost))).toBeNull();
  }
});

it('has a ratio without cash value where it is served live, and none where it is reported', () => {
  expect(liveRoi(cash(0n), cents(300n))).toBe(-1);
  expect(reportedRoi(cash(0n), cents(300n))).toBeNull();
  // (−30 − 300) ÷ 300
  expect(liveRoi(cash(-30n), cents(300n))).toBe(-330 / 300);
  expect(reportedRoi(cash(-30n), cents(300n))).toBeNull();
});
