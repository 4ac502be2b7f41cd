import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LoadFault } from '../../../src/ledger/staging/faults.ts';
import { rejectedRows } from '../../../src/ledger/load/rejects.ts';
import { openInputs } from '../../../src/ledger/sources/inputs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-rejects-'));
});
afterEach(() => rm(folder, { recursive: true }));

const fault = (file: string, line: number | null, column: string | null): LoadFault => ({
  file,
  line,
  column,
  value: null,
  expected: 'more',
});

it('the rejected rows have every fault of every file in order, with the cells under the columns of all files', async () => {
  await writeFile(
    join(folder, 'users.csv'),
    'email,name\na@x.org,Ada\nb@x.org,"Bob, the\nbuilder"\nc@x.org,Cy\n',
  );
  await writeFile(join(folder, 'vendors.csv'), 'name,site\nAcme,acme.org\n');
  const faults = [
    fault('users.csv', null, null),
    fault('users.csv', 1, 'nam'),
    fault('users.csv', 3, 'email'),
    fault('users.csv', 3, 'name'),
    fault('users.csv', 5, 'name'),
    fault('users.csv', 9, null),
    fault('vendors.csv', 2, 'site'),
    fault('workspaces.csv', null, 'id'),
  ];
  const lines = await Array.fromAsync(rejectedRows(await openInputs([folder], {}), faults));
  const reason = '"empty, expected more"';
  expect(lines).toEqual([
    'file,line,column,reason,email,name,site\n',
    `users.csv,,,${reason},,,\n`,
    `users.csv,1,nam,${reason},,,\n`,
    `users.csv,3,email,${reason},b@x.org,"Bob, the\nbuilder",\n`,
    `users.csv,3,name,${reason},b@x.org,"Bob, the\nbuilder",\n`,
    `users.csv,5,name,${reason},c@x.org,Cy,\n`,
    `users.csv,9,,${reason},,,\n`,
    `vendors.csv,2,site,${reason},,Acme,acme.org\n`,
    `workspaces.csv,,id,${reason},,,\n`,
  ]);
});

it.each([
  ['user_emails.csv', 'user_id,email', '7,a@x.org'],
  ['connection_secrets.csv', 'account_id,connection_id,credentials,settings', '1,7,hunter2,{}'],
  ['document_contents.csv', 'account_id,document_id,url,content', '1,7,https://x.org,abc'],
])('a rejected row of %s shows its keys alone', async (name, header, row) => {
  await writeFile(join(folder, name), `${header}\n${row}\n`);
  const lines = await Array.fromAsync(
    rejectedRows(await openInputs([folder], {}), [fault(name, 2, header.split(',').at(-1) ?? null)]),
  );
  const columns = header.split(',');
  const shown = row
    .split(',')
    .map((cell, at) => (columns[at]?.endsWith('id') === true ? cell : '(not shown)'));
  expect(lines[1]).toBe(`${name},2,${columns.at(-1)},"empty, expected more",${shown.join(',')}\n`);
});
