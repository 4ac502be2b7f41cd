/** The small form of `npm run campaign -- interrupts`, over the server itself; the campaign `python` runs it on `pull.py`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../serve/fake-parts.ts';
import { chanceFrom } from '../serve/http/slow-writers.ts';
import { publishCompany } from '../serve/stored-company.ts';
import { pullInterrupted } from './interrupted-pull.ts';
import { type PullProgram, runPull } from './pull-program.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
const SEED = 20_260_715;
const TIMES = 10;

let company: Awaited<ReturnType<typeof publishCompany>>;
let server: Awaited<ReturnType<typeof company.serve>>;
beforeAll(async () => {
  company = await publishCompany();
  server = await company.serve();
});
afterAll(async () => {
  await server.close();
  await company.remove();
});

describe(`pulls by ${PROGRAM}, cut off and killed at random bytes (seed ${SEED})`, () => {
  it.each(Array.from({ length: TIMES }, (_, time) => SEED + time))(
    'end whole, and nothing is seen before: %i',
    async (seed) => {
      const { cuts, kills } = await pullInterrupted(PROGRAM, server.port, chanceFrom(seed));
      expect(cuts + kills).toBeGreaterThan(0);
    },
  );
});

describe(`a pull by ${PROGRAM}`, () => {
  it('is refused with a token that the server does not know', async () => {
    const to = await mkdtemp(join(tmpdir(), 'crossfoot-refused-'));
    const run = await runPull(
      PROGRAM,
      TOKENS.unknown,
      '--url',
      `http://127.0.0.1:${server.port}`,
      '--to',
      to,
    );
    await rm(to, { recursive: true });
    expect([run.code, run.stderr]).toEqual([3, expect.stringContaining('401 The access token is unknown')]);
  });
});
