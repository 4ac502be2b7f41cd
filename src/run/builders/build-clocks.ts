/**
 * The clocks of the builds of a process. A build compares them before it reads the ledger, and again before it publishes. The
 * second time, the store is asked; the first time, what the build before it saw a moment ago is enough.
 */
import { type Clocks, type ClockTools, readClocks } from '../../clock-offsets.ts';
import { type Instant, MINUTE } from '../../instant.ts';

/** For how long a reading of the store's clock serves the start of a build. */
const LATELY_MICROSECONDS = MINUTE;

export class BuildClocks {
  readonly #tools: Omit<ClockTools, 'readDatabaseClock'>;
  #seen: { readonly at: Instant; readonly offset: bigint } | undefined;

  constructor(tools: Omit<ClockTools, 'readDatabaseClock'>) {
    this.#tools = tools;
  }

  /** Reads the clocks. With `lately`, a reading of the store's clock from the last minute is used again. */
  async read(readDatabaseClock: ClockTools['readDatabaseClock'], lately: boolean): Promise<Clocks> {
    const { readOwnClock } = this.#tools;
    const seen = lately ? this.#seenLately() : undefined;
    if (seen !== undefined) {
      const readStoreClock = async (): Promise<bigint> => readOwnClock() + seen;
      return await readClocks({ readDatabaseClock, readOwnClock, readStoreClock });
    }
    const clocks = await readClocks({ ...this.#tools, readDatabaseClock });
    const offset = clocks.store_offset;
    this.#seen = offset === null ? undefined : { at: readOwnClock(), offset };
    return clocks;
  }

  /** How far the store's clock was ahead of this process's; undefined if that is too old, or if our own clock was set back. */
  #seenLately(): bigint | undefined {
    if (this.#seen === undefined) return undefined;
    const age = this.#tools.readOwnClock() - this.#seen.at;
    return age >= 0n && age < LATELY_MICROSECONDS ? this.#seen.offset : undefined;
  }
}
