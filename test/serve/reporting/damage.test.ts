import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../fake-parts.ts';
import { ask, type Seen } from '../http/raw-http.ts';
import { COSTS, NEWER_ID, OLDER_ID, publishCompany, SNAPSHOT } from '../stored-company.ts';

const SIZE = COSTS.length;
const BLOCK = 1_048_576;
const token = TOKENS.personal;
const LATEST = '/v1/reporting/latest';
const FILE = `${LATEST}/costs.parquet`;
/** Takes ranges of any request, and `latest` only of a request that names the file. */
const BY_ID = `/v1/reporting/snapshots/${NEWER_ID}/costs.parquet`;

/** The first and the last byte of each block, and one inside. */
const PLACES = [0, BLOCK - 1, BLOCK, BLOCK + 500_000, 2 * BLOCK - 1, 2 * BLOCK, SIZE - 1];
/** The whole file, each block by itself, across each border, and what a reader of Parquet asks for first. */
const RANGES: readonly (readonly [from: number, to: number])[] = [
  [0, SIZE - 1],
  [0, BLOCK - 1],
  [BLOCK, 2 * BLOCK - 1],
  [2 * BLOCK, SIZE - 1],
  [BLOCK - 1, BLOCK],
  [2 * BLOCK - 1, 2 * BLOCK],
  [SIZE - 8, SIZE - 1],
];

type Company = Awaited<ReturnType<typeof publishCompany>>;
let company: Company;
beforeAll(async () => {
  company = await publishCompany();
});
afterAll(() => company.remove());

/** Runs with a stored file changed and a server that has read nothing yet, and puts the file right again. */
async function damaged<Result>(
  ending: string,
  change: (path: string, sound: Buffer) => Promise<unknown>,
  run: (server: Awaited<ReturnType<Company['serve']>>, mend: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const path = company.pathOf(ending);
  const sound = await readFile(path);
  const mend = () => writeFile(path, sound);
  await change(path, sound);
  const server = await company.serve();
  try {
    return await run(server, mend);
  } finally {
    await server.close();
    await mend();
  }
}

function flip(at: number) {
  return (path: string, sound: Buffer) => {
    const bad = Buffer.from(sound);
    bad[at] = (sound[at] ?? 0) ^ 1;
    return writeFile(path, bad);
  };
}

/** A whole answer of a 2xx; whatever else comes, a client that checks lengths throws it away. */
function isClean({ status, cut }: Seen): boolean {
  return status >= 200 && status < 300 && !cut;
}

const DAMAGED =
  'The stored file costs.parquet is damaged and is not served. Read another snapshot. An operator restores the file from a copy, then runs npx --no crossfoot scrub.';

function isRefused({ status, headers, body, cut }: Seen, message = DAMAGED): boolean {
  const told = { error: { status: 503, message } };
  const shaped = !cut && headers['retry-after'] === '10' && body.toString() === JSON.stringify(told);
  return status === 503 && shaped;
}

describe('a flipped byte (F-39)', () => {
  it.each(PLACES)('at %i of a file is never sent, in any range', async (at) => {
    const start = at - (at % BLOCK);
    for (const [from, to] of RANGES) {
      const seen = await damaged('costs.parquet', flip(at), (server) =>
        ask(server.port, BY_ID, { token, headers: { range: `bytes=${from}-${to}` } }),
      );
      const touched = start <= to && start + BLOCK > from;
      expect([from, to, isClean(seen)]).toEqual([from, to, !touched]);
      // Where the bad block is the first of the answer, or no more than a block is asked for, it can still be refused in
      // words; later it breaks off.
      const inWords = touched && (start <= from || to - from < BLOCK);
      expect(isRefused(seen)).toBe(inWords);
      const right = COSTS.subarray(from, to + 1).subarray(0, seen.body.length);
      expect(inWords || seen.body.equals(right)).toBe(true);
    }
  });

  it.each([0, 31, 32, 95])('at %i of the digests refuses all of the file', async (at) => {
    const seen = await damaged('costs.blocks', flip(at), (server) => ask(server.port, FILE, { token }));
    expect(isRefused(seen)).toBe(true);
  });

  it.each([0, 100, -1])(
    'at %i of the newest manifest refuses it, and latest does not move back',
    async (at) => {
      const change = (path: string, sound: Buffer) => flip((at + sound.length) % sound.length)(path, sound);
      await damaged('manifest.json', change, async ({ port }) => {
        for (const path of [LATEST, FILE, `/v1/reporting/snapshots/${NEWER_ID}`, '/v1/reporting/snapshots']) {
          const message = 'The service cannot answer right now; try again in some seconds.';
          expect(isRefused(await ask(port, path, { token }), message)).toBe(true);
        }
        expect(isClean(await ask(port, `/v1/reporting/snapshots/${OLDER_ID}`, { token }))).toBe(true);
      });
    },
  );
});

describe('a file that is (F-40)', () => {
  it.each([
    ['missing', (path: string) => rm(path)],
    ['empty', (path: string) => truncate(path, 0)],
    ['all zeros', (path: string, sound: Buffer) => writeFile(path, Buffer.alloc(sound.length))],
    ['of another snapshot', (path: string) => writeFile(path, SNAPSHOT)],
    ['one byte short', (path: string, sound: Buffer) => truncate(path, sound.length - 1)],
    ['cut at a block', (path: string) => truncate(path, BLOCK)],
  ])('%s is never a clean answer', async (_, change) => {
    const seen = await damaged('costs.parquet', change, (server) => ask(server.port, FILE, { token }));
    expect(isClean(seen)).toBe(false);
    expect(seen.status === 503 || seen.body.equals(COSTS.subarray(0, seen.body.length))).toBe(true);
  });

  it('longer than promised gives the promised bytes', async () => {
    const seen = await damaged(
      'costs.parquet',
      (path, sound) => writeFile(path, Buffer.concat([sound, sound])),
      (server) => ask(server.port, FILE, { token }),
    );
    expect([isClean(seen), seen.body.equals(COSTS)]).toEqual([true, true]);
  });
});

describe('once a file was found damaged', () => {
  const good = { range: 'bytes=0-9' };

  it('every request of the file is refused, also HEAD and undamaged ranges, and other files are served', async () => {
    await damaged('costs.parquet', flip(SIZE - 1), async ({ port }) => {
      expect(isClean(await ask(port, BY_ID, { token, headers: good }))).toBe(true);
      const broken = await ask(port, FILE, { token });
      expect([broken.status, broken.cut]).toEqual([200, true]);
      for (const path of [FILE, BY_ID]) {
        expect(isRefused(await ask(port, path, { token, headers: good }))).toBe(true);
        expect((await ask(port, path, { method: 'HEAD', token })).status).toBe(503);
        expect((await ask(port, path, { token, headers: { 'if-none-match': '*' } })).status).toBe(503);
      }
      expect((await ask(port, `${LATEST}/snapshot.parquet`, { token })).body).toEqual(SNAPSHOT);
      const latest = await ask(port, LATEST, { token });
      expect(latest.headers['x-snapshot-id']).toBe(NEWER_ID);
    });
  });

  it('a restored file is served five seconds after the last read, and no earlier', async () => {
    await damaged('costs.parquet', flip(SIZE - 1), async ({ port, clock }, mend) => {
      const refused = async () => isRefused(await ask(port, FILE, { token, headers: good }));
      await ask(port, FILE, { token });
      clock.now += 5_000_000n;
      expect(await refused()).toBe(true); // looked at again, and still bad
      await mend();
      clock.now += 4_999_999n;
      expect(await refused()).toBe(true);
      clock.now += 1n;
      const seen = await ask(port, FILE, { token });
      expect([isClean(seen), seen.body.equals(COSTS)]).toEqual([true, true]);
    });
  });

  it('a new process looks for itself', async () => {
    await damaged('costs.parquet', flip(SIZE - 1), async ({ port }, mend) => {
      await ask(port, FILE, { token });
      await mend();
      const next = await company.serve();
      expect(isClean(await ask(next.port, FILE, { token }))).toBe(true);
      await next.close();
    });
  });
});
