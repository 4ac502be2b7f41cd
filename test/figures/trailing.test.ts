import { describe, expect, it } from 'vitest';
import { TRAILING_WINDOWS, trailingWindow } from '../../src/figures/trailing.ts';

describe('a trailing window', () => {
  it('ends today and starts the day after the same day years earlier', () => {
    expect(trailingWindow('1yr', '2026-11-15', null)).toEqual({
      key: '1yr',
      label: 'Last 12 months',
      from: '2025-11-16',
      through: '2026-11-15',
    });
    expect(trailingWindow('3yr', '2026-11-15', null)).toMatchObject({
      label: 'Last 3 years',
      from: '2023-11-16',
    });
    expect(trailingWindow('5yr', '2026-12-31', null)).toMatchObject({
      label: 'Last 5 years',
      from: '2022-01-01',
    });
  });

  it('starts on 1 March when today is 29 February', () => {
    // the same day a year earlier is 28 February 2023, the day after it 1 March
    expect(trailingWindow('1yr', '2024-02-29', null).from).toBe('2023-03-01');
  });

  it('starts on 29 February when today is 28 February after a leap year', () => {
    expect(trailingWindow('1yr', '2025-02-28', null).from).toBe('2024-02-29');
  });

  it('does not reach for entries dated after today', () => {
    expect(trailingWindow('1yr', '2026-11-15', '2027-03-01').through).toBe('2026-11-15');
  });
});

describe('all time', () => {
  it('has no first day and ends today', () => {
    expect(trailingWindow('all', '2026-11-15', '2026-01-01')).toEqual({
      key: 'all',
      label: 'All time',
      from: null,
      through: '2026-11-15',
    });
    expect(trailingWindow('all', '2026-11-15', null).through).toBe('2026-11-15');
  });

  it('ends where the latest-dated entry begins, if that is later than today', () => {
    expect(trailingWindow('all', '2026-11-15', '2027-03-09').through).toBe('2027-03-09');
  });
});

it('the trailing windows are the four of the contract', () => {
  expect(Object.keys(TRAILING_WINDOWS)).toEqual(['1yr', '3yr', '5yr', 'all']);
});
