import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  LIST_PRICE_PLATFORMS,
  TOKEN_KINDS,
  UNIT_WORDS,
  USAGE_COLUMNS,
  USAGE_PLATFORMS,
  columnOf,
} from '../../../src/focus/usage-columns.ts';
import { shownUnits } from '../../../src/ledger/focus/decimals.ts';
import { usageReader } from '../../../src/ledger/focus/usage-of-charge.ts';

/** One of a currency, as `unitsOf` reads it. */
const ONE = 10n ** 30n;

type Cells = Readonly<Record<string, string>>;

/** The parts of a charge as `unit quantity of model`, with what each costs. */
function used(cells: Cells, provider = 'Acme AI'): readonly string[] {
  const parts = usageReader()((column) => cells[column] ?? null, provider, 5n * ONE, new Set());
  return parts.map(
    ({ unit, quantity, model, billed }) =>
      `${quantity === null ? 'nothing' : shownUnits(quantity)} ${unit} of ${model} for ${shownUnits(billed)}`,
  );
}

const TOKENS = { ConsumedQuantity: '500', ConsumedUnit: 'Tokens' };
const details = (more: Cells): string => JSON.stringify({ ModelId: 'sonnet-4', ...more });

const bedrock = (meter: Cells): readonly string[] =>
  used({ ConsumedQuantity: '12.5', ConsumedUnit: '1K tokens', ...meter }, 'Amazon Web Services');
const azure = (SkuMeter: string): readonly string[] => used({ ...TOKENS, SkuMeter }, 'Microsoft');

describe('the use of a charge', () => {
  it.each<[string, Cells, string]>([
    ['input by its meter', { ...TOKENS, SkuMeter: 'Input Tokens' }, '500.00 input_tokens of null'],
    ['output by its meter', { ...TOKENS, SkuMeter: 'Output Tokens' }, '500.00 output_tokens of null'],
    [
      'cached input by its meter',
      { ...TOKENS, SkuMeter: 'Input Cache' },
      '500.00 cached_input_tokens of null',
    ],
    [
      'the model and the direction of 1.5',
      { ...TOKENS, SkuPriceDetails: details({ TokenDirection: 'Output', CacheAction: 'Uncached' }) },
      '500.00 output_tokens of sonnet-4',
    ],
    [
      'a cache that is read, whatever its meter is called',
      { ...TOKENS, SkuMeter: 'Input Tokens', SkuPriceDetails: details({ CacheAction: 'Read' }) },
      '500.00 cached_input_tokens of sonnet-4',
    ],
    [
      'a cache that is written',
      { ...TOKENS, SkuPriceDetails: details({ CacheAction: 'Write', TokenDirection: 'Input' }) },
      '500.00 cache_write_input_tokens of sonnet-4',
    ],
    ['tokens without a direction', TOKENS, '500.00 tokens of null'],
    ['requests', { ConsumedQuantity: '3', ConsumedUnit: 'Requests' }, '3.00 requests of null'],
    ['seconds', { ConsumedQuantity: '0.5', ConsumedUnit: 'Seconds' }, '0.50 seconds of null'],
    ['images', { ConsumedQuantity: '3', ConsumedUnit: 'image' }, '3.00 images of null'],
    ['seats', { ConsumedQuantity: '3', ConsumedUnit: 'Seats' }, '3.00 seats of null'],
    [
      'an unknown unit as it is written',
      { ConsumedQuantity: '3', ConsumedUnit: 'GB-Hours' },
      '3.00 GB-Hours of null',
    ],
    [
      'what was priced where nothing says what was consumed',
      { PricingQuantity: '2.5', PricingUnit: '1000000 Tokens', SkuMeter: 'Output Tokens' },
      '2500000.00 output_tokens of null',
    ],
    [
      'what was consumed before what was priced',
      { ...TOKENS, PricingQuantity: '0.0005', PricingUnit: '1000000 Tokens' },
      '500.00 tokens of null',
    ],
    [
      'a block that the table does not have as it is written',
      { PricingQuantity: '2.5', PricingUnit: '1M tokens' },
      '2.50 1M tokens of null',
    ],
    ['nothing without a unit', { ConsumedQuantity: '3' }, 'nothing null of null'],
    [
      'nothing of a quantity that is no decimal',
      { ConsumedQuantity: 'many', ConsumedUnit: 'Tokens' },
      'nothing null of null',
    ],
    [
      'a unit that is named like a part of every object',
      { ConsumedQuantity: '3', ConsumedUnit: 'constructor' },
      '3.00 constructor of null',
    ],
    ['the model of an own column', { ...TOKENS, x_Model: 'm1' }, '500.00 tokens of m1'],
    ['nothing of details that are no JSON', { ...TOKENS, SkuPriceDetails: '{' }, '500.00 tokens of null'],
  ])('reads %s', (_what, cells, expected) => {
    expect(used(cells)).toEqual([`${expected} for 5.00`]);
  });

  it('reads the usage types of Amazon Bedrock, in blocks of a thousand', () => {
    expect(bedrock({ SkuMeter: 'USE1-Claude4Sonnet-input-tokens' })).toEqual([
      '12500.00 input_tokens of Claude4Sonnet for 5.00',
    ]);
    expect(bedrock({ x_UsageType: 'USE1-Claude4Sonnet-output-tokens-batch' })).toEqual([
      '12500.00 output_tokens of Claude4Sonnet for 5.00',
    ]);
    expect(bedrock({ SkuMeter: 'EUC1-Nova2.0Lite-cache-read-input-token-count' })).toEqual([
      '12500.00 cached_input_tokens of Nova2.0Lite for 5.00',
    ]);
    expect(bedrock({ SkuMeter: 'EUC1-Nova2.0Lite-cache-write-input-token-count' })).toEqual([
      '12500.00 cache_write_input_tokens of Nova2.0Lite for 5.00',
    ]);
  });

  it('reads the meters of Azure OpenAI', () => {
    expect(azure('gpt 4o 0806 Inp glbl Tokens')).toEqual(['500.00 input_tokens of gpt 4o 0806 for 5.00']);
    expect(azure('gpt 4o 0806 cached Inp glbl Tokens')).toEqual([
      '500.00 cached_input_tokens of gpt 4o 0806 for 5.00',
    ]);
    expect(azure('gpt 4o 0806 Outp glbl Tokens')).toEqual(['500.00 output_tokens of gpt 4o 0806 for 5.00']);
  });

  it.each([
    ['USE1-Claude4.6Opus-input-tokens-cross-region-global', 'input_tokens of Claude4.6Opus'],
    [
      'USE1-Claude4.6Opus-cache-read-input-token-count-cross-region-global',
      'cached_input_tokens of Claude4.6Opus',
    ],
    [
      'USW2-anthropic.claude-opus-4-8-mantle-cache-write-tokens-global-standard',
      'cache_write_input_tokens of anthropic.claude-opus-4-8',
    ],
    ['USE1-Nova2.0Pro-text-input-tokens-priority-cross-region-global', 'input_tokens of Nova2.0Pro'],
    ['USE1-Nova2.0Pro-input-image-token-count-cross-region-global', 'input_tokens of Nova2.0Pro'],
    ['USE1-GPT-OSS-Safeguard-120B-output-tokens-batch', 'output_tokens of GPT-OSS-Safeguard-120B'],
  ])('reads the usage type %s', (SkuMeter, expected) => {
    expect(bedrock({ SkuMeter })).toEqual([`12500.00 ${expected} for 5.00`]);
  });

  it.each([
    ['USE1-MP:USE1_InputTokenCount-Units', 'input_tokens'],
    ['USE1-MP:USE1_OutputTokenCount_Global-Units', 'output_tokens'],
    ['USE1_input_tokens_standard-Units', 'input_tokens'],
    ['USE1-MP:USE1_CacheWrite1hInputTokenCount_Global-Units', 'cache_write_input_tokens'],
    ['USE1-MP:USE1_CacheReadInputTokenCount-Units', 'cached_input_tokens'],
  ])('counts a million tokens for each unit of %s, with the model in the service', (SkuMeter, unit) => {
    const ServiceName = 'Claude Sonnet 4.6 (Amazon Bedrock Edition)';
    expect(bedrock({ SkuMeter, ConsumedUnit: 'Units', ServiceName })).toEqual([
      `12500000.00 ${unit} of Claude Sonnet 4.6 for 5.00`,
    ]);
  });

  it.each([
    ['GPT 5 Inpt Glbl 1M Tokens', 'input_tokens of GPT 5'],
    ['GPT 5 outpt Glbl 1M Tokens', 'output_tokens of GPT 5'],
    ['5.4 opt Dz 1M Tokens', 'output_tokens of 5.4'],
    ['5.4 cd inp Gl 1M Tokens', 'cached_input_tokens of 5.4'],
    ['5.5 ShortCo inp Gl 1M Tokens', 'input_tokens of 5.5 ShortCo'],
    ['Phi-4-Input Tokens', 'input_tokens of Phi-4'],
    ['gpt-oss-120B Outp glbl Tokens', 'output_tokens of gpt-oss-120B'],
  ])('reads the meter %s, whose quantity has the unit Units', (SkuMeter, expected) => {
    expect(azure(SkuMeter)).toEqual([`500.00 ${expected} for 5.00`]);
    expect(used({ ConsumedQuantity: '500', ConsumedUnit: 'Units', SkuMeter }, 'Microsoft')).toEqual([
      `500.00 ${expected} for 5.00`,
    ]);
    expect(used({ PricingQuantity: '0.5', PricingUnit: '1K', SkuMeter }, 'Microsoft')).toEqual([
      `500.00 ${expected} for 5.00`,
    ]);
  });

  it.each([
    ['Gemini 2.5 Flash GA Text Input - Predictions', 'input_tokens of Gemini 2.5 Flash'],
    ['Gemini 3.7 Flash Global Text Output - Predictions', 'output_tokens of Gemini 3.7 Flash'],
    ['Gemini 2.5 Flash GA Thinking Text Output - Predictions', 'output_tokens of Gemini 2.5 Flash'],
    ['Gemini 2.5 Flash GA Input Text Caching', 'cached_input_tokens of Gemini 2.5 Flash'],
    ['Gemini 3 Flash Text Input Caching Storage', 'requests of Gemini 3 Flash'],
    ['Gemini 1.5 Flash Text Input - Predictions', 'requests of Gemini 1.5 Flash'],
  ])('reads the SKU %s of Google, which counts requests', (ChargeDescription, expected) => {
    const cells = { ConsumedQuantity: '500', ConsumedUnit: 'requests', ChargeDescription };
    expect(used(cells, 'Google Cloud')).toEqual([`500.00 ${expected} for 5.00`]);
  });

  it('takes no rule of a platform for a meter of another, or for a text that is no meter', () => {
    const units = { ConsumedQuantity: '5', ConsumedUnit: 'Units' };
    expect(used({ ...units, SkuMeter: 'USE1-MP:USE1_InputTokenCount-Units' })).toEqual([
      '5.00 Units of null for 5.00',
    ]);
    expect(used({ ...units, SkuMeter: 'USE1-MP:USE1_ImageCount-Units' }, 'AWS')).toEqual([
      '5.00 Units of null for 5.00',
    ]);
    expect(used({ ...units, SkuMeter: 'Content Safety Records' }, 'Microsoft')).toEqual([
      '5.00 Units of null for 5.00',
    ]);
    expect(azure(`${'inp '.repeat(100_000)}Tokens`)).toEqual(['500.00 tokens of null for 5.00']);
  });

  it('counts tokens of own columns instead of requests, and the cost once', () => {
    expect(
      used({ ConsumedQuantity: '3', ConsumedUnit: 'Requests', x_InputTokens: '900', x_OutputTokens: '100' }),
    ).toEqual([
      'nothing null of null for 5.00',
      '900.00 input_tokens of null for 0.00',
      '100.00 output_tokens of null for 0.00',
    ]);
    expect(used({ ...TOKENS, x_InputTokens: '900' })).toEqual(['500.00 tokens of null for 5.00']);
    const costs: Cells = { EffectiveCost: '4', ListCost: '6', x_InputTokens: '900', x_OutputTokens: '100' };
    const parts = usageReader()((column) => costs[column] ?? null, 'Acme AI', 5n * ONE, new Set());
    expect(parts.map(({ effective, list }) => [effective, list])).toEqual([
      [4n * ONE, 6n * ONE],
      [0n, 0n],
      [0n, 0n],
    ]);
  });

  it('takes the tags of LiteLLM for its own exports alone', () => {
    const tags = {
      Tags: '{"model":"gpt-5","prompt_tokens":"900"}',
      ConsumedQuantity: '3',
      ConsumedUnit: 'Requests',
    };
    expect(used({ ...tags, BillingAccountType: 'API Key' })).toEqual([
      'nothing null of gpt-5 for 5.00',
      '900.00 input_tokens of gpt-5 for 0.00',
    ]);
    expect(used(tags)).toEqual(['3.00 requests of null for 5.00']);
  });

  it.each<[string, Cells]>([
    ['credit', { ChargeCategory: 'Credit' }],
    ['tax', { ChargeCategory: 'Tax' }],
    ['correction', { ChargeCategory: 'Usage', ChargeClass: 'Correction' }],
    ['correction', { ChargeCategory: 'Adjustment' }],
    ['credit', { ChargeCategory: 'CREDIT' }],
    ['tax', { ChargeCategory: 'tax' }],
    ['correction', { ChargeCategory: 'usage', ChargeClass: 'correction' }],
    ['correction', { ChargeCategory: 'adjustment' }],
    ['commitment', { ChargeCategory: 'Usage', CommitmentDiscountId: 'plan-1' }],
    ['usage', { ChargeCategory: 'Usage' }],
  ])('classes a cost as %s: %j', (expected, cells) => {
    const [part] = usageReader()(
      (column) => ({ ...cells, ...TOKENS })[column] ?? null,
      'Acme AI',
      1n,
      new Set(),
    );
    expect(part?.cost_class).toBe(expected);
    expect(part?.unit).toBe(['usage', 'commitment'].includes(expected) ? 'tokens' : null);
  });

  it('prices a quantity by its list price, exactly', () => {
    const cells: Cells = { PricingQuantity: '0.1', PricingUnit: '1000000 Tokens', ListUnitPrice: '0.3' };
    const [part] = usageReader()((column) => cells[column] ?? null, 'Acme AI', 1n, new Set());
    expect(shownUnits(part?.priced ?? 0n)).toBe('0.03');
  });
});

describe('the table of usage columns', () => {
  it('names a source and a day for each platform that has list prices or lacks them', () => {
    for (const { source, checked_on } of LIST_PRICE_PLATFORMS) {
      expect(new URL(source).protocol).toBe('https:');
      expect(checked_on).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  });

  it('names a source and a day for each platform, and blocks in lower case', () => {
    for (const { source, checked_on, blocks, metered, providers } of USAGE_PLATFORMS) {
      expect(new URL(source).protocol).toBe('https:');
      expect(checked_on).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      for (const name of [...Object.keys({ ...blocks, ...metered?.blocks }), ...(providers ?? [])])
        expect(name).toBe(name.toLowerCase());
    }
  });

  it.each(['articles/ai-gateway.md', 'reference/api-ai-usage.md'])(
    'has no unit that %s does not name',
    async (page) => {
      const text = await readFile(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
      const units = new Set([...UNIT_WORDS.values(), ...TOKEN_KINDS.map(([, unit]) => unit)]);
      expect([...units].filter((unit) => !text.includes(`\`${unit}\``))).toEqual([]);
    },
  );

  it('lists every column that it reads', () => {
    const read = USAGE_PLATFORMS.flatMap(({ model, meter, tokens, mark }) => [
      ...model,
      ...meter,
      ...tokens.map(([place]) => place),
      ...(mark === undefined ? [] : [mark[0]]),
    ]);
    expect(read.map(columnOf).filter((column) => !USAGE_COLUMNS.includes(column))).toEqual([]);
  });
});

it('the use of a charge lacks a quantity that the ledger cannot keep once its unit is a million tokens', () => {
  const unread = new Set<string>();
  const cells: Cells = { ConsumedQuantity: '1e25', ConsumedUnit: '1M Tokens' };
  const [part] = usageReader()((column) => cells[column] ?? null, 'AWS', ONE, unread);
  expect([part?.quantity, [...unread]]).toEqual([null, ['ConsumedQuantity']]);
});
