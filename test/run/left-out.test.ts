/** What is in no total, from the ledger to the manifest and to all that repeats it. */
import * as fs from 'node:fs/promises';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseManifest } from '../../src/client/remote-manifest.ts';
import { buildLine } from '../../src/run/builders/report.ts';
import { readNewestSnapshots } from '../../src/commands/terminal/newest-snapshots.ts';
import { leftOutCounts, leftOutOfAccounts } from '../../src/commands/terminal/left-out-report.ts';
import { auditPulled } from '../../src/commands/pull/pull-audit.ts';
import { addVerifyCommand } from '../../src/commands/verify.ts';
import {
  CONVERT_LINE,
  helpingLines,
  leftOutLine,
  leftOutSentences,
  RATE_LINE,
} from '../../src/figures/left-out-words.ts';
import type { LeftOutReason } from '../../src/figures/left-out-reasons.ts';
import { readLeftOutOfAccounts } from '../../src/ledger/moment/left-out.ts';
import { canonicalText, decodeCanonical } from '../../src/snapshot/format/canonical-json.ts';
import { encodeManifest, type Manifest, readManifest } from '../../src/snapshot/format/manifest.ts';
import { SIGNATURE_FILES } from '../../src/snapshot/format/signature-files.ts';
import { servedManifest } from '../../src/snapshot/format/served-manifest.ts';
import type { VerifyReport } from '../../src/snapshot/keep/verify.ts';
import { openFolderReader } from '../../src/store/folder.ts';
import { runCommand } from '../commands/in-process.ts';
import { openPublishedFolder, type PublishedFolder } from '../commands/published-folder.ts';
import { LEFT_OUT } from './left-out-amounts.ts';

/** What people read of these amounts. */
const SENTENCES = [
  '3 costs in CHF, EUR and KES (CHF 250.00, EUR 600.00, KES 7,000.00) have no dollar figure and are in no total.',
  '5 approved entries of cash value in BGN, EUR and KES (BGN 1,000.00, EUR 5,400.00, KES 5,000.00) have no dollar figure and are in no total.',
  '2 approved entries of capacity in EUR and KES (EUR 800.00, KES 600.00) have no dollar figure and are in no total.',
  "1 provider's bill in KES (KES 1,000.00) has no dollar figure and is in no dollar total of AI spend.",
  '1 card charge in EUR (EUR 30.00) is not in dollars and in no dollar total of AI spend.',
];
const REASON_SENTENCES = [
  "1 cost in CHF (CHF 250.00): never converted, because the period is before the currency's first rate.",
  '1 cost in EUR (EUR 600.00): reopen the month first, because the month was locked before there was a rate.',
  '1 cost in KES (KES 7,000.00): import published rates, because no rate of the currency is stored.',
  '1 approved value in EUR (EUR 2,000.00): reopen the month first, because the month was locked before there was a rate.',
  '1 approved value in EUR (EUR 300.00): never converted, because the value has no period.',
  '2 approved values in KES (KES 5,000.00, KES 600.00 of capacity): import published rates, because no rate of the currency is stored.',
  '1 approved value in BGN (BGN 1,000.00): never converted, because the published rates of the currency end before the period does.',
  '2 approved values in EUR (EUR 3,100.00, EUR 800.00 of capacity): import published rates, because the stored rates do not cover the whole period.',
  "1 provider's bill in KES (KES 1,000.00): import published rates, because no rate of the currency is stored.",
];
const COUNT =
  '12 amounts in BGN, CHF, EUR and KES are in no total, 6 of them until rates are imported; npx --no crossfoot status --amounts shows why';
const ALL_SENTENCES = [...SENTENCES, ...REASON_SENTENCES];

/** The sum of the reasons of a table and currency. */
const sum = (table: LeftOutReason['table'], of: 'amount_cents' | 'capacity_amount_cents', currency: string) =>
  LEFT_OUT.reasons
    .filter((each) => each.table === table && each.currency === currency)
    .reduce((all, each: LeftOutReason) => all + (each[of] ?? 0), 0);

let published: PublishedFolder;
let folder: string;
let manifest: Manifest;
beforeAll(async () => {
  published = await openPublishedFolder();
  ({ folder } = await published.build());
  manifest = readManifest(await readFile(join(folder, 'manifest.json')));
});
afterAll(() => published.close());

/** A copy of the folder whose manifest says something else. */
async function forged(bytes: Uint8Array): Promise<string> {
  const copy = await published.copy(folder);
  await writeFile(join(copy, 'manifest.json'), bytes);
  for (const name of SIGNATURE_FILES) await rm(join(copy, name));
  return copy;
}

async function refusals(copy: string): Promise<readonly string[]> {
  const { printed } = await runCommand(addVerifyCommand, {}, 'verify', copy, '--json');
  const { checks } = JSON.parse(printed.join('\n')) as VerifyReport; // what --json prints
  return checks.filter(({ passed }) => !passed).map(({ name }) => name);
}

describe('the manifest of the company', () => {
  it('states what is in no total, as worked by hand', () => {
    expect(manifest.left_out).toEqual(LEFT_OUT);
  });

  it('is refused by the audit when it says that less is left out', async () => {
    const left_out = { ...LEFT_OUT, cost: LEFT_OUT.cost.slice(1) };
    expect(await refusals(await forged(encodeManifest({ ...manifest, left_out })))).toContain(
      '49-check-left-out',
    );
  });

  it('is refused by the audit when it leaves out fewer bills than the ledger did, or others', async () => {
    for (const bills of [LEFT_OUT.bills.slice(1), LEFT_OUT.bills.map((each) => ({ ...each, entries: 2 }))]) {
      const left_out = { ...LEFT_OUT, bills };
      expect(await refusals(await forged(encodeManifest({ ...manifest, left_out })))).toContain(
        '49-check-left-out',
      );
    }
  });

  it('of an older program, without the field, stays verifiable', async () => {
    const stored = decodeCanonical(encodeManifest(manifest)) as object; // a manifest is one
    const { left_out: _left_out, ...older } = { left_out: null, ...stored };
    expect(await refusals(await forged(Buffer.from(canonicalText(older))))).toEqual([]);
  });

  it('is refused by `pull --audit` when a server sends another', async () => {
    const { nonce: _nonce, pg_snapshot: _pg_snapshot, ...sent } = manifest;
    const served = { ...sent, expires_at: null, pins: [], retraction: null, quarantine: null };
    const answer = servedManifest(served, 'https://figures.example/v1');
    const { signal } = new AbortController();
    await auditPulled(folder, parseManifest(JSON.stringify(answer)), signal);
    const nothing = { ...answer, left_out: { cost: [], value: [] } };
    await expect(auditPulled(folder, parseManifest(JSON.stringify(nothing)), signal)).rejects.toThrow(
      '49-check-left-out: costs left_out CHF: amount_cents is empty, expected 25000 cents',
    );
  });
});

describe('the sentences', () => {
  it('name entries, currencies and amounts, and never add cash value to capacity', () => {
    expect(leftOutSentences(LEFT_OUT)).toEqual(SENTENCES);
  });

  it('name a command only where it helps', () => {
    const amount = { table: 'cost_entries', currency: 'EUR', entries: 1 } as const;
    const never = { ...amount, reason: 'before_first_rate' } as const;
    const stored = { ...amount, reason: 'not_converted' } as const;
    const waiting = { ...amount, reason: 'waiting' } as const;
    expect([[never], [never, stored], [stored, waiting]].map((reasons) => helpingLines(reasons))).toEqual([
      [],
      [CONVERT_LINE],
      [RATE_LINE],
    ]);
  });

  it('of an older program, which recorded no reason, name both commands', () => {
    const { reasons: _reasons, ...older } = LEFT_OUT;
    expect(leftOutOfAccounts([{ account_id: 1n, left_out: older }])).toEqual([
      ...SENTENCES.map((sentence) => `account 1: ${sentence}`),
      RATE_LINE,
    ]);
    expect(leftOutLine(older)).toBe(COUNT.replace(', 6 of them until rates are imported', ''));
  });

  it('are one line for a terminal: how many amounts, how many of them rates help, and where each is', () => {
    // 3 costs, 5 of cash value, 2 of capacity, 1 bill and 1 card charge; 1 + 2 + 2 + 1 wait for an import.
    expect(leftOutLine(LEFT_OUT)).toBe(COUNT);
    const cost = [{ currency: 'EUR', amount_cents: 700, entries: 1 }];
    const reasons = [
      { table: 'cost_entries', reason: 'not_converted', currency: 'EUR', entries: 1 } as const,
    ];
    expect(leftOutLine({ cost, value: [], reasons })).toBe(
      '1 amount in EUR is in no total, until rates convert runs; npx --no crossfoot status --amounts shows why',
    );
    expect(leftOutLine({ cost: [], value: [] })).toBeNull();
  });

  it('state amounts by reason that add up to the amounts by currency, capacity apart', () => {
    for (const { currency, amount_cents } of LEFT_OUT.cost)
      expect(sum('cost_entries', 'amount_cents', currency)).toBe(amount_cents);
    for (const { currency, amount_cents, capacity_amount_cents } of LEFT_OUT.value)
      expect([
        sum('value_entries', 'amount_cents', currency),
        sum('value_entries', 'capacity_amount_cents', currency),
      ]).toEqual([amount_cents, capacity_amount_cents]);
  });

  it('speak of one entry, and of a credit', () => {
    const cost = [{ currency: 'EUR', amount_cents: -123_456_705, entries: 1 }];
    expect(leftOutSentences({ cost, value: [] })).toEqual([
      '1 cost in EUR (EUR −1,234,567.05) has no dollar figure and is in no total.',
    ]);
  });

  it('say nothing where every amount has a dollar figure', () => {
    expect(leftOutSentences({ cost: [], value: [] })).toEqual([]);
  });

  it('name the command for rates as it can be typed', () => {
    expect(RATE_LINE).toBe(
      'Import the published rates: npx --no crossfoot rates import https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip; then run: npx --no crossfoot rates convert',
    );
  });
});

it('the report of a build has one line for all of them', () => {
  expect(buildLine({ kind: 'totals.incomplete', left_out: LEFT_OUT })).toBe(`  ${COUNT}`);
});

describe('the newest snapshots of `status`', () => {
  it('say what each leaves out, as the store has it', async () => {
    const store = await openFolderReader({ fs, root: published.objects });
    const newest = await readNewestSnapshots(store, [1n, 2n], 0n);
    expect(newest.map(({ account_id, left_out }) => [account_id, left_out])).toEqual([
      [2n, null],
      [1n, LEFT_OUT],
    ]);
    expect(leftOutOfAccounts(newest)).toEqual([
      ...ALL_SENTENCES.map((sentence) => `account 1: ${sentence}`),
      RATE_LINE,
    ]);
    expect(leftOutCounts(newest)).toEqual([`account 1: ${COUNT}`]);
  });

  it('tell of twenty accounts and count the others', () => {
    const cost = [{ currency: 'EUR', amount_cents: 100, entries: 1 }];
    const accounts = Array.from({ length: 23 }, (_, at) => ({
      account_id: BigInt(at + 1),
      left_out: { cost, value: [] },
    }));
    const lines = leftOutOfAccounts(accounts);
    expect(lines).toHaveLength(22);
    expect(lines[19]).toMatch(/^account 20: 1 cost in EUR/);
    expect(lines[20]).toBe('3 more accounts have amounts that totals leave out.');
    const counts = leftOutCounts(accounts);
    expect(counts).toHaveLength(21);
    expect(counts[19]).toMatch(/^account 20: 1 amount in EUR/);
    expect(counts[20]).toBe(lines[20]);
    for (const tell of [leftOutOfAccounts, leftOutCounts])
      expect(tell([{ account_id: 1n, left_out: null }])).toEqual([]);
  });
});

it('the live ledger has the same amounts for each account and its bills, samples left out', async () => {
  const owner = await published.database.client('cf_owner');
  expect(await readLeftOutOfAccounts(owner, [1n])).toEqual([
    {
      account_id: 1n,
      left_out: LEFT_OUT,
    },
  ]);
});
