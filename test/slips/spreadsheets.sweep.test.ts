/**
 * Five sheets in the encodings, separators and spellings of their programs, with the headings of the ledger: from the file to
 * published figures, each by the commands of the documentation.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownLedger } from '../support/own-ledger.ts';

const own = ownLedger();

interface Sheet {
  readonly program: string;
  readonly table: string;
  readonly bytes: Buffer;
  /** What its user types beside the name of the file. */
  readonly options: readonly string[];
  /** What the load says of it. */
  readonly says: string;
}

const HEADER = ['source_ref', 'initiative_title', 'amount', 'currency', 'period_start', 'vendor_name'];
const lines = (separator: string, end: string, ...rows: readonly string[]): string =>
  [HEADER.join(separator), ...rows, ''].join(end);

const SHEETS: readonly Sheet[] = [
  {
    program: 'DATEV',
    table: 'cost_entries',
    bytes: Buffer.from(
      lines(
        ';',
        '\r\n',
        'D1;Mail;1.234,56;EUR;2026-03;Müller GmbH',
        'D2;Mail;-34,56;EUR;2026-03;Müller GmbH',
      ),
      'latin1',
    ),
    options: ['--encoding', 'windows-1252', '--expect', 'rows=2,EUR=1200.00'],
    says: 'cost_entries.csv: 2 rows, 1200.00 EUR in the file and in the ledger',
  },
  {
    program: 'Excel',
    table: 'cost_entries',
    bytes: Buffer.from(
      `\uFEFF${lines('\t', '\r\n', 'E1\tMail\t100.00\tUSD\t2026-03-01\t"Globex\t""AI"""', 'E2\tMail\t250.5\tUSD\t2026-03-31\tZoë')}`,
      'utf16le',
    ),
    options: ['--expect', 'rows=2,USD=350.50'],
    says: 'cost_entries.csv: 2 rows, 350.50 USD in the file and in the ledger',
  },
  {
    program: 'Google Sheets',
    table: 'cost_entries',
    bytes: Buffer.from(
      lines(',', '\r\n', 'G1,Mail,12,USD,2026-03,Acme', 'G2,Mail,13.00,USD,2026-04,Acme', ',,,,,', ',,,,,'),
    ),
    options: ['--expect', 'rows=2,USD=25.00'],
    says: 'cost_entries.csv: 2 rows, 25.00 USD in the file and in the ledger',
  },
  {
    program: 'a cloud',
    table: 'cost_entries',
    bytes: Buffer.from(
      'source_ref,initiative_title,amount,currency,period_start\nA1,Mail,40.00,USD,2026-03\nA2,Mail,9.99,USD,2026-03\n',
    ),
    options: ['--expect', 'rows=2,USD=49.99'],
    says: 'cost_entries.csv: 2 rows, 49.99 USD in the file and in the ledger',
  },
  {
    program: 'a sheet of savings',
    table: 'value_entries',
    bytes: Buffer.from(
      'source_ref,initiative_title,amount,currency,entry_type,status,period_start\nV1,Mail,"1,500.00",USD,cost_savings,approved,2026-03\nV2,Mail,500.00,USD,cost_savings,approved,2026-04\nV3,Mail,70.00,USD,cost_savings,draft,2026-04\n',
    ),
    options: ['--expect', 'rows=3,USD=2070.00'],
    says: 'value_entries.csv: 3 rows, 2070.00 USD in the file and in the ledger',
  },
];

it('five sheets as five programs write them are loaded, and published to the cent', async () => {
  const { run } = own;
  await run('account', 'add', 'Sheets', '--app-url', 'https://app.example/sheets');
  const id = await own.account();
  const account = ['--account', id];
  const given = join(own.folder(), 'given');
  await mkdir(given);
  await writeFile(join(given, 'initiatives.csv'), 'source_ref,title,stage\nM,Mail,live\n');
  await run('load', given, ...account);
  const rates = join(own.folder(), 'euro_reference_rates.csv');
  await writeFile(rates, 'day,currency,units_per_euro\n2026-03-02,USD,1.2\n');
  await run('load', rates);
  for (const { bytes, options, program, says, table } of SHEETS) {
    const sheet = join(own.folder(), program);
    await mkdir(sheet);
    await writeFile(join(sheet, `${table}.csv`), bytes);
    expect(await run('load', sheet, ...account, '--source', program, ...options)).toContain(says);
  }
  await run('build', ...account);
  const cell = await own.totals(id);
  // Euros at 1.2: 1,234.56 are 1,481.47 and -34.56 are -41.47, which are 1,440.00. With 350.50, 25.00 and 49.99 they are
  // 1,865.49. The approved savings of 2,000.00 leave 134.51; the draft of 70.00 is in no total.
  expect([cell('cost_cents'), cell('net_value_cents')]).toEqual(['186549', '13451']);
});
