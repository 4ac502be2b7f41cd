/** What a path could make the server open: over a real folder, with every call to the file system written down. */
import { randomUUID } from 'node:crypto';
import * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { bearer, fakeApp, TOKENS } from '../serve/fake-parts.ts';
import { aBuild, DAY, HOUR, MIDNIGHT, publishNow } from '../snapshot/builder/build-harness.ts';

const SNAPSHOT = '20260302T000000Z';
const PATHS = 5_000;
const SEED = 20_261_121;

const now = (): bigint => MIDNIGHT + DAY + HOUR;

const opened: string[] = [];
const open: typeof promises.open = (path, ...how) => {
  opened.push(String(path));
  return promises.open(path, ...how);
};
let folder: string;
let app: ReturnType<typeof fakeApp>['app'];

beforeAll(async () => {
  folder = await promises.realpath(await promises.mkdtemp(join(tmpdir(), 'crossfoot-paths-')));
  await promises.writeFile(join(folder, 'costs.parquet'), 'outside the store');
  const root = join(folder, 'objects');
  const store = await openFolderStore({ fs: { ...promises, open }, root, randomUuid: randomUUID });
  await publishNow(store, aBuild('only', MIDNIGHT + DAY));
  ({ app } = fakeApp({ snapshots: createReader({ store, now, onFault: () => undefined }), now }));
});
afterAll(() => promises.rm(folder, { recursive: true }));

const step = fc.constantFrom(
  ...'../.|.|%2e%2e|%2E.|..|..%2f|..%5c|%252e%252e%252f|....//|%00|%c0%ae%c0%ae|~|costs.parquet|COSTS.parquet'.split(
    '|',
  ),
  ...`costs.parquet.parquet|costs.blocks|manifest.json|log|s|v1|a|7|8|${SNAPSHOT}|${SNAPSHOT.toLowerCase()}`.split(
    '|',
  ),
  ...'latest|snapshots|objects|tmp|etc|passwd'.split('|'),
);
const path = fc
  .tuple(
    fc.constantFrom('latest', `snapshots/${SNAPSHOT}`, 'snapshots'),
    fc.array(step, { minLength: 1, maxLength: 5 }),
  )
  .chain(([place, steps]) =>
    fc
      .constantFrom('/', '//', '%2f', '%5c', '\\', '')
      .map((between) => `/v1/reporting/${place}/${steps.join(between)}`),
  );

it(`A-17: nothing outside the store is opened for ${PATHS} random paths (seed ${SEED})`, async () => {
  const root = join(folder, 'objects', 'v1', 'a', '7');
  const answers = new Map<number, number>();
  const wrong: string[] = [];
  for (const each of fc.sample(path, { numRuns: PATHS, seed: SEED })) {
    opened.length = 0;
    const response = await app.request(each, bearer(TOKENS.personal));
    const text = await response.text();
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
    if (text.includes('outside the store') || !opened.every((file) => file.startsWith(`${root}/`))) {
      wrong.push(`${each}: ${opened.join()}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(new Set(answers.keys())).toEqual(new Set([200, 404]));
  // And where there is a file to be read, it is seen here.
  opened.length = 0;
  await (await app.request(`/v1/reporting/snapshots/${SNAPSHOT}`, bearer(TOKENS.personal))).text();
  const file = `/v1/reporting/snapshots/${SNAPSHOT}/snapshot.parquet`;
  expect((await app.request(file, bearer(TOKENS.personal))).status).toBe(200);
  expect(opened.length).toBeGreaterThan(0);
});
