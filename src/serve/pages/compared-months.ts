/** Which months the page of AI spend compares: a reader chooses them in a form. */
import { html } from 'hono/html';
import { CrossfootError } from '../../errors.ts';
import type { UsageSum } from '../../figures/usage.ts';
import { shownMonth } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';

/** The months that a reader compares, by their first days; null for the newest of each currency and the one before it. */
export interface ComparedMonths {
  readonly month: string;
  readonly before: string;
}

/** The form; `months` has the newest first. */
export function monthsForm(
  months: readonly string[],
  compared: ComparedMonths | null,
  snapshot_id: string,
): Html {
  const chosen = compared ?? { month: months[0], before: months[1] };
  return html`<form class="pick" id="price-and-use" method="get" action="ai-spend#price-and-use">
    <input type="hidden" name="snapshot" value="${snapshot_id}" />
    ${monthField('month', 'Price and use of', months, chosen.month)}
    ${monthField('against', 'against', months, chosen.before)}
    <button>Show</button>
  </form>`;
}

function monthField(
  name: string,
  label: string,
  months: readonly string[],
  chosen: string | undefined,
): Html {
  return html`<div>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${months.map(
        (month) =>
          html`<option value="${month.slice(0, 'YYYY-MM'.length)}" ${month === chosen ? 'selected' : ''}>
            ${shownMonth(month)}
          </option>`,
      )}
    </select>
  </div>`;
}

/**
 * Reads which months are compared; what it returns completes them from the use of a snapshot. Without one of the two, the newest
 * month is compared, or the month before the other one.
 */
export function readComparedMonths({
  month,
  against,
}: Readonly<Record<string, string>>): (usage: readonly UsageSum[] | null) => ComparedMonths | null {
  const [first, second] = [dayOf('month', month), dayOf('against', against)];
  if (first === undefined && second === undefined) return () => null;
  return (usage) => {
    const months = [...new Set(usage?.map((sum) => sum.month))].toSorted();
    const compared = first ?? months.at(-1) ?? '';
    return { month: compared, before: second ?? months.findLast((each) => each < compared) ?? '' };
  };
}

/** The first day of a month such as `2026-06`; undefined if none is sent. */
function dayOf(name: string, month: string | undefined): string | undefined {
  if (month === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month && `${month}-01`;
  throw new CrossfootError('parameter_refused', `The parameter ${name} must be a month such as 2026-06.`);
}
