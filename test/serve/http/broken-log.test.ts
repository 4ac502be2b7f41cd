/** What is answered while the publish log of an account cannot be read to its end. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../fake-parts.ts';
import { ask, type Seen } from './raw-http.ts';
import { NEWER_ID, OLDER_ID, publishCompany } from '../stored-company.ts';

const token = TOKENS.personal;
const LATEST = '/v1/reporting/latest';
const LIST = '/v1/reporting/snapshots';
const FIVE_SECONDS = 5_000_000n;

let company: Awaited<ReturnType<typeof publishCompany>>;
let server: Awaited<ReturnType<typeof company.serve>>;
let sound: Buffer;
beforeAll(async () => {
  company = await publishCompany();
  // Another server has seen the whole log: each server below starts again.
  server = await company.serve();
  await read(LATEST);
  await server.close();
});
afterAll(() => company.remove());

const pathOf = (seq: number): string => company.pathOf(`log/000000000${seq}.json`);

/** A server that reads a log whose entry `seq` is no entry any more. */
async function serveBroken(seq: number): Promise<void> {
  sound = await readFile(pathOf(seq));
  await writeFile(pathOf(seq), '{}');
  server = await company.serve();
}
const mend = (seq: number): Promise<void> => writeFile(pathOf(seq), sound);
afterEach(() => server.close());

const read = (path: string): Promise<Seen> => ask(server.port, path, { token });
const json = ({ body }: Seen): unknown => JSON.parse(body.toString());

describe('a log whose first entry is damaged', () => {
  it('is answered with 503 and not as an account without snapshots', async () => {
    await serveBroken(1);
    const paths = [LATEST, LIST, `${LIST}/${OLDER_ID}`, `${LATEST}/costs.parquet`];
    for (const path of paths) {
      const seen = await read(path);
      expect([path, seen.status, seen.headers['retry-after']]).toEqual([path, 503, '10']);
      expect(json(seen)).toEqual({
        error: { status: 503, message: 'The service cannot answer right now; try again in some seconds.' },
      });
    }
    await mend(1);
  });
});

describe('a log whose second entry is damaged', () => {
  it('leaves the first snapshot as latest, and a header says at which entry the log ends', async () => {
    await serveBroken(2);
    const named = [`${LIST}/latest`, `${LIST}/newest/SHA256SUMS`];
    for (const path of [LATEST, LIST, `${LATEST}/costs.parquet`, `${LATEST}/SHA256SUMS`, ...named]) {
      const { status, headers } = await read(path);
      expect([path, status, headers['x-latest-behind-log']]).toEqual([path, 200, '2']);
    }
    expect((await read(LATEST)).headers['x-snapshot-id']).toBe(OLDER_ID);
    // It was published, and no server can tell whether it still is.
    expect((await read(`${LIST}/${NEWER_ID}`)).status).toBe(503);
    expect((await read(`${LIST}/${OLDER_ID}`)).headers).not.toHaveProperty('x-latest-behind-log');
    await mend(2);
  });

  it('makes a ready server report that it is degraded, until the log is repaired', async () => {
    await serveBroken(2);
    expect(json(await read('/readyz'))).toEqual({ status: 'ok' }); // it has read no log yet
    await read(LATEST);
    const degraded = await read('/readyz');
    expect([degraded.status, json(degraded)]).toEqual([200, { status: 'degraded', broken_logs: 1 }]);
    await mend(2);
    server.clock.now += FIVE_SECONDS;
    expect(json(await read('/readyz'))).toEqual({ status: 'ok' });
    const { headers } = await read(LATEST);
    expect([headers['x-snapshot-id'], headers['x-latest-behind-log']]).toEqual([NEWER_ID, undefined]);
  });
});
