/** The part of the page of AI spend that says what was used: cost by model and month, unit costs, price and use. */
import { html } from 'hono/html';
import { shownAmount, shownMonth } from '../frame/shown-values.ts';
import {
  changesBetween,
  compareList,
  groupUsage,
  type MonthChange,
  newestChanges,
  unitCost,
  type UsageSum,
} from '../../figures/usage.ts';
import { pageTable } from '../frame/page-table.ts';
import type { Html } from '../frame/site-layout.ts';
import { type ComparedMonths, monthsForm } from './compared-months.ts';

const MONTHS = 6;
const ROWS = 20;
const MILLION = 1_000_000;
const TOKENS = /tokens$/;
/** The parts of a list cost, with their names for people. */
const LIST_PARTS = [
  ['At list prices', 'priced_cents'],
  ['Commitment', 'commitment_cents'],
  ['Credit', 'credit_cents'],
  ['Tax', 'tax_cents'],
  ['Correction', 'correction_cents'],
  ['Rounding', 'rounding_cents'],
] as const;
const UNIT_COST = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

interface Shown {
  readonly usage: readonly UsageSum[] | null;
  readonly compared: ComparedMonths | null;
  readonly snapshot_id: string;
}

/** The section; a sentence where the snapshot has no rows of usage. */
export function usageSection({ usage, compared, snapshot_id }: Shown): Html {
  const recorded = usage?.some((sum) => sum.recorded) === true;
  return html`<section>
    <div class="head"><h2 id="models">Models</h2></div>
    ${
      usage === null || !recorded
        ? html`<p>
            Not recorded: no bill of this snapshot says what was used.
            <a href="docs/ai-gateway">Which exports have models and tokens</a>
          </p>`
        : html`${costTable(usage)} ${unitCostTable(usage)} ${changeSection(usage, { compared, snapshot_id })}
          ${listTable(usage)}`
    }
  </section>`;
}

function costTable(usage: readonly UsageSum[]): Html {
  const months = newestMonths(usage);
  const models = groupUsage(usage, ['currency', 'model', 'recorded']).toSorted(byCost);
  const cells = cellsBy(groupUsage(usage, ['currency', 'model', 'recorded', 'month']), modelKey);
  const sumCells = cellsBy(groupUsage(usage, ['currency', 'month']), ({ currency }) => currency);
  return html`<h3>Cost by model and month</h3>
    <p>
      The AI part of the bills of providers, in the currency of each bill, also of bills without dollars. So
      the models do not add up to “For AI” above: that has dollars alone, and the bills of vendors, too.
      ${models.length > ROWS ? `The ${ROWS} models with the highest cost are shown, of ${models.length}.` : ''}
    </p>
    ${pageTable(
      'Cost by model and month',
      ['Model', ...months.map((month) => ({ number: shownMonth(month) })), { number: 'All months' }],
      [
        ...models.slice(0, ROWS).map((model) => costRow(model, nameOf(model), { months, cells })),
        ...sumsOf(models, usage).map((sum) =>
          costRow(sum, `All models, ${sum.currency}`, { months, cells: sumCells, isSum: true }),
        ),
      ],
    )}`;
}

/** The sums of the currencies that have several models, of models that are not shown, too. */
function sumsOf(models: readonly UsageSum[], usage: readonly UsageSum[]): readonly UsageSum[] {
  return groupUsage(usage, ['currency'])
    .filter(({ currency }) => models.filter((model) => model.currency === currency).length > 1)
    .toSorted(byCost);
}

interface CostRow {
  readonly months: readonly string[];
  readonly cells: ReturnType<typeof cellsBy>;
  readonly isSum?: boolean;
}

function costRow(line: UsageSum, name: string, { months, cells, isSum = false }: CostRow): Html {
  return html`<tr ${isSum ? html`class="sum"` : ''}>
    <th scope="row">${name}</th>
    ${months.map((month) => {
      const cell = cells(line, month);
      return html`<td class="number">
        ${cell === undefined ? '' : shownAmount(cell.cost_cents, line.currency)}
      </td>`;
    })}
    <td class="number">${shownAmount(line.cost_cents, line.currency)}</td>
  </tr>`;
}

function unitCostTable(usage: readonly UsageSum[]): Html | '' {
  const tokens = usage.filter(({ unit }) => unit !== null && TOKENS.test(unit));
  if (tokens.length === 0) return '';
  const months = newestMonths(tokens);
  const kinds = groupUsage(tokens, ['currency', 'model', 'unit']).toSorted(byCost);
  const cells = cellsBy(groupUsage(tokens, ['currency', 'model', 'unit', 'month']), kindKey);
  return html`<h3>Cost of a million tokens</h3>
    <p>Billed cost by quantity. A quantity that a file added has no cost of its own.</p>
    ${pageTable(
      'Cost of a million tokens',
      ['Model', 'Tokens', 'Currency', ...months.map((month) => ({ number: shownMonth(month) }))],
      kinds.slice(0, ROWS).map(
        (kind) =>
          html`<tr>
            <th scope="row">${nameOf(kind)}</th>
            <td>${kindName(kind)}</td>
            <td>${kind.currency}</td>
            ${months.map((month) => html`<td class="number">${shownUnitCost(cells(kind, month))}</td>`)}
          </tr>`,
      ),
    )}`;
}

/** Price and use of the compared months in each currency, below a form that compares other months. */
function changeSection(
  usage: readonly UsageSum[],
  { compared, snapshot_id }: Omit<Shown, 'usage'>,
): Html | '' {
  const months = [...new Set(usage.map(({ month }) => month))].toSorted().toReversed();
  if (months.length < 2 && compared === null) return '';
  const changes = compared === null ? newestChanges(usage) : changesBetween(usage, compared);
  const [newest = '', second = ''] = months;
  // Without a choice the form has the months of the first table, so that it shows this table again.
  const chosen = compared ?? changes[0] ?? { month: newest, before: second };
  return html`${monthsForm(months, chosen, snapshot_id)} ${compared === null ? ownMonths(changes) : ''}
  ${
    changes.length > 0
      ? changes.map(oneChange)
      : html`<p>
          In no currency do both ${shownMonth(chosen.before)} and ${shownMonth(chosen.month)} have bills of
          providers.
        </p>`
  }`;
}

/** Without a choice, each currency has its own newest months: a sentence where these are not those of the form. */
function ownMonths(changes: readonly MonthChange[]): Html | '' {
  const pairs = changes.map(
    ({ month, before, currency }) => `${currency} ${shownMonth(month)} against ${shownMonth(before)}`,
  );
  if (new Set(changes.map(({ month, before }) => `${month} ${before}`)).size < 2) return '';
  return html`<p>Each currency compares its newest two months with bills: ${pairs.join(', ')}.</p>`;
}

function oneChange({ month, before, currency, models, rounding_cents }: MonthChange): Html {
  const label = `Price and use, ${shownMonth(month)} against ${shownMonth(before)}, ${currency}`;
  const lines = models
    .map((model) => ({ ...model, all: model.price_cents + model.use_cents + model.other_cents }))
    .filter(
      ({ price_cents, use_cents, other_cents }) =>
        price_cents !== 0n || use_cents !== 0n || other_cents !== 0n,
    );
  const [shown, folded] = [lines.slice(0, ROWS), lines.slice(ROWS)];
  const rest = folded.length === 0 ? [] : [{ ...total(folded), name: `${folded.length} more` }];
  const rounding = { price_cents: 0n, use_cents: 0n, other_cents: rounding_cents, all: rounding_cents };
  const named = [
    ...shown.map((line) => ({
      ...line,
      name: `${line.model ?? 'No model named'}${line.unit === null ? '' : `, ${kindName(line)}`}`,
    })),
    ...rest,
    ...(rounding_cents === 0n ? [] : [{ ...rounding, name: 'Rounding of the bills' }]),
  ];
  return html`<h3>${label}</h3>
    <p>
      A price is billed cost by quantity. Price is its change times the new quantity; use is the change of the
      quantity times the old price. New and ended models are use.
    </p>
    ${pageTable(
      label,
      ['Model', { number: 'Price' }, { number: 'Use' }, { number: 'Other' }, { number: 'Change' }],
      [...named, { ...total(named), name: 'All models' }].map(
        ({ name, price_cents, use_cents, other_cents, all }) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${[price_cents, use_cents, other_cents, all].map(
              (cents) => html`<td class="number">${shownDifference(cents, currency)}</td>`,
            )}
          </tr>`,
      ),
    )}`;
}

/** List cost of the newest months beside quantity times list price. */
function listTable(usage: readonly UsageSum[]): Html {
  const lines = newestMonths(usage)
    .toReversed()
    .flatMap((month) => {
      const ofMonth = usage.filter((sum) => sum.month === month);
      const byCurrency = [...Map.groupBy(ofMonth, ({ currency }) => currency)].toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      );
      return byCurrency.map(([currency, own]) => ({ month, currency, ...compareList(own) }));
    });
  const label = 'Tokens at list prices, and list cost';
  return html`<h3>${label}</h3>
    <p>
      Quantity times list price and the parts beside it add up to the list cost. A charge without a list price
      is not compared: its billed cost stands apart.
    </p>
    ${pageTable(
      label,
      [
        'Month',
        ...LIST_PARTS.map(([name]) => ({ number: name })),
        { number: 'List cost' },
        { number: 'Not compared' },
      ],
      lines.map(
        (each) =>
          html`<tr>
            <th scope="row">${shownMonth(each.month)}</th>
            ${[
              ...LIST_PARTS.map(([, part]) => part),
              'list_cost_cents' as const,
              'not_compared_cents' as const,
            ].map((part) => html`<td class="number">${shownAmount(each[part], each.currency)}</td>`)}
          </tr>`,
      ),
    )}`;
}

interface Amounts {
  readonly price_cents: bigint;
  readonly use_cents: bigint;
  readonly other_cents: bigint;
  readonly all: bigint;
}

function total(lines: readonly Amounts[]): Amounts {
  const sum = (of: keyof Amounts): bigint => lines.reduce((cents, line) => cents + line[of], 0n);
  return {
    price_cents: sum('price_cents'),
    use_cents: sum('use_cents'),
    other_cents: sum('other_cents'),
    all: sum('all'),
  };
}

function newestMonths(usage: readonly UsageSum[]): readonly string[] {
  return [...new Set(usage.map(({ month }) => month))].toSorted().slice(-MONTHS);
}

const modelKey = ({ currency, model, recorded }: UsageSum): string =>
  JSON.stringify([currency, model, recorded]);
const kindKey = ({ currency, model, unit }: UsageSum): string => JSON.stringify([currency, model, unit]);

/** The sum of a month among those with the key of a line; undefined if there is none. */
function cellsBy(
  sums: readonly UsageSum[],
  keyOf: (sum: UsageSum) => string,
): (line: UsageSum, month: string) => UsageSum | undefined {
  const cells = new Map(sums.map((sum) => [`${sum.month} ${keyOf(sum)}`, sum]));
  return (line, month) => cells.get(`${month} ${keyOf(line)}`);
}

function byCost(a: UsageSum, b: UsageSum): number {
  return Number(b.cost_cents - a.cost_cents);
}

function nameOf({ model, recorded }: UsageSum): string {
  return model ?? (recorded ? 'No model named' : 'Not recorded');
}

function kindName({ unit }: { readonly unit: string | null }): string {
  return unit?.replaceAll('_', ' ') ?? '';
}

function shownUnitCost(sum: UsageSum | undefined): string {
  const cost = sum === undefined ? null : unitCost(sum, MILLION);
  return cost === null ? '' : UNIT_COST.format(cost).replace('-', '−');
}

/** An amount with a sign, but for zero. */
function shownDifference(cents: bigint, currency: string): string {
  return `${cents > 0n ? '+' : ''}${shownAmount(cents, currency)}`;
}
