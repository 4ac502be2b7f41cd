/** The page of AI spend: what was billed, by month and by biller, and the part that initiatives carry. */
import { html } from 'hono/html';
import { setImmediate } from 'node:timers/promises';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { groupByBiller, sumAiBills, sumCards } from '../../figures/ai-spend.ts';
import type { UsageSum } from '../../figures/usage.ts';
import { shownDollars, shownMonth } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import type { AiSpendRow } from '../live/snapshot-ai-spend.ts';
import { createUsage } from '../live/snapshot-usage.ts';
import { defineFigures } from './figures-page.ts';
import { foldBox } from './fold.ts';
import { type ComparedMonths, readComparedMonths } from '../pages/compared-months.ts';
import { usageSection } from '../pages/usage-section.ts';
import type { DescribedSnapshot } from './overview.ts';
import type { RowLinks } from './row-links.ts';
import { billsNote } from '../pages/left-out-note.ts';

const WIDTH = 100;
/** The rows of bills: those of cards are never added to them. */
const BILLS = [
  ['source_kind', 'provider_bill'],
  ['source_kind', 'ai_vendor'],
] as const;

interface Shown {
  readonly described: DescribedSnapshot;
  readonly usage: readonly UsageSum[] | null;
  readonly compared: ComparedMonths | null;
  readonly links: RowLinks;
}

function aiSpendBody({ described, usage, compared, links }: Shown): Html {
  const { ai_rows: rows, snapshot } = described;
  const all = sumAiBills(rows);
  const cards = sumCards(rows);
  const bills = rows.filter(({ source_kind }) => source_kind !== 'card');
  const byMonth = [...Map.groupBy(bills, ({ month }) => month)].toSorted(([a], [b]) => (a < b ? 1 : -1));
  const byBiller = groupByBiller(rows).toSorted((a, b) =>
    Number(sumAiBills(b.rows).billed_cents - sumAiBills(a.rows).billed_cents),
  );
  const table = links.table('ai_spend', BILLS);
  return html`<h1>AI spend</h1>
    <p class="lead">
      Of <b>${shownDollars(all.ai_billed_cents)}</b> billed for AI, initiatives carry
      <b>${shownDollars(all.carried_cents)}</b>; <b>${shownDollars(all.not_carried_cents)}</b> is carried by
      none.
      <a href="docs/ai-spend">What counts as AI spend</a>
    </p>
    ${billsNote(snapshot.left_out, '')}
    ${
      rows.length === 0
        ? html`<p class="note">
            No bill and no card charge is in this snapshot.
            <a href="docs/load-the-ledger">How to load bills</a>
          </p>`
        : ''
    }
    ${spendTable({
      id: 'by-month',
      heading: 'By month',
      first: 'Month',
      groups: byMonth.map(([month, some]) => ({
        name: shownMonth(month),
        link: links.table('ai_spend', [...BILLS, ['month', month]]),
        rows: some,
      })),
      all: { rows, link: table },
    })}
    ${spendTable({
      id: 'by-source',
      heading: 'By provider and vendor',
      first: 'Who billed it',
      groups: byBiller.map(({ biller, rows: some }) => ({
        name: biller ?? 'not named',
        link: links.table('ai_spend', [...BILLS, ['biller', biller ?? '']]),
        rows: some,
      })),
      all: { rows, link: table },
    })}
    ${usageSection({ usage, compared, snapshot_id: snapshot.snapshot_id })}
    <section>
      <div class="head"><h2 id="cards">Card charges</h2></div>
      <p>
        <a href="${links.table('ai_spend', [['source_kind', 'card']])}"
          >${shownDollars(cards.billed_cents)}</a
        >
        was charged to cards, and ${shownDollars(cards.booked_cents)} was booked. Cards stand beside the bills
        and are in no sum above: a charge may be on a vendor's bill as well.
      </p>
    </section>`;
}

interface Group {
  readonly link: string;
  readonly rows: readonly AiSpendRow[];
}

interface SpendTable {
  readonly id: string;
  readonly heading: string;
  readonly first: string;
  readonly groups: readonly (Group & { readonly name: string })[];
  readonly all: Group;
}

function spendTable({ id, heading, first, groups, all }: SpendTable): Html | '' {
  if (groups.length === 0) return '';
  const sums = groups.map((group) => ({ ...group, sum: sumAiBills(group.rows) }));
  const most = Math.max(...sums.map(({ sum }) => Number(sum.ai_billed_cents)), 1);
  const width = (cents: bigint): string => (Math.max(Number(cents) / most, 0) * WIDTH).toFixed(1);
  const total = sumAiBills(all.rows);
  return html`<section>
    <div class="head">
      <h2 id="${id}">${heading}</h2>
      <p class="legend">
        <span class="key cost">Carried by initiatives</span> <span class="key soft">Carried by none</span>
      </p>
    </div>
    ${foldBox(groups.length, 'lines')}
    <table class="ranking spend">
      <thead>
        <tr>
          <th scope="col">${first}</th>
          <th scope="col">The AI part</th>
          <th scope="col" class="r">Billed in all</th>
          <th scope="col" class="r">For AI</th>
          <th scope="col" class="r">Carried</th>
          <th scope="col" class="r">Not carried</th>
        </tr>
      </thead>
      <tbody>
        ${sums.map(
          ({ name, link, sum }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="bar">
                <svg viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="bar-cost soft" width="${width(sum.ai_billed_cents)}" height="10" y="1" />
                  <rect class="bar-cost" width="${width(sum.carried_cents)}" height="10" y="1" />
                </svg>
              </td>
              <td class="r" data-column="Billed in all">
                <a href="${link}">${shownDollars(sum.billed_cents)}</a>
              </td>
              <td class="r" data-column="For AI">${shownDollars(sum.ai_billed_cents)}</td>
              <td class="r" data-column="Carried">${shownDollars(sum.carried_cents)}</td>
              <td class="r net" data-column="Not carried">${shownDollars(sum.not_carried_cents)}</td>
            </tr>`,
        )}
        <tr class="sum">
          <th scope="row">All bills</th>
          <td class="bar"></td>
          <td class="r" data-column="Billed in all">
            <a href="${all.link}">${shownDollars(total.billed_cents)}</a>
          </td>
          <td class="r" data-column="For AI">${shownDollars(total.ai_billed_cents)}</td>
          <td class="r" data-column="Carried">${shownDollars(total.carried_cents)}</td>
          <td class="r net" data-column="Not carried">${shownDollars(total.not_carried_cents)}</td>
        </tr>
      </tbody>
    </table>
  </section>`;
}

export const aiSpendPage = defineFigures({
  path: '/ai-spend',
  title: 'AI spend',
  here: 'ai-spend',
  query: ['snapshot', 'month', 'against'],
  says: 'What was billed for AI, by month and by who billed it, carried by initiatives or not; price and use of `month` compared with `against`.',
  content: () => {
    const usageOf = createUsage(MEMORY_BUDGET.usage);
    return ({ c }) => {
      const comparedOf = readComparedMonths(c.req.query());
      return async ({ described, files, links }) => {
        const usage = await usageOf(files);
        await setImmediate(); // sums and text take 20 ms each at their first request
        return { body: aiSpendBody({ described, usage, compared: comparedOf(usage), links }) };
      };
    };
  },
});
