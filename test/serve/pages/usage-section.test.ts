import { describe, expect, it } from 'vitest';
import { exact, type UsageSum } from '../../../src/figures/usage.ts';
import { type ComparedMonths, readComparedMonths } from '../../../src/serve/pages/compared-months.ts';
import { usageSection } from '../../../src/serve/pages/usage-section.ts';

const sum = (
  month: string,
  unit: string | null,
  quantity: string | null,
  cost: string,
  more: Partial<UsageSum> = {},
): UsageSum => ({
  month: `2026-${month}-01`,
  currency: 'USD',
  model: 'gpt-5',
  unit,
  recorded: true,
  partial: false,
  cost_class: 'usage',
  list: 0n,
  priced: 0n,
  not_compared: exact(cost),
  quantity: quantity === null ? null : exact(quantity),
  cost: exact(cost),
  cost_cents: exact(cost) / 10n ** 28n,
  ...more,
});

const listed = (list: string, priced: string, more: Partial<UsageSum> = {}): Partial<UsageSum> => ({
  list: exact(list),
  priced: exact(priced),
  not_compared: 0n,
  ...more,
});

const markup = async (
  usage: readonly UsageSum[] | null,
  compared: ComparedMonths | null = null,
): Promise<string> => (await usageSection({ usage, compared, snapshot_id: 's' })).toString();

/** The words of the section, without its tags. */
const words = async (...shown: Parameters<typeof markup>): Promise<string> =>
  (await markup(...shown))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('\u{2060}', '');

describe('the usage on the page of AI spend', () => {
  it('names the compared months of each currency where they differ, without a choice alone', async () => {
    const dollars = [sum('05', 'input_tokens', '1', '1'), sum('06', 'input_tokens', '2', '3')];
    const euros = [
      sum('04', 'input_tokens', '1', '1', { currency: 'EUR' }),
      sum('07', 'input_tokens', '2', '3', { currency: 'EUR' }),
    ];
    const sentence = 'Each currency compares its newest two months with bills:';
    expect(await words([...dollars, ...euros])).toMatch(
      new RegExp(`${sentence} .*USD Jun 2026 against May 2026`),
    );
    expect(await words([...dollars, ...euros])).toMatch(
      new RegExp(`${sentence} .*EUR Jul 2026 against Apr 2026`),
    );
    expect(await words(dollars)).not.toContain(sentence);
    const chosen = { month: '2026-06-01', before: '2026-05-01' };
    expect(await words([...dollars, ...euros], chosen)).not.toContain(sentence);
  });

  it('adds up only models of one currency, and none that is alone in its currency', async () => {
    const text = await words([
      sum('05', 'input_tokens', '1', '5'),
      sum('05', 'input_tokens', '1', '7', { model: 'o5' }),
      sum('05', 'input_tokens', '1', '9', { currency: 'EUR' }),
    ]);
    expect(text).toContain('All models, USD $12.00 $12.00');
    expect(text).not.toContain('All models, EUR');
  });

  it.each([
    ['a snapshot of an older version', null],
    ['a ledger without bills', []],
    ['bills whose use was not recorded', [sum('05', null, null, '3', { recorded: false, model: null })]],
  ])('is not recorded for %s', async (_what, usage) => {
    expect(await words(usage)).toContain('Not recorded: no bill of this snapshot says what was used.');
  });

  it('shows cost by model and month, the cost of a million tokens, and price and use', async () => {
    const text = await words([
      sum('04', 'input_tokens', '5000000', '50'),
      sum('05', 'input_tokens', '8000000', '96'),
      sum('05', 'output_tokens', '1000000', '8'),
      sum('05', null, null, '-3', { model: null }),
    ]);
    expect(text).toContain('gpt-5 $50.00 $104.00 $154.00');
    expect(text).toContain('No model named −$3.00 −$3.00');
    // $50.00 in April; $104.00 − $3.00 in May.
    expect(text).toContain('All models, USD $50.00 $101.00 $151.00');
    expect(text).toContain('the models do not add up to “For AI” above');
    expect(text).toContain('gpt-5 input tokens USD 10 12');
    // (12 - 10) * 8 and (8 - 5) * 10; a new kind of tokens is use; a credit is neither.
    expect(text).toContain('gpt-5, input tokens +$16.00 +$30.00 $0.00 +$46.00');
    expect(text).toContain('gpt-5, output tokens $0.00 +$8.00 $0.00 +$8.00');
    expect(text).toContain('No model named $0.00 $0.00 −$3.00 −$3.00');
    expect(text).toContain('All models +$16.00 +$38.00 −$3.00 +$51.00');
  });

  it('shows tokens at list prices beside list cost by month and currency, and what is not compared', async () => {
    const text = await words([
      sum('04', 'input_tokens', '1', '9', listed('9', '9')),
      sum('05', 'input_tokens', '1', '90', listed('100.01', '100')),
      sum('05', null, null, '5', listed('5', '0', { cost_class: 'tax' })),
      sum('05', 'seats', '1', '7', { currency: 'EUR' }),
    ]);
    // Month and currency; at list prices, commitment, credit, tax, correction and rounding; their sum; not compared.
    expect(text).toContain(
      'May 2026 EUR 0.00 EUR 0.00 EUR 0.00 EUR 0.00 EUR 0.00 EUR 0.00 EUR 0.00 EUR 7.00',
    );
    expect(text).toContain('May 2026 $100.00 $0.00 $0.00 $5.00 $0.00 $0.01 $105.01 $0.00');
    expect(text).toContain('Apr 2026 $9.00 $0.00 $0.00 $0.00 $0.00 $0.00 $9.00 $0.00');
    expect(text.indexOf('May 2026 $')).toBeLessThan(text.indexOf('Apr 2026 $'));
  });

  it('has the models of bills without dollars, in the currency of the bill, and says so', async () => {
    const text = await words([sum('05', 'seats', '10', '1000', { currency: 'KES' })]);
    expect(text).toContain('in the currency of each bill, also of bills without dollars.');
    expect(text).toContain('KES 1,000.00');
  });

  it('shows a hostile name of a model as text', async () => {
    expect(await markup([sum('05', 'seats', '1', '1', { model: '<script>' })])).not.toContain('<script>');
  });

  it('compares the months that a reader chooses, in each currency that has both', async () => {
    const usage = [
      sum('03', 'input_tokens', '1000000', '8'),
      sum('04', 'input_tokens', '5000000', '50'),
      sum('05', 'input_tokens', '2000000', '26'),
      sum('05', 'input_tokens', '1000000', '9', { currency: 'EUR' }),
    ];
    const chosen = await words(usage, { month: '2026-05-01', before: '2026-03-01' });
    // (13 - 8) * 2 and (2 - 1) * 8.
    expect(chosen).toContain('gpt-5, input tokens +$10.00 +$8.00 $0.00 +$18.00');
    expect(chosen).toContain('Price and use, May 2026 against Mar 2026, USD');
    expect(chosen).not.toContain('EUR Model Price');
    const backwards = await words(usage, { month: '2026-03-01', before: '2026-05-01' });
    // (8 - 13) * 1 and (1 - 2) * 13.
    expect(backwards).toContain('gpt-5, input tokens −$5.00 −$13.00 $0.00 −$18.00');
    const none = await words(usage, { month: '2026-05-01', before: '2025-01-01' });
    expect(none).toContain('In no currency do both Jan 2025 and May 2026 have bills of providers.');
    const form = await markup(usage, { month: '2026-05-01', before: '2026-03-01' });
    expect([...form.matchAll(/value="([\d-]+)" selected/g)].map(([, month]) => month)).toEqual([
      '2026-05',
      '2026-03',
    ]);
  });

  it('offers the months of the first table, so that the form shows this table again', async () => {
    const euros = { currency: 'EUR' };
    const usage = [
      sum('03', 'input_tokens', '1000000', '8'),
      sum('04', 'input_tokens', '5000000', '50'),
      sum('05', 'input_tokens', '1000000', '9', euros),
      sum('06', 'input_tokens', '1000000', '9', euros),
    ];
    const form = await markup(usage);
    expect([...form.matchAll(/value="([\d-]+)" selected/g)].map(([, month]) => month)).toEqual([
      '2026-04',
      '2026-03',
    ]);
    const unlisted = await markup(usage, { month: '2026-04-01', before: '2020-01-01' });
    expect(unlisted).toContain('<option value="2020-01" selected>');
  });

  it('reads the compared months from the address, and completes one of them', () => {
    const usage = [sum('03', null, null, '1'), sum('04', null, null, '1'), sum('05', null, null, '1')];
    const read = (asked: Record<string, string>) => readComparedMonths(asked)(usage);
    expect(read({})).toBeNull();
    expect(read({ month: '2026-05', against: '2026-03' })).toEqual({
      month: '2026-05-01',
      before: '2026-03-01',
    });
    expect(read({ month: '2026-04' })).toEqual({ month: '2026-04-01', before: '2026-03-01' });
    expect(read({ against: '2026-03' })).toEqual({ month: '2026-05-01', before: '2026-03-01' });
    // Against the newest month, the newest other one is compared; the first month is compared with the newest.
    expect(read({ against: '2026-05' })).toEqual({ month: '2026-04-01', before: '2026-05-01' });
    expect(read({ month: '2026-03' })).toEqual({ month: '2026-03-01', before: '2026-05-01' });
    expect(() => read({ month: '2026-05', against: '2026-05' })).toThrow(
      'The parameters month and against must be two months.',
    );
    for (const wrong of ['2026-13', '2026-5', '2026-05-01', '']) {
      expect(() => read({ month: wrong })).toThrow('The parameter month must be a month such as 2026-06.');
    }
  });
});
