/**
 * What truly happened to the store of a schedule, and whether it may have. It is told of every change as it is made,
 * and of every word that a process gives; its rules are written from the promises, not from the code under test.
 */
import { createHash } from 'node:crypto';

const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
/** How long a server may go without looking for marks. */
const MARKS_UNSEEN_FOR = 60_000_000;
/** Clocks of synchronised machines differ by less. */
const CLOCKS_AGREE = 120_000_000;
export const ACCOUNT = 7n;

/** A build that passed its audit: the only bytes that anybody may ever read. */
export interface Staged {
  readonly nonce: string;
  readonly snapshot_id: string;
  readonly night: string;
  readonly once: boolean;
  readonly prefix: string;
  /** By key. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** An entry of the log, as its bytes say it. */
interface Entry {
  readonly seq: number;
  readonly snapshot_id: string;
  readonly prefix: string;
  readonly nonce: string;
  readonly night: string;
  readonly manifest_sha256: string;
  readonly published_at: string;
  readonly created_at: number;
}

interface Pin {
  readonly snapshot_id: string;
  readonly since: number;
  readonly until: number;
  released_at: number | null;
}

interface Told {
  readonly now: () => number;
  readonly bytesAt: (key: string) => Uint8Array | null;
}

export class History {
  readonly bad: string[] = [];
  readonly log: Entry[] = [];
  removed = 0;
  readonly #staged = new Map<string, Staged>();
  readonly #hopeless = new Set<string>();
  readonly #pins: Pin[] = [];
  readonly #told: Told;

  constructor(told: Told) {
    this.#told = told;
  }

  /** A build passed its audit. */
  stage(build: Staged): void {
    this.#staged.set(build.nonce, build);
  }

  /** Somebody was told that this build is not, and never will be, published. */
  hopeless(nonce: string): void {
    this.#hopeless.add(nonce);
    this.refuse(this.published(nonce), `${nonce} was said not to be published, and is`);
  }

  /** Somebody was told that this build is published as that entry. */
  acknowledged(nonce: string, seq: number): void {
    this.refuse(this.log[seq - 1]?.nonce !== nonce, `${nonce} was said to be entry ${seq}, and is not`);
  }

  /** Somebody was told that his pin holds; the one handed back is to be marked when he lets go. */
  pinned(snapshot_id: string, until: number): Pin {
    const pin = { snapshot_id, since: this.#told.now(), until, released_at: null };
    this.#pins.push(pin);
    return pin;
  }

  refuse(wrong: boolean, sentence: string): void {
    if (wrong) this.bad.push(sentence);
  }

  published(nonce: string): boolean {
    return this.log.some((entry) => entry.nonce === nonce);
  }

  stagedOf(entry: Entry): Staged | undefined {
    return this.#staged.get(entry.nonce);
  }

  /** Whether anybody who asked then must be given it; servers learn of a pin a little later. */
  mustBeReadable(entry: Entry, asked_at: number): boolean {
    const end = this.#promisedUntil(entry, asked_at - MARKS_UNSEEN_FOR);
    return end === null || this.#told.now() < end - CLOCKS_AGREE;
  }

  /** Whether its files may be gone by now: a day after the end of all promises. */
  mayBeGone(entry: Entry): boolean {
    const end = this.#promisedUntil(entry);
    return end !== null && this.#told.now() >= end + DAY;
  }

  onCreated(key: string, bytes: Uint8Array): void {
    if (key.includes('/log/')) this.#onEntry(key, bytes);
  }

  onDeleted(key: string): void {
    this.refuse(/\/(?:log|marks)\//.test(key), `${key} was deleted`);
    const entry = this.log.find(({ prefix }) => key.startsWith(`${prefix}/`));
    if (entry === undefined || key.includes('/checked-')) return;
    this.refuse(!this.mayBeGone(entry), `${key} was deleted, and entry ${entry.seq} is promised still`);
    this.removed += 1;
    const visible = this.log.filter((each) => this.#told.bytesAt(`${each.prefix}/manifest.json`) !== null);
    this.refuse(visible.length < 2, `${key} was deleted, and left ${visible.length} snapshots`);
  }

  // Who reads the log from now on may read the snapshot, so everything must be there, now.
  #onEntry(key: string, bytes: Uint8Array): void {
    const said = JSON.parse(Buffer.from(bytes).toString()) as Omit<Entry, 'created_at'>; // the code under test wrote it
    const entry = { ...said, created_at: this.#told.now() };
    const before = this.log.at(-1);
    const seq = this.log.length + 1;
    this.log.push(entry);
    this.refuse(
      entry.seq !== seq || !key.endsWith(`/${String(seq).padStart(10, '0')}.json`),
      `${key} leaves a gap`,
    );
    this.refuse(
      before !== undefined && entry.snapshot_id <= before.snapshot_id,
      `${key} is not newer than its predecessor`,
    );
    this.refuse(this.#hopeless.has(entry.nonce), `${key}: ${entry.nonce} was said not to be published`);
    const build = this.#staged.get(entry.nonce);
    if (build === undefined) {
      this.bad.push(`${key} names a build that never passed an audit`);
      return;
    }
    const same = this.log.slice(0, -1).some(({ night }) => build.once && night === build.night);
    this.refuse(same, `${key}: the night ${build.night} has a snapshot already`);
    this.refuse(
      entry.prefix !== build.prefix || entry.snapshot_id !== build.snapshot_id,
      `${key} names another build`,
    );
    const manifest = this.#told.bytesAt(`${entry.prefix}/manifest.json`);
    const found = manifest === null ? null : createHash('sha256').update(manifest).digest('hex');
    this.refuse(found !== entry.manifest_sha256, `${key} names a manifest that is not there`);
    for (const [file, wanted] of build.files) {
      const stored = this.#told.bytesAt(file);
      this.refuse(
        stored === null || !Buffer.from(stored).equals(wanted),
        `${key} is visible, and ${file} is ${stored === null ? 'missing' : 'torn'}`,
      );
    }
  }

  /** By the pins that were set until then; null for the newest. */
  #promisedUntil(entry: Entry, pinned_by = this.#told.now()): number | null {
    const next = this.log[entry.seq];
    if (next === undefined) return null;
    const [, year, month, day, hour, minute, second] =
      /^(....)(..)(..)T(..)(..)(..)Z$/.exec(entry.snapshot_id) ?? [];
    const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) * 1000;
    const replaced = Date.parse(next.published_at) * 1000;
    const ends = this.#pins
      .filter((pin) => pin.snapshot_id === entry.snapshot_id && pin.since <= pinned_by)
      .map(({ until, released_at }) => Math.min(until, released_at ?? until));
    return Math.max(moment + 14 * DAY, replaced + DAY, ...ends);
  }
}
