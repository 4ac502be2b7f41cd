import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESOURCES } from '../../src/serve/resources/all.ts';
import { type LiveCompany, openLive } from './live-company.ts';

let company: LiveCompany;
beforeAll(async () => {
  company = await openLive();
});
afterAll(() => company.close());

describe.each(RESOURCES)('the list $name', ({ name, row }) => {
  it('answers with rows of its contract in the envelope', async () => {
    const { status, body } = await company.ask(`/${name}`);
    expect(status).toBe(200);
    for (const each of (body as { data: unknown[] }).data) row.parse(each);
  });
});
