import { describe, expect, it } from 'vitest';
import { addressesOf, routePatterns, strangersAsk } from './asked-addresses.ts';

const ACCOUNT = { token: '', cookie: '', snapshots: ['20261120T020000Z', '20261119T020000Z'] } as const;

describe('the list of requested addresses', () => {
  it('has every route of the application, without a parameter left', () => {
    const asked = strangersAsk(ACCOUNT, '101');
    const routes = new Set(asked.map(({ route }) => route));
    expect(routePatterns().filter((route) => !routes.has(route))).toEqual([]);
    expect(
      asked.filter(({ path }) => /[:{\\]/.test(path.split('?')[0] ?? '')).map(({ path }) => path),
    ).toEqual([]);
  });

  it('has each value of a parameter, and refuses a parameter without a value', () => {
    const values = { table: ['costs', 'budgets'], id: ['1'] };
    expect(addressesOf('/a/:id/:table{[a-z_]+\\.csv}', values)).toEqual([
      '/a/1/costs.csv',
      '/a/1/budgets.csv',
    ]);
    expect(() => addressesOf('/a/:other', values)).toThrow('no value for :other of /a/:other');
  });
});
