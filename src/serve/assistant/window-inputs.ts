/** The window of a tool's figures: its parameters, and the account's own periods in descriptions and refusals. */
import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import { addMonths, type Day } from '../../figures/calendar.ts';
import {
  MONTH_FORM,
  MONTH_PATTERN,
  parseMonth,
  parseWindow,
  requestedWindow,
  WINDOW_FORMS,
  WINDOW_PATTERN,
  type WindowRequest,
} from '../../figures/requested-window.ts';
import { type FiscalMoment, type FiscalWindow, nearbyWindows } from '../../figures/windows.ts';

// This module parses these texts, not the protocol library, so that a refusal can name the account's own quarters.
const written = (pattern: string, description: string) =>
  z.string().optional().meta({ pattern, description });

/** The parameters. */
export const windowInputs = {
  window: written(
    WINDOW_PATTERN,
    '1yr, 3yr or 5yr (end today), all, a fiscal year (fy2026) or quarter (fy2026-q3); not with from or through.',
  ).meta({ default: 'all' }),
  from: written(MONTH_PATTERN, 'First month, YYYY-MM; alone: it and all later.'),
  through: written(MONTH_PATTERN, 'Last month, YYYY-MM; alone: it and all earlier.'),
};

export interface WindowTexts {
  readonly window?: string | undefined;
  readonly from?: string | undefined;
  readonly through?: string | undefined;
}

/** The requested window; all time if none was sent. A refusal says which window the next call can send. */
export function requireToolWindow(
  { window, from, through }: WindowTexts,
  moment: FiscalMoment,
): WindowRequest {
  const refuse = (sentence: string): never => {
    throw new CrossfootError(
      'parameter_refused',
      `${sentence} ${periodWords(moment)} Call again with one of these.`,
    );
  };
  const parsed = <Value>(name: string, text: string | undefined, value: Value | null, form: string) =>
    text === undefined ? undefined : (value ?? refuse(`${name} must be ${form}.`));
  const request = requestedWindow({
    window: parsed('window', window, parseWindow(asKey(window ?? '')), WINDOW_FORMS),
    from: parsed('from', from, parseMonth(from ?? ''), MONTH_FORM),
    through: parsed('through', through, parseMonth(through ?? ''), MONTH_FORM),
  });
  return typeof request === 'string' ? refuse(request) : request;
}

/** The key of a window as people write it: pages show FY2027. */
export function asKey(window: string): string {
  return window.trim().toLowerCase();
}

/**
 * Says in words which parameters give this and the last quarter, this and the last fiscal year, and the last month.
 */
export function periodWords(moment: FiscalMoment): string {
  const { quarter, lastQuarter, year, lastYear } = nearbyWindows(moment);
  const lastMonth = monthOf(addMonths(moment.as_of, -1));
  return [
    `On ${moment.as_of}, by this account's fiscal year, "this quarter" is ${named(quarter)}, "last quarter" ${named(lastQuarter)}`,
    `"this fiscal year" ${named(year)}, "last fiscal year" ${named(lastYear)}`,
    `and "last month" from=through=${lastMonth}.`,
  ].join(', ');
}

function named({ window_key, from_date, through_date }: FiscalWindow): string {
  return `window=${window_key} (${from_date} to ${through_date})`;
}

function monthOf(day: Day): string {
  return day.slice(0, 7);
}
