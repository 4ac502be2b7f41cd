/** The parameters of a window of figures, and the window that they request together. */
import { refusedParameter } from '../http/parameters.ts';
import {
  MONTH_FORM,
  MONTH_PATTERN,
  parseMonth,
  parseWindow,
  requestedWindow,
  WINDOW_FORMS,
  WINDOW_PATTERN,
  type WindowParameters,
  type WindowRequest,
} from '../../figures/requested-window.ts';
import { parameter } from '../contract/queries.ts';

const month = (description: string) =>
  parameter(parseMonth, MONTH_FORM, {
    type: 'string',
    pattern: MONTH_PATTERN,
    description,
    example: '2026-01',
  });

export const windowParameters = {
  window: parameter(parseWindow, WINDOW_FORMS, {
    type: 'string',
    pattern: WINDOW_PATTERN,
    default: 'all',
    example: 'fy2026-q3',
    description:
      'The window: the last 1, 3 or 5 years that end today (`1yr`, `3yr`, `5yr`), all time (`all`), or a `window_key` of `reported_totals`: a fiscal year (`fy2026`) or one of its quarters (`fy2026-q3`). Months, `from` and `through`, exclude it.',
  }),
  from: month(
    'The first month, `YYYY-MM`. Entries whose period begins in it or later count; without `through` all later ones do.',
  ),
  through: month(
    'The last month, `YYYY-MM`. Entries whose period begins in it or earlier count; without `from` all earlier ones do.',
  ),
};

/** The requested window; all time if no parameter was sent. */
export function requireWindow(parameters: WindowParameters): WindowRequest {
  const request = requestedWindow(parameters);
  if (typeof request === 'string') throw refusedParameter(request);
  return request;
}
