import { describe, expect, it } from 'vitest';
import { exact, type UsageSum } from '../../../src/figures/usage.ts';
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

const markup = async (usage: readonly UsageSum[] | null): Promise<string> =>
  (await usageSection(usage)).toString();

/** The words of the section, without its tags. */
const words = async (usage: readonly UsageSum[] | null): Promise<string> =>
  (await markup(usage))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('\u{2060}', '');

describe('the usage on the page of AI spend', () => {
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

  it('shows a hostile name of a model as text', async () => {
    expect(await markup([sum('05', 'seats', '1', '1', { model: '<script>' })])).not.toContain('<script>');
  });
});
