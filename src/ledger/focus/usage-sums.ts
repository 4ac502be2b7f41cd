/** Adds up what charges say of use, by key, with a bounded number of keys in memory. */
import { DAY, toMs } from '../../instant.ts';
import { remembered } from './remembered.ts';
import type { ChargeUsage } from './usage-of-charge.ts';

/** The limit of keys in memory; a bill of a year has fewer for each model and initiative. */
const MAX_KEYS = 20_000;
const DAY_MS = toMs(DAY);
/** The limit of days whose texts are kept. */
const MAX_CACHED_DAYS = 1_000;

/** The use of one charge. */
export interface UsedCharge {
  /** The `billRef` of its bill. */
  readonly bill: string;
  readonly file: string;
  /** A moment of its day, in milliseconds. */
  readonly at: number;
  /** The title that a tag or rule names. */
  readonly initiative: string | null;
  readonly is_ai: boolean;
  readonly parts: readonly ChargeUsage[];
}

/** The sum of a key. A number is null if a charge of the key did not say it. */
export interface UsageSum extends Omit<UsedCharge, 'parts' | 'at' | 'file'>, ChargeUsage {
  readonly used_on: string;
}

export interface UsageSums {
  add(charge: UsedCharge): void;
  /** True if the sums must be written before the next charge. */
  isFull(): boolean;
  /** Writes the sums. */
  flush(): Promise<void>;
  /** What the AI charges of each file do not say. */
  lacks(): ReadonlyMap<string, readonly string[]>;
}

export function sumUsage(write: (sums: readonly UsageSum[]) => Promise<void>): UsageSums {
  const sums = new Map<string, UsageSum>();
  const textOf = remembered(dayText, MAX_CACHED_DAYS);
  const said = new Map<string, { model: boolean; tokens: boolean }>();
  return {
    add: ({ bill, file, at, initiative, is_ai, parts }) => {
      const used_on = textOf(Math.floor(at / DAY_MS));
      for (const part of parts) {
        const { service, model, unit, cost_class } = part;
        // No text of a row holds U+0000.
        const key = `${bill}\0${used_on}\0${initiative ?? ''}\0${is_ai}\0${service ?? ''}\0${model ?? ''}\0${unit ?? ''}\0${cost_class}`;
        const sum = sums.get(key);
        sums.set(key, sum === undefined ? { bill, used_on, initiative, is_ai, ...part } : plus(sum, part));
        if (is_ai) noteSaid(said, file, part);
      }
    },
    isFull: () => sums.size >= MAX_KEYS,
    flush: async () => {
      await write([...sums.values()]);
      sums.clear();
    },
    lacks: () =>
      new Map(
        [...said].map(([file, { model, tokens }]) => [
          file,
          [...(model ? [] : ['models']), ...(tokens ? [] : ['tokens'])],
        ]),
      ),
  };
}

/** The text of a day, which is counted from 1970. */
function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function noteSaid(
  said: Map<string, { model: boolean; tokens: boolean }>,
  file: string,
  { model, unit }: ChargeUsage,
): void {
  const found = said.get(file) ?? { model: false, tokens: false };
  said.set(file, found);
  if (model !== null) found.model = true;
  if (unit?.endsWith('tokens') === true) found.tokens = true;
}

function plus(sum: UsageSum, part: ChargeUsage): UsageSum {
  return {
    ...sum,
    billed: sum.billed + part.billed,
    quantity: bothOrNull(sum.quantity, part.quantity),
    effective: bothOrNull(sum.effective, part.effective),
    list: bothOrNull(sum.list, part.list),
    priced: bothOrNull(sum.priced, part.priced),
  };
}

function bothOrNull(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || b === null ? null : a + b;
}
