/** Adds up what charges say of use, by key, with a bounded number of keys in memory. */
import { DAY, toMs } from '../../instant.ts';
import { remembered } from './remembered.ts';
import type { ChargeUsage } from './usage-of-charge.ts';

/** The limit of keys of a batch. While one is written, the next grows. A bill of a year has fewer for each model and initiative. */
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

/** The numbers that a charge may not say. */
const OPTIONAL = ['quantity', 'effective', 'list', 'priced'] as const;

/** A sum that grows. */
type Summing = { -readonly [Field in keyof UsageSum]: UsageSum[Field] };

export interface UsageSums {
  add(charge: UsedCharge): void;
  /** True if the sums must be written before the next charge. */
  isFull(): boolean;
  /** Begins to write the sums; more charges are added meanwhile. */
  flush(): Promise<void>;
  /** Writes what is left, and waits until all is written. */
  end(): Promise<void>;
  /** What the AI charges of each file do not say. */
  lacks(): ReadonlyMap<string, readonly string[]>;
}

export function sumUsage(write: (sums: Iterable<UsageSum>) => Promise<void>): UsageSums {
  let sums = new Map<string, Summing>();
  let written = Promise.resolve();
  const flush = async (): Promise<void> => {
    await written;
    written = write(sums.values());
    written.catch(() => undefined); // the next flush or the end throws it
    sums = new Map();
  };
  const textOf = remembered(dayText, MAX_CACHED_DAYS);
  const said = new Map<string, { model: boolean; tokens: boolean }>();
  return {
    add: ({ bill, file, at, initiative, is_ai, parts }) => {
      const used_on = textOf(Math.floor(at / DAY_MS));
      for (const part of parts) {
        const { service, model, unit, cost_class } = part;
        // No cell of a row holds U+0000, nor does any text of its JSON.
        const key = `${bill}\0${used_on}\0${initiative ?? ''}\0${is_ai}\0${service ?? ''}\0${model ?? ''}\0${unit ?? ''}\0${cost_class}`;
        const sum = sums.get(key);
        if (sum === undefined) sums.set(key, { bill, used_on, initiative, is_ai, ...part });
        else addPart(sum, part);
        if (is_ai) noteSaid(said, file, part);
      }
    },
    isFull: () => sums.size >= MAX_KEYS,
    flush,
    end: async () => {
      await flush();
      await written;
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

function addPart(sum: Summing, part: ChargeUsage): void {
  sum.billed += part.billed;
  for (const number of OPTIONAL) sum[number] = bothOrNull(sum[number], part[number]);
}

function bothOrNull(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || b === null ? null : a + b;
}
