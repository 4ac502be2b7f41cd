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

/** The form; `months` has the newest first. A chosen month without bills can be seen, too. */
export function monthsForm(
  months: readonly string[],
  { month, before }: ComparedMonths,
  snapshot_id: string,
): Html {
  const offered = [...new Set([...months, month, before])].toSorted().toReversed();
  return html`<form class="pick" id="price-and-use" method="get" action="ai-spend#price-and-use">
    <input type="hidden" name="snapshot" value="${snapshot_id}" />
    ${monthField('month', 'Price and use of', offered, month)}
    ${monthField('against', 'against', offered, before)}
    <button>Show</button>
  </form>`;
}

function monthField(name: string, label: string, months: readonly string[], chosen: string): Html {
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
 * Reads which months are compared, or refuses a month against itself; what it returns completes them from the use of a snapshot.
 * Without `month`, the newest other month is compared. Without `against`, it is compared with the month before it, or with the
 * newest if it is the first.
 */
export function readComparedMonths({
  month,
  against,
}: Readonly<Record<string, string>>): (usage: readonly UsageSum[] | null) => ComparedMonths | null {
  const [first, second] = [dayOf('month', month), dayOf('against', against)];
  if (first === undefined && second === undefined) return () => null;
  if (first === second) {
    throw new CrossfootError('parameter_refused', 'The parameters month and against must be two months.');
  }
  return (usage) => {
    const months = [...new Set(usage?.map((sum) => sum.month))].toSorted();
    const newestBut = (other: string | undefined) => months.findLast((each) => each !== other);
    const compared = first ?? newestBut(second);
    const before = second ?? months.findLast((each) => each < (first ?? '')) ?? newestBut(first);
    return compared === undefined || before === undefined ? null : { month: compared, before };
  };
}

/** The first day of a month such as `2026-06`; undefined if none is sent. */
function dayOf(name: string, month: string | undefined): string | undefined {
  if (month === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month && `${month}-01`;
  throw new CrossfootError('parameter_refused', `The parameter ${name} must be a month such as 2026-06.`);
}
