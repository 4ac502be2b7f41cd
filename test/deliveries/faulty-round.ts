/**
 * A round of deliveries into a bucket whose requests are spoiled, by workers of which one is killed. While they run, no manifest may
 * come before its files and no `latest.json` may move back; at the end every delivery is whole.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Chance } from '../chaos/chance.ts';
import { weatherOf } from '../chaos/s3/s3-weather.ts';
import type { Fault } from '../support/s3-faults.ts';
import type { S3Request } from '../support/s3-objects.ts';
import { FILES, idOf, openTestDeliveries, type TestDeliveries } from './delivery-harness.ts';
import { deliverUntilKilled } from './killed-worker.ts';

const SPOILED = 0.1;
/** A bucket that refuses in the middle, or is full: every tenth delivery meets it, and its whole attempt ends. */
const REFUSED = 0.002;
const REFUSALS: readonly Fault[] = [
  { answer: 403, code: 'AccessDenied' },
  { answer: 403, code: 'QuotaExceeded' },
  { answer: 507, code: 'InsufficientStorage' },
];
/** A bucket that answers slowly. */
const LATE = 0.02;
const MAX_LATE_MS = 200;
/** Fewer than a delivery sends in fair weather: within so many requests the worker is killed. */
const REQUESTS_OF_ONE = 60;
const LANES = 16;
const NIGHTS = 5;
/** More attempts than a delivery has: what is not whole then was given up. */
const MAX_PASSES = 20;

export interface FaultyRound {
  readonly bad: readonly string[];
  /** The deliveries that ended whole, and the attempts that they took. */
  readonly delivered: number;
  readonly tries: number;
  /** The faults that were met, late answers among them. */
  readonly faults: number;
  /** The workers that were killed in the middle. */
  readonly kills: number;
}

/** Delivers five nights of each of so many accounts, older nights in the midst of newer ones. */
export async function faultyRound(accounts: number, chance: Chance): Promise<FaultyRound> {
  await using test = await openTestDeliveries();
  const bad: string[] = [];
  const found: { readonly account: bigint; readonly prefix: string }[] = [];
  for (let number = 0; number < accounts; number += 1) {
    const prefix = `customer-${number}`;
    found.push({ account: (await test.found(prefix)).account, prefix });
  }
  const met: Record<string, number> = {};
  const weather = weatherOf(chance, SPOILED, met);
  const watch = watchOrder(test, bad);
  const spoil = (request: S3Request): Fault | null => {
    watch(request);
    if (chance.happens(LATE)) {
      met['late'] = (met['late'] ?? 0) + 1;
      return { late_ms: chance.below(MAX_LATE_MS) };
    }
    if (!chance.happens(REFUSED)) return weather(request);
    met['refused'] = (met['refused'] ?? 0) + 1;
    return chance.oneOf(REFUSALS);
  };
  const killed_night = 1 + chance.below(NIGHTS);
  let kills = 0;
  for (let night = 1; night <= NIGHTS; night += 1) {
    for (const { account } of found) await test.publish(account, night);
    await test.find();
    if (night === killed_night) {
      const at = 1 + chance.below(accounts * REQUESTS_OF_ONE);
      const isApplied = chance.happens(0.5);
      const script = (request: S3Request): null => {
        watch(request);
        return null;
      };
      if (await deliverUntilKilled(test, { lanes: LANES, at, isApplied, script })) kills += 1;
    }
    test.s3.script(spoil);
    // Not to its end: what failed comes late, among the deliveries of the next nights.
    await test.deliver({ lanes: LANES });
    test.s3.script(() => null);
  }
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    await test.passBackoff();
    test.s3.script(spoil);
    await test.deliver({ lanes: LANES });
    test.s3.script(() => null);
  }
  let [delivered, tries] = [0, 0];
  for (const { account, prefix } of found) {
    for (const state of await test.states(account)) {
      const [id, ended, count] = state.split(' ');
      tries += Number(count);
      if (ended === 'delivered') delivered += 1;
      else bad.push(`${prefix}: ${id} ended ${ended} after ${count} tries`);
    }
    for (const fault of await test.faults(account)) bad.push(`${prefix}: ${fault}`);
    bad.push(...wrongFiles(test, account, prefix));
  }
  return { bad, delivered, tries, kills, faults: Object.values(met).reduce((sum, count) => sum + count, 0) };
}

const latest = z.object({ seq: z.int(), snapshot_id: z.string() });

/** Looks at each write as it comes, before it is applied or spoiled. */
function watchOrder(test: TestDeliveries, bad: string[]): (request: S3Request) => void {
  const there = (key: string): boolean => test.s3.bucket.objects.has(key);
  return ({ method, key, body }) => {
    if (method !== 'PUT') return;
    if (key.endsWith('/manifest.json')) {
      const folder = key.slice(0, -'manifest.json'.length);
      const absent = FILES.filter((file) => file !== 'manifest.json' && !there(folder + file));
      if (absent.length > 0) bad.push(`${key} came before ${absent.join(', ')}`);
    } else if (key.endsWith('/latest.json')) {
      const next = latest.parse(JSON.parse(body.toString()));
      const prefix = key.slice(0, -'latest.json'.length);
      if (!there(`${prefix}snapshots/${next.snapshot_id}/manifest.json`))
        bad.push(`${key} came before its manifest`);
      const before = test.object(key);
      if (before !== null && latest.parse(JSON.parse(before)).seq > next.seq) bad.push(`${key} moved back`);
    }
  };
}

function sha256(bytes: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(bytes ?? new Uint8Array())
    .digest('hex');
}

function wrongFiles(test: TestDeliveries, account: bigint, prefix: string): readonly string[] {
  const published = new Map(
    [...test.store.objects].flatMap(([key, bytes]) => {
      const [, id, file] = new RegExp(`^v1/a/${account}/s/(\\w+)-[0-9a-f]+/(.+)$`).exec(key) ?? [];
      return id === undefined ? [] : [[`${id}/${file}`, bytes] as const];
    }),
  );
  const wrong: string[] = [];
  for (let night = 1; night <= NIGHTS; night += 1) {
    for (const file of FILES) {
      const delivered = test.s3.bucket.objects.get(`${prefix}/snapshots/${idOf(night)}/${file}`)?.body;
      const same =
        delivered !== undefined && sha256(delivered) === sha256(published.get(`${idOf(night)}/${file}`));
      if (!same) wrong.push(`${prefix}: ${idOf(night)}/${file} is not what was published`);
    }
  }
  const last = test.object(`${prefix}/latest.json`);
  if (last === null || latest.parse(JSON.parse(last)).seq !== NIGHTS)
    wrong.push(`${prefix}: latest.json is not the newest`);
  return wrong;
}
