/** The proof of a real snapshot, over the routes of its page, and of snapshots that somebody changed. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ReadableSnapshot } from '../../src/snapshot/format/served-manifest.ts';
import { type Loaded, load } from '../../src/prover/load.ts';
import { type Proof, prove } from '../../src/prover/prove.ts';
import { reportText } from '../../src/prover/report.ts';
import { createSignedReader } from '../../src/snapshot/read/signed-reader.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { signingKeyOf } from '../../src/signing/keys.ts';
import { openBrowser } from '../serve/pages/browser.ts';
import { fakeApp, TOKENS } from '../serve/fake-parts.ts';
import { DAY } from '../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { KEY_ID, OTHER_SEED, PUBLIC_KEY, SEED, signingWith } from '../support/signing.ts';
import {
  bytesIn,
  changedTable,
  flipped,
  outcomes,
  resigned,
  resignedWith,
  signatureBy,
  unsignedLog,
} from './forged.ts';

const PAGE = 'https://api.example.com/snapshots/20260715T020000Z/prove';
const turn = async (): Promise<void> => undefined;

let harness: BuildHarness;
let loaded: Loaded;
let progress: readonly (readonly [number, number])[];
let snapshot: ReadableSnapshot | null;

beforeAll(async () => {
  harness = await openBuildHarness();
  const store = { ...harness.store, signing: signingWith() };
  await harness.build({ store, at: AT - DAY, night: '2026-07-14' });
  await harness.build({ store });
  const snapshots = createReader({ store, now: () => AT, onFault: () => undefined });
  snapshot = await snapshots.latest(1n);
  const holder = { token_id: 1n, user_id: 3n, kind: 'personal', api_access: true } as const;
  const { app } = fakeApp({
    snapshots,
    signatures: createSignedReader(store, snapshots),
    findHolder: async () => ({ ...holder, account_id: 1n, reporting_enabled: true }),
  });
  const browser = openBrowser(app);
  await browser.signIn(TOKENS.personal);
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    browser.send(new URL(address).pathname, init),
  );
  const seen: [number, number][] = [];
  loaded = await load({
    snapshot_id: '20260715T020000Z',
    page: PAGE,
    keys: 'https://api.example.com/v1/reporting/keys',
    signal: new AbortController().signal,
    onProgress: (done, total) => seen.push([done, total]),
  });
  progress = seen;
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await harness.close();
});

const proofOf = (changed: Partial<Loaded> = {}, key: string | null = null): Promise<Proof> =>
  prove({ ...loaded, ...changed }, { key, turn });
const bytesOf = (name: string): Uint8Array<ArrayBuffer> => bytesIn(loaded, name);
const withFile = (name: string, bytes: Uint8Array<ArrayBuffer>): Partial<Loaded> => {
  return { files: new Map([...loaded.files, [name, bytes]]) };
};

describe('the proof of a real snapshot', () => {
  it('is right in all parts, with every file loaded', async () => {
    const proof = await proofOf();
    expect(proof).toMatchObject({ outcome: 'proven', totals: { differences: [], more: 0 } });
    const all = { Signature: 'proven', 'Publish log': 'proven', Files: 'proven', Totals: 'proven' };
    expect(outcomes(proof)).toEqual(all);
    expect(loaded.files.size).toBe((snapshot?.tables.length ?? 0) + (snapshot?.files.length ?? 0));
    const [done, total] = progress.at(-1) ?? [];
    expect(done).toBe(total);
    const seen = progress.map(([bytes]) => bytes);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });
  it('adds up the figures that fixtures/TOTALS.md works by hand', async () => {
    const { totals } = await proofOf();
    expect(totals?.portfolio.find(({ expected }) => expected.window_key === 'all')).toEqual({
      differs: [],
      expected: {
        window_kind: 'all_time',
        window_key: 'all',
        window_label: 'All time',
        from_date: null,
        // 2026-10-05: 56 years with 14 leap days, and 277 days.
        through_date: 56 * 365 + 14 + 277,
        window_complete: false,
        cash_value_cents: 2_713_382n,
        freed_capacity_cents: 225_785n,
        cost_cents: 3_061_155n,
        net_value_cents: -347_773n,
        roi: -347_773 / 3_061_155,
        capex_cents: 1_609_215n,
        opex_cents: 1_451_940n,
        vendor_price_effect_cents: 13_409n,
      },
    });
  });
  it('holds for the key that the reader has, in each form, and for no other', async () => {
    const signedBy = `The manifest is signed with ${KEY_ID}`;
    for (const key of [PUBLIC_KEY, `ssh-ed25519 ${PUBLIC_KEY} publisher@example.com`])
      expect((await proofOf({ keys: [] }, key)).parts[0]?.text).toBe(`${signedBy}, a key that you entered.`);
    expect((await proofOf()).parts[0]?.text).toBe(`${signedBy}, a key that this server lists.`);
    const other = signingKeyOf(OTHER_SEED).public_key.openssh;
    expect(await proofOf({}, other)).toMatchObject({ outcome: 'refused' });
    await expect(proofOf({}, 'AAAA')).rejects.toThrow('The key must be an Ed25519 key as OpenSSH writes it');
  });
  it('holds after a change of keys for both keys together, on the days of each, and for neither alone', async () => {
    // The first entry is of 14 July, the second of 15 July.
    const changed = { ...resigned(loaded, 'costs.parquet', bytesOf('costs.parquet'), OTHER_SEED), keys: [] };
    const later = `ssh-ed25519 ${signingKeyOf(OTHER_SEED).public_key.openssh}`;
    const outcome = async (key: string) => (await proofOf(changed, key)).outcome;
    const both = [`${PUBLIC_KEY} old ${later} new`, `${PUBLIC_KEY} @..2026-07-14 ${later} @2026-07-15..`];
    expect(await Promise.all(both.map(outcome))).toEqual(['proven', 'proven']);
    const wrongDays = [`${PUBLIC_KEY}@..2026-07-13\n${later}`, `${PUBLIC_KEY}\n${later} @2026-07-16..`];
    const refused = await Promise.all([...wrongDays, later, PUBLIC_KEY].map(outcome));
    expect(refused).toEqual(['refused', 'refused', 'refused', 'refused']);
    for (const wrong of [`${PUBLIC_KEY} @2026-7-15.. ${later}`, `${PUBLIC_KEY} ${later}x`])
      await expect(proofOf(changed, wrong)).rejects.toThrow('The key must be an Ed25519 key');
  });
  it('is a report with every file and window', async () => {
    const text = reportText(await proofOf(), { checked_at: '2026-07-16T08:00:00.000Z', page: PAGE });
    expect(text).toContain('Proven: signature, publish log, files and totals are right.');
    expect(text).toContain('  All time: equal; cash_value_cents 2713382, freed_capacity_cents 225785,');
    for (const { name, sha256 } of snapshot?.tables ?? [])
      expect(text).toContain(`  ${sha256}  ${name}.parquet (`);
  });
  it('stops when the reader cancels', async () => {
    const cancelled = new Error('cancelled');
    let turns = 0;
    const after = (count: number) => async () => {
      turns += 1;
      if (turns > count) throw cancelled;
    };
    // At once, and while the totals are added up: behind the log and 19 files.
    for (const count of [0, 21]) {
      turns = 0;
      await expect(prove(loaded, { key: null, turn: after(count) })).rejects.toBe(cancelled);
    }
  });
});

describe('a changed snapshot is refused', () => {
  it('with one changed byte of any file, which is named', async () => {
    for (const [name] of loaded.files) {
      const proof = await proofOf(withFile(name, flipped(bytesOf(name))));
      expect(proof.outcome).toBe('refused');
      expect(proof.parts.flatMap(({ findings }) => findings.map(({ where }) => where))).toEqual([name]);
    }
  });
  it('with a file that is longer, missing, or refused by the server', async () => {
    const longer = new Uint8Array([...bytesOf('costs.parquet'), 0]);
    expect((await proofOf(withFile('costs.parquet', longer))).outcome).toBe('refused');
    for (const files of [new Map(), new Map([...loaded.files, ['costs.parquet', 'status 503']])]) {
      expect(await proofOf({ files })).toMatchObject({ outcome: 'refused', totals: null });
    }
  });
  it('with one changed byte of the manifest or of its signature, wherever it is', async () => {
    for (const part of ['manifest', 'signature'] as const) {
      const bytes = loaded[part] ?? new Uint8Array(0);
      for (let at = 0; at < bytes.length; at += 29) {
        const changed = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 1 : byte));
        const proof = await prove({ ...loaded, [part]: changed, files: new Map() }, { key: null, turn });
        expect(outcomes(proof)['Signature'], `byte ${at} of the ${part}`).toBe('refused');
      }
    }
  });
  it('with the signature of another snapshot, of another key, or none', async () => {
    const swapped = [
      signatureBy(SEED, Buffer.from('another manifest')),
      signatureBy(OTHER_SEED, loaded.manifest),
      null,
    ];
    for (const signature of swapped) {
      expect(outcomes(await proofOf({ signature }))).toMatchObject({ Signature: 'refused', Files: 'proven' });
    }
  });
  it('with another manifest, though the same key signed it', async () => {
    const costs = bytesOf('costs.parquet');
    const { manifest, signature } = resigned(loaded, 'costs.parquet', flipped(costs));
    expect(outcomes(await proofOf({ manifest, signature }))).toMatchObject({ Signature: 'refused' });
  });
  it('with one changed byte of the key', async () => {
    const [key] = loaded.keys;
    const changed = { openssh: '', valid_from: null, valid_until: null, ...key };
    const openssh = changed.openssh.replace('damAG', 'damBG');
    expect(openssh).not.toBe(changed.openssh);
    expect((await proofOf({ keys: [{ ...changed, openssh }] })).outcome).toBe('refused');
  });

  it('with a key that was not valid on the day of each entry, and with no key; first and last day count', async () => {
    const [key] = loaded.keys;
    const dated = (valid_from: string | null, valid_until: string | null) =>
      proofOf({ keys: [{ openssh: '', ...key, valid_from, valid_until }] });
    // Published on 14 and 15 July.
    expect((await dated('2026-07-14', '2026-07-15')).outcome).toBe('proven');
    for (const [from, until] of [
      ['2026-07-15', null],
      [null, '2026-07-14'],
    ] as const) {
      expect([from, until, (await dated(from, until)).outcome]).toEqual([from, until, 'refused']);
    }
    expect((await proofOf({ keys: [] })).outcome).toBe('refused');
  });

  it.each([
    ['costs.parquet', 'usd_amount_cents', 'usd_amount_cents + 1', 'cost_entry_id = 3001'],
    ['reported_value.parquet', 'usd_amount_cents', 'usd_amount_cents - 1', 'value_entry_id = 2001'],
    [
      'reported_totals.parquet',
      'net_value_cents',
      'net_value_cents + 1',
      "scope = 'portfolio' and window_key = 'all'",
    ],
    ['reported_totals.parquet', 'roi', 'roi + 1e-12', "scope = 'portfolio' and window_key = 'fy2026'"],
    ['reported_totals.parquet', 'window_key', "'fy1999'", "scope = 'portfolio' and window_key = 'fy2026'"],
    [
      'reported_totals.parquet',
      'from_date',
      'from_date + 1',
      "scope = 'initiative' and window_key = 'fy2026'",
    ],
  ])(
    'with one cell changed in %s (%s), all digests and signatures new: by the sums alone',
    async (name, column, value, where) => {
      const forged = await changedTable(bytesOf(name), { column, value, where });
      const proof = await proofOf({ ...withFile(name, forged), ...resigned(loaded, name, forged) });
      expect(outcomes(proof)).toEqual({
        Signature: 'proven',
        'Publish log': 'proven',
        Files: 'proven',
        Totals: 'refused',
      });
      expect(proof.totals?.differences.length).toBeGreaterThan(0);
    },
  );
});

describe('a snapshot that was published before signing', () => {
  it('is called not signed, never proven, also with a key that the reader entered', async () => {
    for (const key of [null, PUBLIC_KEY]) {
      const proof = await proofOf({ log: unsignedLog(loaded.log, 1, 2), signature: null }, key);
      expect(proof.outcome).toBe('unsigned');
      expect(outcomes(proof)).toEqual({
        Signature: 'unsigned',
        'Publish log': 'unsigned',
        Files: 'proven',
        Totals: 'proven',
      });
      const text = reportText(proof, { checked_at: '2026-07-16T08:00:00.000Z', page: PAGE });
      expect(text).toContain('The snapshot was published before snapshots were signed.');
      expect(text).not.toContain('Proven:');
    }
  });

  it('is refused with a changed file all the same', async () => {
    const damaged = withFile('costs.parquet', flipped(bytesOf('costs.parquet')));
    expect((await proofOf({ ...damaged, log: unsignedLog(loaded.log, 1, 2), signature: null })).outcome).toBe(
      'refused',
    );
  });

  it('may stand before a signed one, which is proven', async () => {
    const proof = await proofOf({ log: unsignedLog(loaded.log, 1) });
    expect([proof.outcome, proof.parts[1]?.text]).toEqual([
      'proven',
      '2 entries follow each other from the first to this snapshot; 1 are signed.',
    ]);
  });
});

it('a table that cannot be read is refused, though its digest is right', async () => {
  const garbage = new Uint8Array(1_000);
  const proof = await proofOf({
    ...withFile('costs.parquet', garbage),
    ...resigned(loaded, 'costs.parquet', garbage),
  });
  expect(outcomes(proof)).toMatchObject({ Files: 'proven', Totals: 'refused' });
  expect(proof).toMatchObject({ outcome: 'refused', totals: null });
});

it('a snapshot whose totals cannot be checked is refused, though its signed manifest names no such table', async () => {
  const name = 'reported_totals';
  const proof = await proofOf({
    ...resignedWith(loaded, (tables) => tables.filter((table) => table.name !== name)),
    files: new Map([...loaded.files].filter(([file]) => file !== `${name}.parquet`)),
  });
  expect([proof.outcome, outcomes(proof)['Totals']]).toEqual(['refused', 'unchecked']);
});
