/** What `pull.mjs`, or the program that PULL_PROGRAM names, says about answers that are no manifest. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInSweeps } from '../support/sweeps.ts';
import { type PullProgram, runPull } from './pull-program.ts';
import { manifestOf, type ScriptedServer, startScripted } from './scripted-server.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
const DEEP = 500_000;

/** Bodies of a manifest. */
const BODIES: Readonly<Record<string, string | Buffer>> = {
  'nested arrays': '['.repeat(DEEP) + ']'.repeat(DEEP),
  'arrays without end': '['.repeat(2 * DEEP),
  'nested objects': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  nothing: '',
  null: 'null',
  'a text': '"manifest"',
  'a list': '[]',
  'an empty object': '{}',
  'bytes that are no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  'a byte order mark in UTF-16': Buffer.from('\uFEFF{}', 'utf16le'),
  'a number without end': `{"account_id":${'9'.repeat(10_000)}}`,
  'tables that are an object': JSON.stringify(manifestOf({ tables: {} })),
  'tables of numbers': JSON.stringify(manifestOf({ tables: [1] })),
  'no files': JSON.stringify(manifestOf({ files: undefined })),
  'no account': JSON.stringify(manifestOf({ account_id: undefined })),
  'no moment': JSON.stringify(manifestOf({ generated_at: undefined })),
  'a retraction that is a text': JSON.stringify(manifestOf({ retraction: 'yes' })),
  'an id that is a number': JSON.stringify(manifestOf({ snapshot_id: 7 })),
};

/** Each body costs a process: a body too deep, without JSON or of another shape always runs, the others in the sweeps. */
const ALWAYS: readonly string[] = ['nested arrays', 'bytes that are no UTF-8', 'tables of numbers'];

let to: string;
let server: ScriptedServer;
let answer: { readonly status: number; readonly body: string | Buffer };
beforeAll(async () => {
  to = await mkdtemp(join(tmpdir(), 'crossfoot-malformed-'));
  server = await startScripted((_, response) => {
    response.writeHead(answer.status).end(answer.body);
    return true;
  });
});
afterAll(async () => {
  await server.close();
  await rm(to, { recursive: true });
});

const pull = () => runPull(PROGRAM, 'a token', '--url', server.url, '--to', to);

/** The exit code and the message of a pull whose manifest has this body. */
async function pullOf(body: string | Buffer): Promise<unknown[]> {
  answer = { status: 200, body };
  const { code, stderr } = await pull();
  return [code, stderr];
}

describe(`a pull by ${PROGRAM} of`, () => {
  const bodies = Object.entries(BODIES);
  const always = bodies.filter(([name]) => ALWAYS.includes(name));
  const others = bodies.filter(([name]) => !ALWAYS.includes(name));
  const refusal = [3, expect.stringMatching(/^pull: The manifest is malformed: .*\n$/)];

  it.each(always)('a manifest that is %s ends with a sentence', async (_, body) => {
    expect(await pullOf(body)).toEqual(refusal);
  });

  itInSweeps.each(others)('a manifest that is %s ends with a sentence', async (_, body) => {
    expect(await pullOf(body)).toEqual(refusal);
  });

  it('a refusal prints no sign that steers a terminal', async () => {
    const message = 'no\u001B]0;owned\u0007 \u009B31m\u202Etxt\u2028next\r\nline \uD800.';
    for (const body of [JSON.stringify({ error: { message } }), '['.repeat(60_000)]) {
      answer = { status: 403, body };
      const { code, stderr } = await pull();
      expect([code, stderr]).toEqual([3, expect.stringMatching(/^pull: The server refused: 403 .*\n$/)]);
      expect(stderr.trimEnd()).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }
  });
});
