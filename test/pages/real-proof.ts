/** The page that proves a snapshot, in Chromium: the fixture company, a large account, and what somebody changed on the way. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loaded } from '../../src/prover/load.ts';
import { signingKeyOf } from '../../src/signing/keys.ts';
import { armor, signSsh } from '../../src/signing/sshsig.ts';
import { seedAccount } from '../../tools/seed/seed-account.ts';
import { changedTable, flipped, resigned } from '../prover/forged.ts';
import { DAY } from '../snapshot/builder/build-harness.ts';
import { AT } from '../snapshot/builder/real-build.ts';
import { KEY_ID, OTHER_SEED } from '../support/signing.ts';
import { openServedHarness, type ServedHarness } from './served-harness.ts';
import { openBrowser, openPage, takePicture, type WatchedPage } from './watched-page.ts';

/** Rows of `costs` and `reported_value` together in the large account. */
const ROWS = Number(process.env['PROOF_ROWS'] ?? 20_000);
const ID = '20260715T020000Z';
const PAGE = `/snapshots/${ID}/prove`;
/** A host that is no secure context: its name leads here, and it has no certificate. */
const INSECURE = 'proof.test';
const CHECK_MS = 600_000;
/** Where a person looks at the pages. */
const SEEN = resolve(import.meta.dirname, '../.tmp/pages');

let served: ServedHarness;
let origin: string;
let browser: Browser;
let tokens: { readonly company: string; readonly large: string };
beforeAll(async () => {
  served = await openServedHarness();
  const { harness, store } = served;
  await harness.build({ store, at: AT - DAY, night: '2026-07-14' });
  await harness.build({ store });
  const owner = await harness.database.client('cf_owner');
  const request = { rows: ROWS / 2, initiatives: Math.max(80, ROWS / 200), years: 5, inputs: 0, seed: 1n };
  const account_id = await seedAccount(owner, request, () => undefined);
  await harness.build({ store, account_id });
  tokens = { company: await served.issue(1n), large: await served.issue(account_id) };
  origin = await served.serve();
  browser = await openBrowser([`--host-resolver-rules=MAP ${INSECURE} 127.0.0.1`]);
});
afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

async function open(token: string, at = origin): Promise<WatchedPage> {
  const watched = await openPage(browser, at);
  const { page } = watched;
  await page.goto(`${at}/`);
  await page.getByLabel('Access token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return watched;
}

async function check({ page }: WatchedPage): Promise<string> {
  await page.goto(`${origin}${PAGE}`);
  await page.getByRole('button', { name: /^Load and check/ }).click();
  return await outcome(page);
}

/** The sentence of the outcome, once there is one. */
async function outcome(page: Page): Promise<string> {
  await page.getByRole('button', { name: /^Load and check/ }).waitFor({ timeout: CHECK_MS });
  return (await page.getByRole('status').and(page.locator('#state')).textContent()) ?? '';
}

/** The rows of a table by its label, each with the text of its cells. */
async function rowsOf(page: Page, label: string): Promise<readonly (readonly string[])[]> {
  const rows = await page.getByRole('region', { name: label }).locator('tbody tr').all();
  return await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
}

const PROVEN = 'Proven: signature, publish log, files and totals are right.';
const REFUSED = 'Refused: not everything is right.';

describe('an undamaged snapshot', () => {
  it('is proven, figure by figure, again without the network, and as a report', async () => {
    const watched = await open(tokens.company);
    const { page } = watched;
    expect(await check(watched)).toBe(PROVEN);
    expect(await watched.examine()).toEqual([]);
    await watched.show('light', 'desktop');
    await takePicture(page, join(SEEN, 'proof-light-desktop.png'));
    expect((await rowsOf(page, 'Parts of the proof')).map(([, result]) => result)).toEqual(
      Array.from({ length: 4 }, () => 'proven'),
    );
    const windows = await rowsOf(page, 'Windows of the portfolio');
    // As fixtures/TOTALS.md works it.
    expect(windows[0]).toEqual([
      'All time',
      'equal to the cent',
      '$27,133.82',
      '$2,257.85',
      '$30,611.55',
      '−$3,477.73',
      '−11.4\u{A0}%',
      '$16,092.15',
      '$14,519.40',
      '$134.09',
    ]);
    expect(new Set(windows.map((cells) => cells[1]))).toEqual(new Set(['equal to the cent']));
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Check again from memory' }).click();
    expect(await outcome(page)).toBe(PROVEN);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the report' }).click();
    const report = await readFile(await (await saved).path(), 'utf8');
    expect(report).toContain(`proof of snapshot ${ID}`);
    expect(report).toContain(KEY_ID);
    expect(watched.faults()).toEqual([]);
  });

  it('holds for the key that the reader enters alone', async () => {
    const watched = await open(tokens.company);
    await watched.page.goto(`${origin}${PAGE}`);
    const other = signingKeyOf(OTHER_SEED).public_key.openssh;
    await watched.page.getByLabel('Public key of the publisher').fill(`ssh-ed25519 ${other}`);
    await watched.page.keyboard.press('Enter');
    expect(await outcome(watched.page)).toBe(REFUSED);
    expect(watched.faults()).toEqual([]);
  });

  it(`is proven with ${ROWS} rows, after a check that was cancelled`, async () => {
    const watched = await open(tokens.large);
    const { page } = watched;
    await page.goto(`${origin}${PAGE}`);
    await page.getByRole('button', { name: /^Load and check/ }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await outcome(page)).toBe('Cancelled. Nothing is proven.');
    const began = performance.now();
    await page.getByRole('button', { name: /^Load and check/ }).click();
    expect(await outcome(page)).toBe(PROVEN);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const totals = (await rowsOf(page, 'Parts of the proof')).at(-1)?.[2] ?? '';
    process.stdout.write(`${ROWS} rows proven in ${seconds} s: ${totals}\n`);
    expect(await watched.skim()).toEqual([]);
    expect(watched.faults()).toEqual([]);
  });
});

describe('a snapshot that somebody changed on the way', () => {
  let watched: WatchedPage;
  let loaded: Pick<Loaded, 'log' | 'manifest'>;
  let costs: Uint8Array;
  beforeAll(async () => {
    watched = await open(tokens.company);
    const get = async (path: string): Promise<Buffer> =>
      await (await watched.page.request.get(`${origin}${PAGE}/${path}`)).body();
    const log = (await get('log/1')).toString().trimEnd().split('\n');
    loaded = { manifest: new Uint8Array(await get('files/manifest.json')), log };
    costs = await get('files/costs.parquet');
  });

  /** What the browser gets instead, by the end of its address. */
  async function checkWith(answers: Readonly<Record<string, Uint8Array | string>>): Promise<string> {
    const between = async (route: Route): Promise<void> => {
      const body = Object.entries(answers).find(([path]) => route.request().url().endsWith(path))?.[1];
      if (body === undefined) await route.continue();
      else await route.fulfill({ body: Buffer.from(body) });
    };
    const context = watched.page.context();
    await context.route('**/prove/*/*', between);
    const told = await check(watched);
    await context.unroute('**/prove/*/*', between);
    return told;
  }
  const results = async () => (await rowsOf(watched.page, 'Parts of the proof')).map(([, result]) => result);

  it('is refused with one flipped byte of a file', async () => {
    expect(await checkWith({ '/files/costs.parquet': flipped(costs) })).toBe(REFUSED);
    expect(await results()).toEqual(['proven', 'proven', 'refused', 'not checked']);
    expect((await rowsOf(watched.page, 'What differs')).map(([place]) => place)).toEqual(['costs.parquet']);
    expect(await watched.examine()).toEqual([]);
    expect(watched.faults()).toEqual([]);
  });

  it('is refused with one changed cent, though every digest and signature is right: by the sums', async () => {
    const forged = await changedTable(costs, {
      column: 'usd_amount_cents',
      value: 'usd_amount_cents + 1',
      where: 'cost_entry_id = 3001',
    });
    const { manifest, log, signature } = resigned(loaded, 'costs.parquet', forged);
    const answers = {
      '/files/costs.parquet': forged,
      '/files/manifest.json': manifest,
      '/files/manifest.json.sig': signature ?? '',
      '/log/1': `${log.join('\n')}\n`,
    };
    expect(await checkWith(answers)).toBe(REFUSED);
    expect(await results()).toEqual(['proven', 'proven', 'proven', 'refused']);
    const differing = await rowsOf(watched.page, 'What differs');
    // C3001 is 600000 cents of capital: fixtures/TOTALS.md says 3061155 cents of cost in all.
    expect(differing).toContainEqual(['portfolio, all, cost_cents', '3061156', '3061155']);
    expect(await watched.examine()).toEqual([]);
    expect(watched.faults()).toEqual([]);
  });

  it('is refused with the signature of another key', async () => {
    const swapped = armor(signSsh(signingKeyOf(OTHER_SEED), 'crossfoot', loaded.manifest));
    expect(await checkWith({ '/files/manifest.json.sig': swapped })).toBe(REFUSED);
    expect(await results()).toEqual(['refused', 'proven', 'proven', 'proven']);
    expect(watched.faults()).toEqual([]);
  });
});

/** What a browser is told that cannot check signatures: the status, and the command. */
const told = async ({ page }: WatchedPage, at: string): Promise<readonly (string | null)[]> => {
  await page.goto(`${at}${PAGE}`);
  await page.getByText('This browser cannot prove a snapshot.').waitFor();
  return [
    await page.getByRole('status').and(page.locator('#state')).textContent(),
    await page.getByLabel('Command').inputValue(),
  ];
};

describe('a browser that cannot check signatures', () => {
  it('is told so without a secure context, and shown the command', async () => {
    const insecure = `http://${INSECURE}:${new URL(origin).port}`;
    const watched = await open(tokens.company, insecure);
    expect(await told(watched, insecure)).toEqual([
      expect.stringContaining('not opened over HTTPS'),
      expect.stringContaining('npx --no crossfoot pull'),
    ]);
    expect(await watched.skim()).toEqual([]);
    expect(watched.faults()).toEqual([]);
  });

  it('is told so without Ed25519, and shown the command', async () => {
    const watched = await open(tokens.company);
    await watched.page.addInitScript(
      'crypto.subtle.importKey = () => Promise.reject(new Error("NotSupported"));',
    );
    expect(await told(watched, origin)).toEqual([
      expect.stringContaining('no Ed25519 in WebCrypto'),
      expect.stringContaining('npx --no crossfoot pull'),
    ]);
    expect(watched.faults()).toEqual([]);
  });
});
