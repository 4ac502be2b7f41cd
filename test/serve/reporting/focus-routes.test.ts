/** The FOCUS file as a server sends it: by its address, beside the tables, and as a further shared table. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { FOCUS_SET } from '../../../src/tables/focus.ts';
import { aBuild, HOUR, MIDNIGHT, publishNow } from '../../snapshot/builder/build-harness.ts';
import { contentOf } from '../../store/contract.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';

const OLD = '20260301T000000Z';
const NEW = '20260301T010000Z';
const BYTES = Buffer.from('PAR1 focus PAR1');
const REPORT = Buffer.from('{"focus_version":"1.2"}');
const TABLE = '/delta-sharing/shares/crossfoot/schemas/reporting/tables/focus';

const now = (): bigint => MIDNIGHT + 2n * HOUR;

let ask: (path: string, init?: RequestInit) => Promise<Response>;
beforeAll(async () => {
  const store = memoryStore(new Map());
  await publishNow(store, aBuild(OLD, MIDNIGHT));
  const content = { ...contentOf(BYTES), blocks: Buffer.from(sha256Hex(BYTES), 'hex') };
  const tables = [{ name: 'focus', row_count: 3, content }];
  const files = [{ name: 'focus.json', content: contentOf(REPORT) }];
  await publishNow(store, {
    ...aBuild(NEW, MIDNIGHT + HOUR),
    beside: [{ set: FOCUS_SET, tables, files }],
  });
  const { app } = fakeApp({ snapshots: createReader({ store, now, onFault: () => undefined }), now });
  ask = async (path, init = {}) => await app.request(path, { ...bearer(TOKENS.reporting), ...init });
});

describe('the FOCUS file', () => {
  it.each(['latest', `snapshots/${NEW}`])('is served whole and by range from %s', async (at) => {
    const full = await ask(`/v1/reporting/${at}/focus.parquet`);
    expect([full.status, Buffer.from(await full.arrayBuffer())]).toEqual([200, BYTES]);
    expect(full.headers.get('content-disposition')).toBe('attachment; filename="focus.parquet"');
    const { headers } = bearer(TOKENS.reporting);
    const part = await ask(`/v1/reporting/${at}/focus.parquet`, {
      headers: { ...headers, range: 'bytes=5-9', 'if-range': full.headers.get('etag') ?? '' },
    });
    expect([part.status, await part.text()]).toEqual([206, 'focus']);
    const manifest = (await (await ask(`/v1/reporting/${at}`)).json()) as { tables: { name: string }[] };
    expect(manifest).toMatchObject({
      focus: {
        version: '1.2',
        row_count: 3,
        size_bytes: BYTES.length,
        sha256: sha256Hex(BYTES),
        url: `https://api.example.com/v1/reporting/snapshots/${NEW}/focus.parquet`,
      },
    });
    expect(manifest.tables.map(({ name }) => name)).not.toContain('focus');
  });

  it('has its report beside the tables, and is in no list of digests', async () => {
    const report = await ask(`/v1/reporting/snapshots/${NEW}/files/focus.json`);
    expect(await report.text()).toBe(REPORT.toString());
    expect(await (await ask(`/v1/reporting/snapshots/${NEW}/SHA256SUMS`)).text()).not.toContain('focus');
  });

  it('is refused in words for a snapshot of an older program', async () => {
    for (const [path, words] of [
      [`${OLD}/focus.parquet`, 'before it had this table'],
      [`${OLD}/focus.csv`, 'before it had this table'],
      [`${OLD}/files/focus.json`, 'before it had this file'],
    ] as const) {
      const refused = await ask(`/v1/reporting/snapshots/${path}`);
      expect([path, refused.status, await refused.text()]).toEqual([
        path,
        404,
        expect.stringContaining(words) as string,
      ]);
    }
  });

  it('is a further shared table with decimals and without a change feed', async () => {
    const [, metadata] = (await (await ask(`${TABLE}/metadata`)).text()).split('\n');
    const { metaData } = JSON.parse(metadata ?? '') as {
      metaData: { schemaString: string; configuration: object };
    };
    expect(metaData.configuration).toEqual({});
    const { fields } = JSON.parse(metaData.schemaString) as { fields: { name: string; type: string }[] };
    expect(fields[0]).toMatchObject({ name: 'BilledCost', type: 'decimal(18,2)' });
    const { headers } = bearer(TOKENS.reporting);
    const query = { method: 'POST', body: '{}', headers: { ...headers, 'content-type': 'application/json' } };
    const [, , line] = (await (await ask(`${TABLE}/query`, query)).text()).split('\n');
    const { file } = JSON.parse(line ?? '') as { file: { url: string; size: number; stats: string } };
    expect([file.size, JSON.parse(file.stats)]).toEqual([BYTES.length, { numRecords: 3 }]);
    const linked = await ask(new URL(file.url).pathname, { headers: {} });
    expect(Buffer.from(await linked.arrayBuffer())).toEqual(BYTES);
    const changes = await ask(`${TABLE}/changes?startingVersion=1`);
    expect([changes.status, await changes.text()]).toEqual([
      400,
      expect.stringContaining('Read the changes of costs') as string,
    ]);
    const old = await ask(`${TABLE}/metadata?version=1`);
    expect([old.status, await old.text()]).toEqual([
      400,
      expect.stringContaining('before it had the table focus') as string,
    ]);
  });
});
