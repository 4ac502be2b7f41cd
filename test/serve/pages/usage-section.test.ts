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
  quantity: quantity === null ? null : exact(quantity),
  cost: exact(cost),
  cost_cents: exact(cost) / 10n ** 28n,
  ...more,
});

const markup = async (usage: readonly UsageSum[] | null): Promise<string> =>
  (await usageSection(usage)).toString();

/** The words of the section, without its tags. */
const words = async (usage: readonly UsageSum[] | null): Promise<string> =>
  (await markup(usage)).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('what was used, on the page of AI spend', () => {
  it.each([
    ['a snapshot of an older version', null],
    ['a ledger without bills', []],
    ['bills whose use was not recorded', [sum('05', null, null, '3', { recorded: false, model: null })]],
  ])('says of %s that it is not recorded', async (_what, usage) => {
    expect(await words(usage)).toContain('Not recorded: no bill of this snapshot says what was used.');
  });

  it('shows cost by model and month, the cost of a million tokens, and price and use', async () => {
    const text = await words([
      sum('04', 'input_tokens', '5000000', '50'),
      sum('05', 'input_tokens', '8000000', '96'),
      sum('05', 'output_tokens', '1000000', '8'),
      sum('05', null, null, '-3', { model: null }),
    ]);
    expect(text).toContain('gpt-5 USD 50.00 104.00 154.00');
    expect(text).toContain('No model named USD -3.00 -3.00');
    expect(text).toContain('gpt-5 input tokens USD 10 12');
    // (12 - 10) * 8 and (8 - 5) * 10; a new kind of tokens is use; a credit is neither.
    expect(text).toContain('gpt-5, input tokens +16.00 +30.00 0.00 +46.00');
    expect(text).toContain('gpt-5, output tokens 0.00 +8.00 0.00 +8.00');
    expect(text).toContain('No model named 0.00 0.00 −3.00 −3.00');
    expect(text).toContain('All models +16.00 +38.00 −3.00 +51.00');
  });

  it('shows a hostile name of a model as text', async () => {
    expect(await markup([sum('05', 'seats', '1', '1', { model: '<script>' })])).not.toContain('<script>');
  });
});
