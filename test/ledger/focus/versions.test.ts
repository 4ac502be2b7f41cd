/** The version of FOCUS that a file has is told by any column that the version added, the newest first. */
import { expect, it } from 'vitest';
import { MANDATORY_COLUMNS } from '../../../src/focus/columns.ts';
import { versionOf } from '../../../src/ledger/focus/versions.ts';

const NAMED = [...MANDATORY_COLUMNS, 'ServiceProviderName'];

it.each([
  ['1.0', []],
  ['1.1', ['CapacityReservationId']],
  ['1.1', ['SkuPriceDetails']],
  ['1.2', ['InvoiceId']],
  ['1.2', ['SubAccountType', 'SkuMeter']],
])('a file is of version %s with the columns %j', (version, added) => {
  expect(versionOf([...MANDATORY_COLUMNS, ...added], ['Tags'])).toEqual({
    version,
    unknown: [],
    incomplete: null,
  });
});

it.each([
  ['1.3', ['ServiceProviderName']],
  ['1.3', ['AllocatedTags']],
  ['1.3', ['HostProviderName', 'InvoiceId', 'SkuMeter']],
  ['1.4', ['InvoiceDetailId']],
  ['1.4', ['CommitmentProgramEligibilityDetails', 'AllocatedTags']],
])('a file of version %s with the columns %j needs no ProviderName', (version, added) => {
  const bare = NAMED.filter((column) => !['ProviderName', 'PublisherName'].includes(column));
  const columns = [...new Set([...bare, ...added])];
  expect(versionOf(columns, ['Tags'])).toEqual({ version, unknown: [], incomplete: null });
});

it('a file of version 1.3 or newer without ServiceProviderName is refused', () => {
  for (const added of ['AllocatedTags', 'InvoiceDetailId'])
    expect(versionOf([...MANDATORY_COLUMNS, added], ['Tags'])).toMatchObject({
      faults: [{ column: 'ServiceProviderName' }],
    });
});
