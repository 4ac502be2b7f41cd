/** A proof as elements of the page: its parts, what differs, and every window of the portfolio. */
import type { Element } from './browser.ts';
import type { Finding, Part, Proof } from './prove.ts';
import { outcomeText } from './report.ts';
import { type ComparedWindow, FIGURES } from './totals.ts';

type Make = (name: string) => Element;
type Child = Element | string;
/** A cell of a table; a number is aligned right. */
type Cell = Child | { readonly number: string };

const TITLES: Readonly<Record<(typeof FIGURES)[number], string>> = {
  cash_value_cents: 'Cash value',
  freed_capacity_cents: 'Freed capacity',
  cost_cents: 'Cost',
  net_value_cents: 'Net value',
  roi: 'ROI with cash value',
  capex_cents: 'CapEx',
  opex_cents: 'OpEx',
  vendor_price_effect_cents: 'Price effect',
};
const VERDICTS = {
  proven: 'proven',
  unsigned: 'not signed',
  refused: 'refused',
  unchecked: 'not checked',
} as const;
/** The maximum number of differences on the page; the saved report has all that the proof lists. */
const MAX_SHOWN_DIFFERENCES = 100;

/** The elements in their order. */
export function proofElements(proof: Proof, make: Make): readonly Element[] {
  const element = (
    name: string,
    attributes: Readonly<Record<string, string>>,
    ...children: Child[]
  ): Element => {
    const made = make(name);
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    made.append(...children);
    return made;
  };
  const cell = (name: string, attributes: Readonly<Record<string, string>>, content: Cell): Element =>
    typeof content === 'object' && 'number' in content
      ? element(name, { ...attributes, class: 'number' }, content.number)
      : element(name, attributes, content);
  const table = (label: string, columns: readonly Cell[], rows: readonly (readonly Cell[])[]): Element => {
    const titles = columns.map((title) => cell('th', { scope: 'col' }, title));
    const body = rows.map(([head = '', ...cells]) =>
      element('tr', {}, cell('th', { scope: 'row' }, head), ...cells.map((each) => cell('td', {}, each))),
    );
    return element(
      'div',
      { class: 'wide', tabindex: '0', role: 'region', 'aria-label': label },
      element('table', {}, element('thead', {}, element('tr', {}, ...titles)), element('tbody', {}, ...body)),
    );
  };
  const verdict = (isGood: boolean, text: string): Element =>
    element('strong', { class: isGood ? 'good' : 'bad' }, text);
  const findings = proof.parts.flatMap((part) => part.findings);
  const more = (proof.totals?.more ?? 0) + Math.max(0, findings.length - MAX_SHOWN_DIFFERENCES);
  return [
    element('h2', { id: 'proof' }, 'Result'),
    element(
      'div',
      { class: proof.outcome === 'refused' ? 'note bad' : 'note' },
      element('p', {}, verdict(proof.outcome !== 'refused', outcomeText(proof))),
    ),
    table(
      'Parts of the proof',
      ['Part', 'Result', 'What was checked'],
      proof.parts.map(({ title, outcome, text }: Part) => [
        title,
        verdict(outcome === 'proven', VERDICTS[outcome]),
        text,
      ]),
    ),
    ...(findings.length === 0
      ? []
      : [
          element('h2', {}, 'What differs'),
          table(
            'What differs',
            ['Place', 'Expected', 'Found'],
            findings
              .slice(0, MAX_SHOWN_DIFFERENCES)
              .map(({ where, expected, found }: Finding) => [where, expected, found]),
          ),
          element('p', {}, more === 0 ? '' : `And ${more} more.`),
        ]),
    ...(proof.totals === null
      ? []
      : [
          element('h2', {}, 'Windows of the portfolio'),
          table(
            'Windows of the portfolio',
            ['Window', 'Result', ...FIGURES.map((name) => ({ number: TITLES[name] }))],
            proof.totals.portfolio.map(({ expected, differs }: ComparedWindow) => [
              expected.window_label,
              differs.length === 0
                ? element('span', { class: 'nowrap' }, verdict(true, 'equal to the cent'))
                : verdict(false, `differs: ${differs.join(', ')}`),
              ...FIGURES.map((name) => ({ number: shownFigure(expected[name]) })),
            ]),
          ),
        ]),
  ];
}

/** Cents as dollars, a ratio as a percentage like on every page; a word for none. */
function shownFigure(value: bigint | number | null): string {
  if (value === null) return 'none';
  if (typeof value === 'number') {
    const digits = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
    return value.toLocaleString('en-US', digits).replace('-', '−').replace('%', '\u{A0}%');
  }
  const size = value < 0n ? -value : value;
  const dollars = new Intl.NumberFormat('en-US').format(size / 100n);
  return `${value < 0n ? '−' : ''}$${dollars}.${String(size % 100n).padStart(2, '0')}`;
}
