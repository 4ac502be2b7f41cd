/** Small audited builds, and what a test needs to publish and read them. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Clocks } from '../../../src/clock-offsets.ts';
import { BLOCK_BYTES } from '../../../src/snapshot/format/digest.ts';
import { publish, type AuditedBuild } from '../../../src/snapshot/builder/publish.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import type { Clock } from '../../../src/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { contentOf, readAll } from '../../store/contract.ts';

export const ACCOUNT = 7n;
export const SECOND = 1_000_000n;
export const HOUR = 3600n * SECOND;
export const DAY = 24n * HOUR;
/** 2026-03-01T00:00:00Z: day 56 × 365 + 14 leap days + 59 = 20,513 since 1970. */
export const MIDNIGHT = 20_513n * DAY;

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** The table files of a build, told apart by its label. */
function filesOf(label: string): ReadonlyMap<string, Buffer> {
  return new Map([
    ['snapshot', Buffer.from(`snapshot of ${label}`)],
    ['costs', Buffer.from(`costs of ${label}`)],
  ]);
}

export function aBuild(label: string, generated_at: bigint, files = filesOf(label)): AuditedBuild {
  return {
    account_id: ACCOUNT,
    nonce: sha256(Buffer.from(label)).toString('hex').slice(0, 32),
    night: '2026-03-01',
    once: false,
    builder: 'test',
    generated_at,
    changes_from: generated_at - SECOND,
    pg_snapshot: '10:12:10,11',
    left_out: { cost: [], value: [] },
    versions: { writer: 'crossfoot 0', audit_engine: 'duckdb 1', postgres: '18' },
    tables: [...files].map(([name, bytes]) => {
      const blocks = [];
      for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
        blocks.push(sha256(bytes.subarray(at, at + BLOCK_BYTES)));
      }
      return { name, row_count: 1, content: { ...contentOf(bytes), blocks: Buffer.concat(blocks) } };
    }),
    files: [{ name: 'audit.json', content: contentOf(Buffer.from(`audit of ${label}`)) }],
  };
}

/** Three clocks that show the same instant. */
export function agreeingAt(instant: bigint): Clocks {
  return { database: instant, store: instant, database_offset: 0n, store_offset: 0n };
}

/** A clock that stands still unless it sleeps, and no chance. */
export function clockAt(moment: bigint): Clock {
  let now = moment;
  return {
    now: () => now,
    random: () => 0.5,
    async sleep(milliseconds) {
      now += BigInt(Math.round(milliseconds)) * 1000n;
    },
  };
}

/** Publishes with the log read just before, a minute after the build's moment. */
export async function publishNow(store: Store, build: AuditedBuild) {
  const log = await readLog(store, build.account_id);
  return await publish(build, log, { store, clock: clockAt(build.generated_at + 60n * SECOND) });
}

export function readerAt(store: Store, now: () => bigint): SnapshotReader {
  return createReader({ store, now, onFault: () => undefined });
}

/** Which of these builds is served whole as the latest, every byte of every file read; null if none is. */
export async function servedWhole(store: Store, builds: readonly string[]): Promise<string | null> {
  const reader = readerAt(store, () => MIDNIGHT);
  const latest = await reader.latest(ACCOUNT);
  if (latest === null) return null;
  const read = new Map<string, Buffer>();
  for (const { name } of latest.tables) {
    read.set(name, await readAll(await reader.openTable(ACCOUNT, latest.snapshot_id, name)));
  }
  const served = builds.find((label) =>
    [...filesOf(label)].every(([name, bytes]) => read.get(name)?.equals(bytes)),
  );
  expect(served, 'the latest snapshot is one of these, whole').toBeDefined();
  return served ?? null;
}
