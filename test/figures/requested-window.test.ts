/** The windows that a caller may request: how each is read, its days, and which entries it counts. */
import { describe, expect, it } from 'vitest';
import {
  ANSWERED_WINDOW_PATTERN,
  countedDays,
  parseMonth,
  parseWindow,
  requestedWindow,
  WINDOW_PATTERN,
  type WindowRequest,
  windowOf,
} from '../../src/figures/requested-window.ts';
import { fiscalWindows, nearbyWindows } from '../../src/figures/windows.ts';

const moment = (as_of: string, fiscal_year_start_month: number) => ({ as_of, fiscal_year_start_month });

/** The window of a text that is well-formed. */
function windowFor(text: string): WindowRequest {
  const request = parseWindow(text);
  if (request === null) throw new Error(`${text} is malformed`);
  return request;
}

const months = (from: string | null, through: string | null): WindowRequest => ({
  kind: 'months',
  from: from === null ? null : `${from}-01`,
  through: through === null ? null : `${through}-01`,
});

describe('the text of a window', () => {
  it.each(['1yr', '3yr', '5yr', 'all', 'fy2026', 'fy2026-q1', 'fy2026-q4', 'fy1', 'fy9999-q2'])(
    '%s is accepted, by the pattern of the contract too',
    (text) => {
      expect(parseWindow(text)).not.toBeNull();
      expect(text).toMatch(new RegExp(WINDOW_PATTERN));
      expect(text).toMatch(new RegExp(ANSWERED_WINDOW_PATTERN));
    },
  );

  it.each(
    ' ;2yr;ALL;FY2026;fy02026;fy0;fy10000;fy2026-q0;fy2026-q5;fy2026q1;fy2026-q1 ;fy2026-q1\n;fy-1;2026;custom;toString'.split(
      ';',
    ),
  )('%j is malformed, by the pattern of the contract too', (text) => {
    expect(parseWindow(text)).toBeNull();
    // `$` of a regular expression stands before a final line break only with the flag m, which JSON Schema has not.
    expect(text).not.toMatch(new RegExp(WINDOW_PATTERN));
  });

  it('is that of every row of reported_totals, with the same label and days, wherever the year begins', () => {
    for (const start of Array.from({ length: 12 }, (_, index) => index + 1)) {
      const at = moment('2026-07-15', start);
      const rows = [...fiscalWindows(at, '2023-02-28', '2026-10-05')];
      expect(rows.length).toBeGreaterThan(15);
      for (const { window_key, window_label, from_date, through_date } of rows) {
        expect(windowOf(windowFor(window_key), at, null)).toEqual({
          key: window_key,
          label: window_label,
          from: from_date,
          through: through_date,
        });
      }
    }
  });
});

describe('the text of a month', () => {
  it('is a year and a month', () => {
    expect(['2026-01', '0001-12', '9999-12'].map(parseMonth)).toEqual([
      '2026-01-01',
      '0001-12-01',
      '9999-12-01',
    ]);
  });

  it.each(['2026-1', '2026-00', '2026-13', '2026', '2026-01-01', '202601', '0000-05', ''])(
    '%j is malformed',
    (text) => {
      expect(parseMonth(text)).toBeNull();
    },
  );
});

describe('the parameters together', () => {
  const year = windowFor('fy2026');

  it('are all time if none is sent, and months if either is sent alone', () => {
    expect(requestedWindow({})).toEqual({ kind: 'trailing', key: 'all' });
    expect(requestedWindow({ window: year })).toBe(year);
    expect(requestedWindow({ from: '2026-01-01' })).toEqual(months('2026-01', null));
    expect(requestedWindow({ through: '2026-03-01' })).toEqual(months(null, '2026-03'));
    expect(requestedWindow({ from: '2026-03-01', through: '2026-03-01' })).toEqual(
      months('2026-03', '2026-03'),
    );
  });

  it('are refused in words if they contradict each other', () => {
    const both = 'window excludes from and through: send either window, or from and through.';
    expect(requestedWindow({ window: year, from: '2026-01-01' })).toBe(both);
    expect(requestedWindow({ window: year, through: '2026-01-01' })).toBe(both);
    expect(requestedWindow({ from: '2026-02-01', through: '2026-01-01' })).toBe(
      'The month of through is before the month of from: exchange them.',
    );
  });
});

describe('the days of a window', () => {
  const at = moment('2026-07-15', 4);

  it('of a fiscal year that does not begin in January are in two calendar years', () => {
    expect(windowOf(windowFor('fy2024-q4'), at, null)).toEqual({
      key: 'fy2024-q4',
      label: 'FY2024 Q4',
      from: '2024-01-01',
      through: '2024-03-31',
    });
    expect(countedDays(windowFor('fy2024'), at)).toEqual({ from: '2023-04-01', through: '2024-03-31' });
  });

  it('of the first and of the last year are days that PostgreSQL has', () => {
    // FY1 begins in April of a year 0, which PostgreSQL has not; FY9999 ends in the last month of all.
    expect(countedDays(windowFor('fy1'), at)).toEqual({ from: '0001-01-01', through: '0001-03-31' });
    // Its first quarters end in that year: they have no day.
    for (const quarter of ['fy1-q1', 'fy1-q3']) {
      const { from, through } = countedDays(windowFor(quarter), at) ?? { from: '', through: '' };
      expect([from > through, through]).toEqual([true, '0001-01-01']);
    }
    expect(countedDays(windowFor('fy1-q4'), at)).toEqual({ from: '0001-01-01', through: '0001-03-31' });
    expect(countedDays(windowFor('fy9999'), moment('2026-07-15', 1))).toEqual({
      from: '9999-01-01',
      through: '9999-12-31',
    });
  });

  it('of months are whole months', () => {
    expect(windowOf(months('2024-01', '2024-02'), at, null)).toEqual({
      key: 'custom',
      label: 'January 2024 to February 2024',
      from: '2024-01-01',
      through: '2024-02-29',
    });
    expect(countedDays(months('2024-02', '2024-02'), at)).toEqual({
      from: '2024-02-01',
      through: '2024-02-29',
    });
    expect(windowOf(months('2024-02', '2024-02'), at, null).label).toBe('February 2024');
  });

  it('of a first month alone run to the month of today, or of the latest entry, or to their own', () => {
    const from = (month: string, latestDay: string | null) => windowOf(months(month, null), at, latestDay);
    expect(from('2026-06', null)).toMatchObject({
      label: 'From June 2026',
      from: '2026-06-01',
      through: '2026-07-31',
    });
    expect(from('2026-06', '2026-10-05').through).toBe('2026-10-31');
    expect(from('2027-01', null).through).toBe('2027-01-31');
    expect(countedDays(months('2026-06', null), at)).toEqual({ from: '2026-06-01', through: '9999-12-31' });
  });

  it('of a last month alone have no first, and still leave out what has no date', () => {
    expect(windowOf(months(null, '2026-03'), at, null)).toEqual({
      key: 'custom',
      label: 'Through March 2026',
      from: null,
      through: '2026-03-31',
    });
    expect(countedDays(months(null, '2026-03'), at)).toEqual({ from: '0001-01-01', through: '2026-03-31' });
  });

  it('of all time are none: what has no date counts too', () => {
    expect(countedDays(windowFor('all'), at)).toBeNull();
    expect(countedDays(windowFor('1yr'), at)).toEqual({ from: '2025-07-16', through: '2026-07-15' });
  });
});

const keys = (as_of: string) =>
  Object.values(nearbyWindows(moment(as_of, 4))).map(({ window_key }) => window_key);

it('the quarters and years around a day are named by the fiscal year, across its first day', () => {
  expect(keys('2026-03-31')).toEqual(['fy2026-q4', 'fy2026-q3', 'fy2026', 'fy2025']);
  expect(keys('2026-04-01')).toEqual(['fy2027-q1', 'fy2026-q4', 'fy2027', 'fy2026']);
});
