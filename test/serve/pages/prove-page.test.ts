import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fakeApp, FakeSnapshots, LATEST, TOKENS, withoutOwnScript } from '../fake-parts.ts';
import { openBrowser } from './browser.ts';

const PAGE = `/snapshots/${LATEST}/prove`;

async function signedIn(token: string = TOKENS.personal, replaced: Parameters<typeof fakeApp>[0] = {}) {
  const browser = openBrowser(fakeApp(replaced).app);
  await browser.signIn(token);
  return browser;
}

it('the prove page loads scripts, workers and data from its own origin alone', async () => {
  const answer = await (await signedIn()).send(PAGE);
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const page = await answer.text();
  expect(page).toContain('<script src="../../prove/page.js"></script>');
  expect(page).toContain(
    `npx --no crossfoot pull --url https://api.example.com/v1 --to snapshots --snapshot ${LATEST}`,
  );
  const worker = await (await signedIn()).send('/prove/worker.js');
  expect(worker.headers.get('content-security-policy')).toContain("default-src 'none'; connect-src 'self';");
});

it('the scripts of the prove page have less than 200 kB, and no WebAssembly', async () => {
  const scripts = await Promise.all(
    ['page', 'worker'].map((name) =>
      readFile(new URL(`../../../assets/prove-${name}.js`, import.meta.url), 'utf8'),
    ),
  );
  expect(Buffer.byteLength(scripts.join(''))).toBeLessThan(200_000);
  expect(scripts.join('')).not.toContain('WebAssembly');
});

it('the prove page of more than 200 MB has no script and shows the command', async () => {
  class Large extends FakeSnapshots {
    override async pinned(account_id: bigint, snapshot_id: string) {
      const snapshot = await super.pinned(account_id, snapshot_id);
      return (
        snapshot && {
          ...snapshot,
          tables: snapshot.tables.map((table) => ({ ...table, size_bytes: 100_000_000 })),
        }
      );
    }
  }
  const page = await (await signedIn(TOKENS.personal, { snapshots: new Large() })).page(PAGE);
  expect(withoutOwnScript(page)).not.toContain('<script');
  expect(page).toContain('A browser checks up to 200 MB');
  expect(page).toContain('npx --no crossfoot pull');
});

it('what the prove page loads is for sessions of the account alone, and never cached', async () => {
  const loads = [`${PAGE}/files/costs.parquet`, `${PAGE}/files/audit.json`, `${PAGE}/log/1`];
  const [reader, stranger] = [await signedIn(), await signedIn(TOKENS.switchedOff)];
  for (const path of loads) {
    const answer = await reader.send(path);
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
    expect((await stranger.send(path)).status).toBe(404);
    const signedOut = await openBrowser().send(path);
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([
      303,
      `../../../../?to=${encodeURIComponent(path.slice(1))}`,
    ]);
  }
  for (const path of [`${PAGE}/files/none.parquet`, `${PAGE}/log/0`, `${PAGE}/log/x`]) {
    expect((await reader.send(path)).status).toBe(404);
  }
});
