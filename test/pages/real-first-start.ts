/** The page that proves a snapshot, in Chromium, against the process of a first start on an empty folder: never restarted. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Folder } from '../commands/instances.ts';
import { get } from '../commands/published.ts';
import { openBrowser, openPage } from './watched-page.ts';

const CHECK_MS = 600_000;
const PROVEN = 'Proven: signature, publish log, files and totals are right.';

let folder: Folder;
let browser: Browser;
let demo: Readonly<Record<string, string>>;
let origin: string;
beforeAll(async () => {
  folder = await Folder.make();
  const ready = await folder.run(['start']).said(/^ready /);
  origin = ready.replace('ready ', '');
  demo = await folder.demo();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await folder?.[Symbol.asyncDispose]();
});

it.each(['TOKEN', 'OTHER_TOKEN'])('proves the first snapshot of the account of %s', async (name) => {
  const token = demo[name] ?? '';
  const watched = await openPage(browser, origin);
  const { page } = watched;
  await page.goto(`${origin}/`);
  await page.getByLabel('Access token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  const newest = (await (await get(`${origin}/v1/reporting/latest`, token)).json()) as {
    snapshot_id: string;
  };
  const address = `${origin}/snapshots/${newest.snapshot_id}/prove`;
  await page.goto(address);
  const began = performance.now();
  const button = page.getByRole('button', { name: /^Load and check/ });
  await button.click();
  await page
    .locator('#result')
    .getByText(/^(?:Proven|Refused)/)
    .waitFor({ timeout: CHECK_MS });
  const told = await page.getByRole('status').and(page.locator('#state')).textContent();
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(`${address}\n  ${told} (${seconds} s)\n`);
  expect(told).toBe(PROVEN);
  expect(watched.faults()).toEqual([]);
});
