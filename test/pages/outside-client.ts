/** A program of others that connects to the assistant: it prints an address, and a person allows it in Chromium. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';

/** What the programs need: no keychain, no browser of their own, and a home in which they keep nothing of this machine. */
export function environmentIn(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    // The addresses are opened by the test.
    BROWSER: 'true',
    MCP_REMOTE_CONFIG_DIR: home,
    MCP_AUTO_OPEN_ENABLED: 'true',
    MCP_INSPECTOR_SECRET_STORE: 'memory',
  };
}

/** The first address of the page of consent that the stream prints. Reads on, so that the program never waits for a reader. */
export async function addressPrinted(stream: Readable): Promise<string> {
  const lines = createInterface({ input: stream });
  return await new Promise((resolve, reject) => {
    const said: string[] = [];
    lines.on('line', (line) => {
      said.push(line);
      const [address] = /http:\/\/\S+\/authorize\?\S+/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    lines.on('close', () => reject(new Error(`The program printed no address: ${said.join('\n')}`)));
  });
}

/** Where no program listens: the browser answers by itself. */
export const CALLBACK = 'https://client.example/callback';

/** As a person without a session and without JavaScript: opens the address, signs in, allows, and follows the answer. */
export async function allowInBrowser(browser: Browser, address: string, token: string): Promise<Answered> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.route(`${CALLBACK}?*`, (route) => route.fulfill({ body: 'Connected.' }));
  const page = await context.newPage();
  await page.goto(address);
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL((url) => url.searchParams.has('code'));
  const answered = { to: new URL(page.url()), says: await page.locator('body').innerText() };
  await context.close();
  return answered;
}

interface Answered {
  /** The address of the client, with the code. */
  readonly to: URL;
  readonly says: string;
}

/** Runs the program while a person allows it, and returns what it prints on standard output. Throws if it fails. */
export async function runAllowed(
  command: string,
  args: readonly string[],
  { home, allow, prints }: Allowed,
): Promise<string> {
  const program = spawn(command, args, {
    cwd: home,
    env: environmentIn(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(program, 'close');
  const printed = Promise.all([text(program.stdout), text(program.stderr)]);
  const address = await addressPrinted(program[prints]);
  await allow(address);
  const [[code], [stdout, stderr]] = await Promise.all([ended, printed]);
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}:\n${stdout}\n${stderr}`);
  return stdout;
}

interface Allowed {
  readonly home: string;
  readonly allow: (address: string) => Promise<unknown>;
  /** Where the program prints the address. */
  readonly prints: 'stderr' | 'stdout';
}

/** A port of this computer that is free now, for a program that listens on the port it is told. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
