/**
 * The three clocks on which nights, publishing and retention depend: the database's, the store's and this process's. While
 * any two differ by more than two minutes, nothing is queued, built, published, deleted or retracted.
 */
import { CrossfootError } from './errors.ts';
import { type Instant, SECOND } from './instant.ts';

/** The accepted difference. Synchronised machines differ by less, and snapshots are kept a day longer than promised. */
export const CLOCKS_AGREE_SECONDS = 120n;

/** How to read each clock. */
export interface ClockTools {
  readonly readDatabaseClock: () => Promise<Instant>;
  /** Null if the store does not answer. */
  readonly readStoreClock: () => Promise<Instant | null>;
  readonly readOwnClock: () => Instant;
}

export interface Clocks {
  /** The database's clock. */
  readonly database: Instant;
  /** The store's clock; null if it did not answer. */
  readonly store: Instant | null;
  /** Microseconds by which the database's clock is ahead of this process's clock; negative if it is behind. */
  readonly database_offset: bigint;
  /** The same for the store's clock; null if it did not answer. */
  readonly store_offset: bigint | null;
}

/** Null for a clock that was not read. */
type Offsets = Readonly<Record<'database_offset' | 'store_offset', bigint | null>>;

/** Reads the clocks one after the other. Our own clock is read before and after each, so a slow answer is no offset. */
export async function readClocks(tools: ClockTools): Promise<Clocks> {
  const before = tools.readOwnClock();
  const database = await tools.readDatabaseClock();
  const between = tools.readOwnClock();
  const store = await tools.readStoreClock();
  const after = tools.readOwnClock();
  return {
    database,
    store,
    database_offset: outside(database, before, between),
    store_offset: store === null ? null : outside(store, between, after),
  };
}

/** The earliest of the clocks: if something is due by it, it is due by every clock. */
export function earliestOf({ database, store, database_offset }: Clocks): Instant {
  const own = database - database_offset;
  const earlier = own < database ? own : database;
  return store !== null && store < earlier ? store : earlier;
}

/** Throws `clocks_disagree`, naming the wrong clock, unless all clocks agree. `undone` names what was not done. */
export function requireAgreement(
  clocks: Offsets,
  undone: 'queued' | 'built' | 'published' | 'deleted' | 'retracted',
): void {
  const wrong = clockThatIsOff(clocks);
  if (wrong === null) return;
  throw new CrossfootError('clocks_disagree', `${wrong.sentence}; nothing was ${undone}.`, {
    hint: wrong.cure,
    data: { expected: `within ${CLOCKS_AGREE_SECONDS} s`, found: `${wrong.seconds} s` },
  });
}

/**
 * The wrong clock, its difference in seconds and the next step; null if all clocks agree. With two clocks either may be
 * wrong: the sentence names both.
 */
export function clockThatIsOff(
  clocks: Offsets,
): { readonly sentence: string; readonly seconds: bigint; readonly cure: string } | null {
  const { database_offset, store_offset } = clocks;
  const offsets = [
    { clock: "this machine's clock", offset: 0n },
    ...(database_offset === null ? [] : [{ clock: "the database's clock", offset: database_offset }]),
    ...(store_offset === null ? [] : [{ clock: "the store's clock", offset: store_offset }]),
  ].toSorted((a, b) => (a.offset < b.offset ? -1 : a.offset > b.offset ? 1 : 0));
  const [lowest, highest] = [offsets[0], offsets.at(-1)];
  if (lowest === undefined || highest === undefined || agree(lowest, highest)) return null;
  // If two of three clocks agree, the third is wrong; otherwise the wrong one is unknown.
  const [, middle] = offsets.length === 3 ? offsets : [];
  const odd =
    middle === undefined
      ? null
      : agree(lowest, middle) && !agree(middle, highest)
        ? highest
        : agree(middle, highest) && !agree(lowest, middle)
          ? lowest
          : null;
  const [from, to] = odd === lowest ? [highest, lowest] : [lowest, highest];
  const seconds = magnitude((to.offset - from.offset) / SECOND);
  const direction = to.offset > from.offset ? 'ahead of' : 'behind';
  const others =
    odd === null
      ? from.clock
      : offsets
          .filter((each) => each !== odd)
          .map(({ clock }) => clock)
          .join(' and ');
  const sentence = `${to.clock} is ${seconds} s ${direction} ${others}`;
  return {
    sentence: sentence.charAt(0).toUpperCase() + sentence.slice(1),
    seconds,
    cure:
      odd === null
        ? 'Set both clocks by one time service; they may differ by two minutes.'
        : `Set ${odd.clock} by the time service of the other two; it may differ by two minutes.`,
  };
}

function agree(one: { readonly offset: bigint }, other: { readonly offset: bigint }): boolean {
  return magnitude(one.offset - other.offset) <= CLOCKS_AGREE_SECONDS * SECOND;
}

/** How far a reading is outside the interval between our own clock's readings before and after it. */
function outside(read: Instant, before: Instant, after: Instant): bigint {
  if (read > after) return read - after;
  return read < before ? read - before : 0n;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
