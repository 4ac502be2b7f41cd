/** What one charge says of use: service, model, unit and quantity, and its costs, by the table of `usage-columns.ts`. */
import {
  LIST_PRICE,
  TOKEN_KINDS,
  UNIT_WORDS,
  USAGE_PLATFORMS,
  type UsagePlatform,
  columnOf,
} from '../../focus/usage-columns.ts';
import { divideRounded } from '../../figures/cents.ts';
import { UNITS_OF_ONE, unitsOf } from './decimals.ts';
import { tagsOf } from './mapping.ts';
import { remembered } from './remembered.ts';

type Cell = (column: string) => string | null;

/** The use of a charge; its numbers are exact, in the units of `decimals.ts`. */
export interface ChargeUsage {
  readonly service: string | null;
  readonly model: string | null;
  readonly unit: string | null;
  /** Null without a unit. */
  readonly quantity: bigint | null;
  readonly cost_class: string;
  readonly billed: bigint;
  /** Null where the file does not say it. */
  readonly effective: bigint | null;
  readonly list: bigint | null;
  readonly priced: bigint | null;
}

/** The limit of parsed JSON texts that are kept: a bill repeats few. */
const MAX_CACHED_TEXTS = 1_000;
/** The limit of providers whose platforms are kept; a bill has few. */
const MAX_CACHED_PROVIDERS = 100;
/** The limit of a meter that is compared: a longer text is no meter, and would take long. */
const MAX_METER_CHARACTERS = 300;
/** The numbers of use in the ledger are smaller: `ledger.exact`. */
const MAX_EXACT = UNITS_OF_ONE * UNITS_OF_ONE;
const TOKENS = /tokens$/;
/** Charges without use of their own. */
const NOT_USED = new Set(['credit', 'tax', 'correction']);

/**
 * Reads the use of each charge; `unread` gets the columns whose numbers cannot be read or kept. A charge with token counts
 * beside another quantity gives several parts, one with the cost.
 */
export function usageReader(): (
  cell: Cell,
  provider: string,
  billed: bigint,
  unread: Set<string>,
) => readonly ChargeUsage[] {
  const propertiesOf = remembered(tagsOf, MAX_CACHED_TEXTS);
  const platformsOf = remembered(platformsOfProvider, MAX_CACHED_PROVIDERS);
  const columns = remembered(columnOf, MAX_CACHED_TEXTS);
  const kindOf = remembered(kindOfMeter, MAX_CACHED_TEXTS);
  return (cell, provider, billed, unread) => {
    const at = (place: string): string | null => {
      const column = columns(place);
      const found = cell(column);
      if (found === null || column === place) return found;
      return propertiesOf(found).get(place.slice(column.length + 1)) ?? null;
    };
    const platforms = platformsOf(provider).filter(
      ({ mark }) => mark === undefined || at(mark[0]) === mark[1],
    );
    const cost_class = classOf(cell);
    const amount = (column: string): bigint | null => {
      const text = cell(column);
      const exact = exactOf(text);
      if (text !== null && exact === null) unread.add(column);
      return exact;
    };
    const charge = {
      service: cell('ServiceName'),
      model: modelOf(platforms, at),
      cost_class,
      billed,
      effective: amount('EffectiveCost'),
      list: amount(LIST_PRICE.cost),
      priced: pricedOf(amount(LIST_PRICE.quantity), amount(LIST_PRICE.price)),
    };
    if (NOT_USED.has(cost_class)) return [{ ...charge, unit: null, quantity: null }];
    const used = quantityOf(platforms, { at, amount, unread, kindOf });
    if (used !== null && TOKENS.test(used.unit)) return [{ ...charge, ...used }];
    const counted = platforms.flatMap(({ tokens }) =>
      tokens.flatMap(([place, unit]) => {
        const quantity = exactOf(at(place));
        return quantity === null ? [] : [{ unit, quantity }];
      }),
    );
    if (counted.length === 0) return [{ ...charge, ...(used ?? { unit: null, quantity: null }) }];
    // The tokens instead of the other quantity: both say how much of one charge was used. The cost stands once.
    const free = { ...charge, billed: 0n, effective: 0n, list: 0n, priced: 0n };
    return [{ ...charge, unit: null, quantity: null }, ...counted.map((tokens) => ({ ...free, ...tokens }))];
  };
}

/** The platforms that may have made an export with charges of a provider. */
function platformsOfProvider(provider: string): readonly UsagePlatform[] {
  const named = provider.toLowerCase();
  return USAGE_PLATFORMS.filter(({ providers }) => providers?.includes(named) ?? true);
}

/** Null for an empty cell, and for a number that the ledger cannot keep. */
function exactOf(text: string | null): bigint | null {
  return text === null ? null : keptOf(unitsOf(text)?.units ?? null);
}

/** Null for a number that the ledger cannot keep. */
function keptOf(units: bigint | null): bigint | null {
  return units === null || units >= MAX_EXACT || units <= -MAX_EXACT ? null : units;
}

function pricedOf(quantity: bigint | null, price: bigint | null): bigint | null {
  return quantity === null || price === null ? null : keptOf(divideRounded(quantity * price, UNITS_OF_ONE));
}

/** The words of FOCUS, in any case: Google's view of 1.0 writes them in small letters. */
function classOf(cell: Cell): string {
  const category = cell('ChargeCategory')?.toLowerCase();
  if (cell('ChargeClass')?.toLowerCase() === 'correction' || category === 'adjustment') return 'correction';
  if (category === 'credit') return 'credit';
  if (category === 'tax') return 'tax';
  return cell('CommitmentDiscountId') === null ? 'usage' : 'commitment';
}

function firstOf(places: readonly string[], at: Cell): string | null {
  for (const place of places) {
    const found = at(place);
    if (found !== null) return found;
  }
  return null;
}

/** The first meter; empty for none. */
function meterOf(places: readonly string[], at: Cell): string {
  const meter = firstOf(places, at) ?? '';
  return meter.length > MAX_METER_CHARACTERS ? '' : meter;
}

function modelOf(platforms: readonly UsagePlatform[], at: Cell): string | null {
  for (const { model, meter, modelInMeter, modelInService } of platforms) {
    const named = firstOf(model, at);
    if (named !== null) return named;
    const [, part] =
      modelInMeter?.exec(meterOf(meter, at)) ?? modelInService?.exec(at('ServiceName') ?? '') ?? [];
    if (part !== undefined) return part;
  }
  return null;
}

/** The quantity that was consumed, or else that was priced; null if the charge has neither. */
function quantityOf(
  platforms: readonly UsagePlatform[],
  {
    at,
    amount,
    unread,
    kindOf,
  }: {
    readonly at: Cell;
    readonly amount: (column: string) => bigint | null;
    readonly unread: Set<string>;
    readonly kindOf: typeof kindOfMeter;
  },
): { readonly unit: string; readonly quantity: bigint } | null {
  for (const prefix of ['Consumed', 'Pricing']) {
    const written = at(`${prefix}Unit`)?.trim() ?? null;
    const count = amount(`${prefix}Quantity`);
    if (written === null || count === null) continue;
    const name = written.toLowerCase();
    const block = blockOf(name, platforms, at);
    const unit = block === undefined ? (UNIT_WORDS.get(name) ?? written) : 'tokens';
    const quantity = keptOf(count * (block ?? 1n));
    if (quantity === null) unread.add(`${prefix}Quantity`);
    else return { unit: unit === 'tokens' ? kindOfTokens(platforms, at, kindOf) : unit, quantity };
  }
  return null;
}

/** How many tokens a unit is; undefined for a unit that is no block of tokens. */
function blockOf(unit: string, platforms: readonly UsagePlatform[], at: Cell): bigint | undefined {
  for (const { blocks, metered, meter } of platforms) {
    if (Object.hasOwn(blocks, unit)) return blocks[unit];
    if (
      metered !== undefined &&
      Object.hasOwn(metered.blocks, unit) &&
      metered.meter.test(meterOf(meter, at))
    )
      return metered.blocks[unit];
  }
  return undefined;
}

function kindOfTokens(platforms: readonly UsagePlatform[], at: Cell, kindOf: typeof kindOfMeter): string {
  for (const place of platforms.flatMap(({ meter }) => meter)) {
    const kind = kindOf(meterOf([place], at));
    if (kind !== null) return kind;
  }
  return 'tokens';
}

function kindOfMeter(meter: string): string | null {
  return TOKEN_KINDS.find(([pattern]) => pattern.test(meter))?.[1] ?? null;
}
