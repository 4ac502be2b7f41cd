/** The fortnight as the real program serves it, and the tokens that people sign in with. */
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { flipBit } from '../commands/published-folder.ts';
import { passFortnight } from './fortnight.ts';
import { openServedHarness } from './served-harness.ts';

export interface ServedFortnight extends AsyncDisposable {
  /** The server, without a path. */
  readonly origin: string;
  /** Snapshots of the company by what became of them. */
  readonly snapshots: Readonly<Record<string, string>> & { readonly newest: string };
  /** The address of the page of consent, as a registered client asks. */
  readonly consent: string;
  /** A personal token of the company. */
  readonly token: string;
  /** One of an account that has no snapshot yet. */
  readonly emptyToken: string;
}

/** Builds, marks and serves it. */
export async function serveFortnight(): Promise<ServedFortnight> {
  const served = await openServedHarness();
  try {
    const { harness, store, objects, run, issue } = served;
    const { ids } = await passFortnight(harness, store, Date.now());
    const [damaged = ''] = ids;
    const [retracted = '', instead = '', pinned = '', newest = ''] = [-5, -4, -3, -1].map((at) => ids.at(at));
    const ours = ['--account', '1'];
    await run('pin', pinned, ...ours, '--name', '2026-10-close');
    const reason = 'The June bill of Anthropic was loaded twice.';
    await run('retract', retracted, ...ours, '--reason', reason, '--replaced-by', instead);
    await flipBit(await fileOf(objects, damaged, 'costs.parquet'));
    await run('scrub', ...ours).catch(() => undefined); // it fails because it finds damage
    const [token, emptyToken] = [await issue(1n), await issue(2n)];
    const origin = await served.serve();
    const snapshots = { newest, retracted, pinned, damaged };
    return {
      origin,
      snapshots,
      consent: await consentOf(origin),
      token,
      emptyToken,
      [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
    };
  } catch (error) {
    await served[Symbol.asyncDispose]();
    throw error;
  }
}

/** Registers a client, and gives the path with which it sends a person to the page of consent. */
async function consentOf(origin: string): Promise<string> {
  const redirect_uri = 'https://client.example/callback';
  const registered = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Helper', redirect_uris: [redirect_uri] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const asked = { response_type: 'code', client_id, redirect_uri, resource: `${origin}/mcp` };
  const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
  return `/authorize?${new URLSearchParams({ ...asked, ...challenge }).toString()}`;
}

async function fileOf(objects: string, snapshot_id: string, name: string): Promise<string> {
  const builds = join(objects, 'v1/a/1/s');
  const build = (await fs.readdir(builds)).find((each) => each.startsWith(`${snapshot_id}-`)) ?? '';
  return join(builds, build, name);
}
