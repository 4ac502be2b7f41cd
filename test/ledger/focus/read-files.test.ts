import { describe, expect, it } from 'vitest';
import { shownUnits } from '../../../src/ledger/focus/decimals.ts';
import { type Charge, charges } from './bills.ts';
import { FORMS, type WasRead, readForm } from './forms.ts';

/** The column, the line and the reason of each fault. */
const reasons = ({ faults }: WasRead): readonly (readonly [string | null, number | null, string])[] =>
  faults.map(({ column, line, expected }) => [column, line, expected]);
const billed = ({ sums }: WasRead): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...sums.bills.values()].map(({ provider, billingAccount, month, total, currency }) => [
      `${provider} ${billingAccount} ${month}`,
      `${shownUnits(total)} ${currency}`,
    ]),
  );

const period = (BillingPeriodStart: string, BillingPeriodEnd: string): Charge => ({
  BillingPeriodStart,
  BillingPeriodEnd,
});

const both = (first: string, last: string): string =>
  `a billing period within one month, or of 28 to 31 days by another clock; this one is from ${first} to ${last}`;

const lower = (rows: readonly Charge[]): readonly Charge[] =>
  rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name.toLowerCase(), cell])),
  );

describe.each(FORMS)('a bill as %s', (form) => {
  it('belongs to the month that its billing period covers, by the clock of its times', async () => {
    const periods = {
      'a month': [period('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'), '2026-10'],
      'a day': [period('2026-10-31', '2026-11-01'), '2026-10'],
      'one moment': [period('2026-10-31 00:00:00', '2026-10-31 00:00:00'), '2026-10'],
      // 31 days of October in UTC+8, in which the month begins eight hours earlier; and in UTC-7.
      'UTC+8': [period('2026-09-30T16:00:00Z', '2026-10-31T16:00:00Z'), '2026-10'],
      'UTC-7': [period('2026-10-01T07:00:00Z', '2026-11-01T07:00:00Z'), '2026-10'],
      // 28 days of February in UTC+8.
      February: [period('2026-01-31T16:00:00Z', '2026-02-28T16:00:00Z'), '2026-02'],
      // October in Berlin has an hour more than 31 days: 30 September 22:00 to 31 October 23:00.
      Berlin: [period('2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'), '2026-10'],
      // 30 days from 17 October: their middle is 1 November.
      'from the 17th': [period('2026-10-17', '2026-11-16'), '2026-11'],
      'from the 16th': [period('2026-10-16', '2026-11-15'), '2026-10'],
    } as const;
    const read = await readForm(form, {
      bill: charges(
        ...Object.entries(periods).map(([BillingAccountId, [each]]) => ({ ...each, BillingAccountId })),
      ),
    });
    expect(read.faults).toEqual([]);
    expect(Object.keys(billed(read))).toEqual(
      Object.entries(periods).map(([account, [, month]]) => `Acme AI ${account} ${month}`),
    );
  });

  it('may have another currency than the bill of the same account for the month before', async () => {
    const read = await readForm(form, {
      bill: charges(
        { ...period('2026-09-01', '2026-10-01'), BilledCost: '3.00', BillingCurrency: 'USD' },
        { ...period('2026-10-01', '2026-11-01'), BilledCost: '4.00', BillingCurrency: 'EUR' },
      ),
    });
    expect(read.faults).toEqual([]);
    expect(billed(read)).toEqual({
      'Acme AI acc-1 2026-09': '3.00 USD',
      'Acme AI acc-1 2026-10': '4.00 EUR',
    });
  });

  it('is refused where its period is of no one month, or of days that do not exist', async () => {
    const exists = 'a day and a time that exist, such as 2026-10-01T00:00:00Z';
    const cases = [
      [period('2026-10-01', '2027-01-01'), 'BillingPeriodEnd', both('2026-10', '2026-12')],
      // From midnight on the first, a month ends at its end.
      [period('2026-09-01', '2026-10-02'), 'BillingPeriodEnd', both('2026-09', '2026-10')],
      [period('2026-02-01', '2026-03-01T00:00:01Z'), 'BillingPeriodEnd', both('2026-02', '2026-03')],
      // 27 and 32 days; a second less and more than a month may have.
      [
        period('2026-09-30T16:00:00Z', '2026-10-27T16:00:00Z'),
        'BillingPeriodEnd',
        both('2026-09', '2026-10'),
      ],
      [period('2026-10-20', '2026-11-16'), 'BillingPeriodEnd', both('2026-10', '2026-11')],
      [period('2026-10-20', '2026-11-21'), 'BillingPeriodEnd', both('2026-10', '2026-11')],
      [period('2026-10-20', '2026-11-20T00:00:01Z'), 'BillingPeriodEnd', both('2026-10', '2026-11')],
      [period('2026-10-20', '2026-11-16T23:59:59Z'), 'BillingPeriodEnd', both('2026-10', '2026-11')],
      // A day by another clock.
      [
        period('2026-10-31T16:00:00Z', '2026-11-01T16:00:00Z'),
        'BillingPeriodEnd',
        both('2026-10', '2026-11'),
      ],
      [
        period('2026-10-02', '2026-10-01'),
        'BillingPeriodEnd',
        'a billing period that does not end before it starts',
      ],
      [period('2026-02-29', '2026-03-01'), 'BillingPeriodStart', exists],
      [period('2026-02-01', '2026-02-30'), 'BillingPeriodEnd', exists],
      [period('2026-13-01', '2027-01-01'), 'BillingPeriodStart', exists],
      [period('2026-10-01T24:00:00Z', '2026-11-01'), 'BillingPeriodStart', exists],
      [period('1989-12-01', '1990-01-01'), 'BillingPeriodStart', 'a day of the years 1990 to 2199'],
      [
        period('2026-10-01T00:00:00+02:00', '2026-11-01'),
        'BillingPeriodStart',
        'a UTC date and time, such as 2026-10-01T00:00:00Z',
      ],
    ] as const;
    const read = await readForm(form, { bill: charges(...cases.map(([each]) => each)) });
    expect(reasons(read)).toEqual(cases.map(([, column, reason], index) => [column, index + 2, reason]));
  });

  it('has the provider of the next column where a name is empty, and never one bill of two', async () => {
    const nameless = {
      ServiceProviderName: '',
      HostProviderName: '',
      BillingAccountName: 'NULL',
      Tags: ' NULL ',
    };
    const rows = charges(
      { ...nameless, BilledCost: '10.00', ProviderName: 'Nimbus' },
      { ...nameless, BilledCost: '5.00', ProviderName: 'Acme' },
      {
        ...nameless,
        BilledCost: '2.00',
        ProviderName: ' ',
        PublisherName: 'null',
        InvoiceIssuerName: 'Issuer',
      },
      {
        ...nameless,
        BilledCost: '1.00',
        ServiceProviderName: 'NULL',
        ProviderName: '',
        PublisherName: 'Publisher',
      },
    );
    const read = await readForm(form, { bill: rows });
    expect(read.faults).toEqual([]);
    expect(billed(read)).toEqual({
      'Nimbus acc-1 2026-10': '10.00 USD',
      'Acme acc-1 2026-10': '5.00 USD',
      'Issuer acc-1 2026-10': '2.00 USD',
      'Publisher acc-1 2026-10': '1.00 USD',
    });
    expect([...read.sums.bills.values()].map(({ billingAccountName }) => billingAccountName)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    const empty = {
      ServiceProviderName: '',
      ProviderName: 'NULL',
      PublisherName: ' ',
      InvoiceIssuerName: '',
    };
    const refused = await readForm(form, {
      bill: charges(empty, { ...empty, ProviderName: 'Acme', BillingAccountId: ' ' }),
    });
    expect(reasons(refused)).toEqual([
      ['ProviderName', 2, 'the provider of the charge'],
      ['BillingAccountId', 3, 'the billing account of the charge'],
    ]);
  });

  it('is read with columns that FOCUS does not have, which are told in one line', async () => {
    const oracle = {
      Provider: 'x',
      Region: 'x',
      UsageQuantity: '1',
      oci_CompartmentId: 'x',
      Id: '7',
      Tags: '{}',
    };
    const read = await readForm(form, { reports: charges(oracle) });
    expect(read.faults).toEqual([]);
    expect(read.sums.notes).toEqual([
      `reports.${form}: did not read Provider, Region, UsageQuantity, oci_CompartmentId, Id, which FOCUS does not have`,
    ]);
    // Without its tags, a charge belongs to no initiative: a name that is nearly theirs is no column to leave out.
    const misspelled = await readForm(form, { reports: charges({ Tagss: '{}' }) });
    expect(reasons(misspelled)).toEqual([
      [
        'Tagss',
        1,
        'a column of FOCUS 1.0 to 1.4, or a name of your own that begins with x_; did you mean Tags?',
      ],
    ]);
  });

  it('is read by the names of its columns in any case', async () => {
    const rows = charges({
      x_SnapshotId: '20261101T000000Z',
      x_Team: 'support',
      ServiceProviderName: 'Nimbus',
    });
    const mapping = 'rules:\n- when: { x_Team: support }\n  initiative: Support\n';
    const read = await readForm(form, { bill: lower(rows) }, { mapping });
    expect(read.faults).toEqual([]);
    expect(read.unmatched).toEqual([]);
    expect(billed(read)).toEqual({ 'Nimbus acc-1 2026-10': '1.00 USD' });
    // An export of the account itself is refused by this column.
    expect([...read.sums.exports]).toEqual([['20261101T000000Z', 'acc-1']]);
    expect(read.sums.notes).toEqual([
      `bill.${form}: read 24 columns by a name in another case, such as billedcost as BilledCost`,
    ]);
    // Snowflake and Oracle write capitals.
    const capitals = charges({}).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name.toUpperCase(), cell])),
    );
    expect(billed(await readForm(form, { bill: capitals }))).toEqual({ 'Acme AI acc-1 2026-10': '1.00 USD' });
    const wrong = await readForm(form, { bill: lower(charges({ BilledCost: 'x' })) });
    expect(reasons(wrong)).toEqual([
      ['billedcost', 2, 'an amount in decimals with a point, of at most 30 decimals'],
    ]);
  });

  it('has what floats leave of a zero rounded to 30 decimals, and told', async () => {
    const rows = charges(
      { BilledCost: '10.5' },
      { BilledCost: '-1.1102230246251565e-16' },
      { BilledCost: '2.7755575615628914E-17' },
      { BilledCost: '1e-400' },
    );
    const read = await readForm(form, { bill: rows });
    expect(read.faults).toEqual([]);
    // 10.5 - 0.000000000000000111022302462516 (of …15.65) + 0.000000000000000027755575615629 (of …28.914), in decimals of 30.
    expect(billed(read)).toEqual({ 'Acme AI acc-1 2026-10': '10.499999999999999916733273153113 USD' });
    expect(read.sums.notes).toEqual([
      `bill.${form}: rounded 3 amounts below a ten-thousandth of a cent to 30 decimals`,
    ]);
    // 30 decimals are exact; more of them at a ten-thousandth of a cent or above are no residue.
    const thirty = `0.000001${'0'.repeat(23)}1`;
    const exact = await readForm(form, { bill: charges({ BilledCost: thirty }) });
    expect([exact.faults, exact.sums.notes]).toEqual([[], []]);
    const more = await readForm(form, { bill: charges({ BilledCost: `0.000001${'0'.repeat(24)}1` }) });
    expect(reasons(more)).toEqual([
      ['BilledCost', 2, 'an amount in decimals with a point, of at most 30 decimals'],
    ]);
  });

  it('is refused at the charge whose amount or time no ledger can have', async () => {
    // 2^53 - 1 cents are the most.
    const rows = charges(
      { BilledCost: '90071992547409.92' },
      { BilledCost: '-1e40' },
      { ChargePeriodEnd: '2026-10-32' },
      { BillingCurrency: 'usd' },
    );
    const read = await readForm(form, { bill: rows });
    expect(reasons(read)).toEqual([
      ['BilledCost', 2, 'an amount of at most 90071992547409.91'],
      ['BilledCost', 3, 'an amount of at most 90071992547409.91'],
      ['ChargePeriodEnd', 4, 'a day and a time that exist, such as 2026-10-01T00:00:00Z'],
      ['BillingCurrency', 5, 'an ISO 4217 currency such as USD'],
    ]);
  });
});

it('a double in Parquet has its residue rounded as in CSV', async () => {
  const rows = charges({ BilledCost: '10.5' }, { BilledCost: '-1.1102230246251565e-16' });
  const read = await readForm('parquet', { bill: rows }, { types: { BilledCost: 'double' } });
  expect(billed(read)).toEqual({ 'Acme AI acc-1 2026-10': '10.499999999999999888977697537484 USD' });
  expect(read.sums.notes).toHaveLength(1);
});

it('a shifted month of Parquet has the times of one in texts', async () => {
  const rows = charges(period('2026-09-30T16:00:00Z', '2026-10-31T16:00:00Z'));
  for (const type of ['timestamp', 'timestamptz', 'timestamp_ns', 'timestamp_ms']) {
    const types = { BillingPeriodStart: type, BillingPeriodEnd: type, ChargePeriodStart: type };
    const read = await readForm('parquet', { bill: rows }, { types });
    expect(Object.keys(billed(read))).toEqual(['Acme AI acc-1 2026-10']);
  }
});
