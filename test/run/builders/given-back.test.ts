/** A build gives a connection back only after its work succeeded: after an error a statement may still run on it. */
import { afterEach, expect, it, vi } from 'vitest';
import type { Client } from 'pg';
import { confirmPublishing } from '../../../src/snapshot/builder/build-moment.ts';

const end = vi.fn<() => Promise<void>>(async () => undefined);
const giveBack = vi.fn<() => Promise<void>>(async () => undefined);
afterEach(() => vi.clearAllMocks());

/** A client that answers that the account reports. */
const client = { query: async () => ({ rows: [{ reporting: true }], fields: [] }), end } as unknown as Client;

function confirm(readClocks: () => Promise<never>, signal = new AbortController().signal): Promise<bigint> {
  return confirmPublishing({ account_id: 1n, signal }, { connect: async () => client, giveBack, readClocks });
}

it('a connection whose work failed is ended, and not given back', async () => {
  await expect(confirm(async () => Promise.reject(new Error('no clock')))).rejects.toBeInstanceOf(Error);
  expect(giveBack).not.toHaveBeenCalled();
  expect(end).toHaveBeenCalledOnce();
});

it('a connection of a build that was stopped is ended', async () => {
  await expect(
    confirm(async () => Promise.reject(new Error('never')), AbortSignal.abort()),
  ).rejects.toBeInstanceOf(Error);
  expect(giveBack).not.toHaveBeenCalled();
  expect(end).toHaveBeenCalledOnce();
});
