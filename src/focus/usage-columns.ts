/**
 * Which column says what was used, by platform and version of FOCUS: the one table of these rules. A version without a
 * column has empty cells there: FOCUS 1.0 has neither `SkuMeter` nor `SkuPriceDetails`.
 */

/** A column, or a key within the JSON of a column after a point: `SkuPriceDetails.ModelId`. */
type Place = string;

export interface UsagePlatform {
  readonly name: string;
  /** The versions of FOCUS that have the columns. */
  readonly versions: string;
  /** The names of the provider in lower case; null for the exports of every provider. */
  readonly providers: readonly string[] | null;
  /** A cell that only exports of the platform have. */
  readonly mark?: readonly [Place, string];
  /** What names the model, best first. */
  readonly model: readonly Place[];
  /** The part of a meter that is the model. */
  readonly modelInMeter?: RegExp;
  /** The part of `ServiceName` that is the model. */
  readonly modelInService?: RegExp;
  /** What says if tokens are input, cached input or output, best first. */
  readonly meter: readonly Place[];
  /** Token counts beside `ConsumedQuantity`, and their units. They count only where `ConsumedQuantity` has no tokens. */
  readonly tokens: readonly (readonly [Place, string])[];
  /** The units that are blocks, and how many a block has. Another block stays as it is written. */
  readonly blocks: Readonly<Record<string, bigint>>;
  /** Units that name no tokens, and how many tokens one of them is where the meter says that it counts tokens. */
  readonly metered?: { readonly meter: RegExp; readonly blocks: Readonly<Record<string, bigint>> };
  readonly source: string;
  readonly checked_on: string;
}

/** In this order: what a newer version says itself, then the platforms, then the rules of every export. */
export const USAGE_PLATFORMS: readonly UsagePlatform[] = [
  {
    name: 'every provider',
    versions: '1.5',
    providers: null,
    model: ['SkuPriceDetails.ModelId'],
    meter: ['SkuPriceDetails.CacheAction', 'SkuPriceDetails.x_CacheStatus', 'SkuPriceDetails.TokenDirection'],
    tokens: [],
    blocks: {},
    source: 'https://github.com/FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec/pull/2442',
    checked_on: '2026-11-27',
  },
  {
    name: 'LiteLLM',
    versions: '1.2',
    providers: null,
    mark: ['BillingAccountType', 'API Key'],
    model: ['Tags.model'],
    meter: [],
    // Its own file has no tokens; an exporter that is built on it writes them as tags.
    tokens: [
      ['Tags.prompt_tokens', 'input_tokens'],
      ['Tags.completion_tokens', 'output_tokens'],
    ],
    blocks: {},
    source: 'https://github.com/BerriAI/litellm/pull/33694',
    checked_on: '2026-11-27',
  },
  {
    name: 'Amazon Bedrock',
    versions: '1.0 to 1.4',
    providers: ['aws', 'amazon web services', 'amazon web services, inc.'],
    model: [],
    modelInMeter:
      /^(?:[A-Z]{3,4}\d-)?(.+?)-(?:mantle-)?(?:(?:text|speech)-)?(?:cache-(?:read|write)-)?(?:(?:input|output)-)?(?:(?:text|image|audio|video)-)?token(?:s|-count)(?:-.*)?$/,
    // The models of other makers are sold through the marketplace: a service each, whose unit is a million tokens.
    modelInService: /^(.+?) \(Amazon Bedrock Edition\)$/,
    // 1.0 has the usage type in x_UsageType, later versions have it in SkuMeter.
    meter: ['SkuMeter', 'x_UsageType'],
    tokens: [],
    blocks: { '1k tokens': 1_000n, '1m tokens': 1_000_000n },
    metered: { meter: /_\w*tokens?(?:count)?(?:_\w+)?-units$/i, blocks: { units: 1_000_000n } },
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/cost-mgmt-understanding-cur-data.html',
    checked_on: '2026-11-27',
  },
  {
    name: 'Azure OpenAI',
    versions: '1.0 to 1.4',
    providers: ['microsoft', 'azure', 'microsoft azure'],
    model: [],
    modelInMeter: /^(.+?)[\s-]+(?:(?:cached|cchd|cd|wr)\s+)*(?:inpt?|input|outpt?|output|opt)\b.*\btokens?$/i,
    meter: ['SkuMeter', 'x_SkuMeterName'],
    tokens: [],
    blocks: {},
    // The unit of a price is `1K` or `1M`; the unit of the quantity is then `Units`.
    metered: { meter: /\btokens?$/i, blocks: { units: 1n, '1k': 1_000n, '1m': 1_000_000n } },
    source: 'https://github.com/microsoft/finops-toolkit/blob/main/src/open-data/PricingUnits.csv',
    checked_on: '2026-11-27',
  },
  {
    name: 'Google Vertex AI',
    versions: '1.0 to 1.2',
    providers: ['google', 'google cloud', 'google cloud platform', 'gcp'],
    model: [],
    modelInMeter:
      /^(Gemini \d.*?)\s+(?:GA|Global|Thinking|Text|Image|Audio|Video|Input|Output|Cached|Batch|Flex|Priority|Live)\b/,
    // The name of the SKU. Its words are those of the public list; which column has it was not seen in an export yet.
    meter: ['SkuMeter', 'x_SkuDescription', 'ChargeDescription'],
    tokens: [],
    blocks: {},
    // A count of text is one of tokens since Gemini 2; before, it was one of characters.
    metered: {
      meter: /^Gemini (?!1\.)(?=.*\bText\b)(?=.*\b(?:Input|Output)\b)(?!.*\bStorage\b)/,
      blocks: { count: 1n, requests: 1n },
    },
    source: 'https://cloud.google.com/skus/sku-groups/gen-ai-v2',
    checked_on: '2026-11-27',
  },
  {
    name: 'every provider',
    versions: '1.1 to 1.5',
    providers: null,
    model: [],
    meter: ['SkuMeter'],
    tokens: [],
    blocks: {},
    source: 'https://github.com/FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec/issues/2099',
    checked_on: '2026-11-27',
  },
  {
    name: 'every provider',
    versions: '1.0 to 1.5',
    providers: null,
    model: ['x_Model', 'x_ModelId', 'x_ModelName'],
    meter: [],
    tokens: [
      ['x_InputTokens', 'input_tokens'],
      ['x_CachedInputTokens', 'cached_input_tokens'],
      ['x_OutputTokens', 'output_tokens'],
    ],
    blocks: { '1000 tokens': 1_000n, '1000000 tokens': 1_000_000n },
    source: 'https://github.com/FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec/pull/2442',
    checked_on: '2026-11-27',
  },
];

/**
 * The columns of list prices, in the currency of the bill. Prices of a contract, in `ContractedUnitPrice`, and prices in another
 * currency, which 1.2 added, are not read.
 */
export const LIST_PRICE = { quantity: 'PricingQuantity', price: 'ListUnitPrice', cost: 'ListCost' } as const;

/** Which exports have a list price. A charge without one is not compared, unless it has no use of its own. */
export const LIST_PRICE_PLATFORMS = [
  {
    name: 'every provider',
    versions: '1.0 to 1.4',
    empty: 'for taxes; also for some credits, adjustments and corrections',
    source:
      'https://github.com/FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec/blob/main/specification/columns/listunitprice.md',
    checked_on: '2026-11-27',
  },
  {
    name: 'Amazon',
    versions: '1.0',
    empty: 'for some offers',
    source:
      'https://docs.aws.amazon.com/cur/latest/userguide/table-dictionary-focus-1-0-aws-conformance.html',
    checked_on: '2026-11-27',
  },
  {
    name: 'LiteLLM',
    versions: '1.2',
    empty: 'always',
    source: 'https://github.com/BerriAI/litellm/pull/33694',
    checked_on: '2026-11-27',
  },
] as const;

/** The columns that every export may have for its usage, besides those of the table. */
const GENERAL = [
  'BillingAccountType',
  'ChargeCategory',
  'ChargeClass',
  'CommitmentDiscountId',
  'ConsumedQuantity',
  'ConsumedUnit',
  'EffectiveCost',
  LIST_PRICE.cost,
  LIST_PRICE.price,
  LIST_PRICE.quantity,
  'PricingUnit',
  'ServiceName',
] as const;

/** The column of a place. */
export function columnOf(place: Place): string {
  return place.split('.')[0] ?? place;
}

/** All columns that say what was used. */
export const USAGE_COLUMNS: readonly string[] = [
  ...new Set([
    ...GENERAL,
    ...USAGE_PLATFORMS.flatMap(({ model, meter, tokens }) =>
      [...model, ...meter, ...tokens.map(([place]) => place)].map(columnOf),
    ),
  ]),
];

/** A meter or a property that says what kind of tokens is counted. The first that matches wins. */
export const TOKEN_KINDS: readonly (readonly [RegExp, string])[] = [
  [
    /cache[- _]?(?:action)?[- _]?write|write.*cache|cache.*creation|\bwr\b|^write$/i,
    'cache_write_input_tokens',
  ],
  [/cache[- _]?read|(?<!un)cached|caching|cchd|\bcd\b|input cache|^read$/i, 'cached_input_tokens'],
  [/\boutp|output|\bopt\b|completion/i, 'output_tokens'],
  [/\binp|input|prompt/i, 'input_tokens'],
];

/** The words for a unit, in lower case; another unit stays as it is written. */
export const UNIT_WORDS: ReadonlyMap<string, string> = new Map([
  ['token', 'tokens'],
  ['tokens', 'tokens'],
  ['input tokens', 'input_tokens'],
  ['cached input tokens', 'cached_input_tokens'],
  ['output tokens', 'output_tokens'],
  ['request', 'requests'],
  ['requests', 'requests'],
  ['second', 'seconds'],
  ['seconds', 'seconds'],
  ['image', 'images'],
  ['images', 'images'],
  ['seat', 'seats'],
  ['seats', 'seats'],
]);
