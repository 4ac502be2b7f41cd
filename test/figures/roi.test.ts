import { expect, it } from 'vitest';
import { cash, cents } from '../../src/figures/cents.ts';
import { liveRoi, reportedRoi, roiPercentage } from '../../src/figures/roi.ts';

it('ROI divides net value by cost without rounding', () => {
  // (400 − 300) ÷ 300
  expect(liveRoi(cash(400n), cents(300n))).toBe(100 / 300);
  expect(reportedRoi(cash(400n), cents(300n))).toBe(100 / 300);
  // (100 − 300) ÷ 300: a loss is a ratio too
  expect(reportedRoi(cash(100n), cents(300n))).toBe(-200 / 300);
});

it('a return has no ratio without a cost above zero', () => {
  for (const cost of [0n, -300n]) {
    expect(liveRoi(cash(400n), cents(cost))).toBeNull();
    expect(reportedRoi(cash(400n), cents(cost))).toBeNull();
  }
});

it('a ratio of 0 without cash value is served live, and null in the reporting tables', () => {
  expect(liveRoi(cash(0n), cents(300n))).toBe(-1);
  expect(reportedRoi(cash(0n), cents(300n))).toBeNull();
  // (−30 − 300) ÷ 300
  expect(liveRoi(cash(-30n), cents(300n))).toBe(-330 / 300);
  expect(reportedRoi(cash(-30n), cents(300n))).toBeNull();
});

it('the live ROI is a percentage of one decimal, rounded once and away from zero', () => {
  // (2860 − 2000) ÷ 2000 = 43 %; (100 − 300) ÷ 300 = −66.666… %
  expect(roiPercentage(cash(2860n), cents(2000n))).toBe(43);
  expect(roiPercentage(cash(100n), cents(300n))).toBe(-66.7);
  // 1 ÷ 2000 = 0.05 %, a half of the last decimal, either way; and −1 ÷ 2001 is less than one
  expect(roiPercentage(cash(2001n), cents(2000n))).toBe(0.1);
  expect(roiPercentage(cash(1999n), cents(2000n))).toBe(-0.1);
  expect(roiPercentage(cash(2000n), cents(2001n))).toBe(0);
  expect(roiPercentage(cash(400n), cents(0n))).toBeNull();
  expect(roiPercentage(cash(400n), cents(-300n))).toBeNull();
});
