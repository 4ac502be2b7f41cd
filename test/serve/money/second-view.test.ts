/** A page that was shown reads no row when it is shown again, also of a snapshot that takes much of the caches. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import type { RowsOf } from '../../../src/snapshot/read/rows.ts';
import type { Table } from '../../../src/tables/table.ts';
import { pageAddresses, serveCompany } from './served-company.ts';

// The company has a thousandth of the rows of a large account, and so has each cache of its bytes.
vi.mock(import('../../../src/cache.ts'), async (original) => {
  const { Cache } = await original();
  class SmallCache<Key extends {}, Value> extends Cache<Key, Value> {
    constructor(options: ConstructorParameters<typeof Cache<Key, Value>>[0]) {
      super(
        options.max_bytes === undefined
          ? options
          : { ...options, max_bytes: Math.ceil(options.max_bytes / 1_000) },
      );
    }
  }
  return { Cache: SmallCache };
});

let company: Awaited<ReturnType<typeof serveCompany>>;
beforeAll(async () => {
  company = await serveCompany();
});
afterAll(() => company?.close());

/** The same reader, and what was read of rows through it. */
function counting(reader: SnapshotReader) {
  const read: string[] = [];
  const openRows = async <Of extends Table>(account_id: bigint, snapshot_id: string, table: Of) => {
    const rows = await reader.openRows(account_id, snapshot_id, table);
    const counted: RowsOf<Of>['read'] = (names, range) => {
      read.push(`${table.name}: ${names.join(' ')}`);
      return rows.read(names, range);
    };
    return { ...rows, read: counted };
  };
  return { read, snapshots: { ...reader, openRows } };
}

it('a page that was shown reads no row when it is shown again', async () => {
  const { read, snapshots } = counting(company.reader);
  const browser = await company.signedIn(snapshots);
  const again: Record<string, readonly string[]> = {};
  let first = 0;
  for (const address of pageAddresses(company.to)) {
    read.length = 0;
    const response = await browser.send(address);
    const shown = await response.text();
    // A file is sent anew to each reader who asks for it.
    if (response.headers.get('content-type')?.startsWith('text/html') !== true) continue;
    expect([address, response.status]).toEqual([address, 200]);
    first += read.length;
    read.length = 0;
    expect(await browser.page(address)).toBe(shown);
    if (read.length > 0) again[address] = [...read];
  }
  expect(again).toEqual({});
  expect(first).toBeGreaterThan(20);
});
