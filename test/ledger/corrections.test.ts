/** A ledger with rows from before `996-corrections.sql` migrates, and its rows then keep the rules. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { migrate } from '../../src/ledger/migrate.ts';
import { SCHEMA_FOLDER } from '../../src/ledger/schema-folder.ts';
import { createDatabase } from '../support/database.ts';
import { foundAccount, insert } from '../support/ledger-rows.ts';

it("a time study's reading from before loses its recorder and keeps its value", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-corrections-'));
  const database = await createDatabase('template0');
  try {
    // The ledger as it was: without the files from 996 on.
    await cp(SCHEMA_FOLDER, folder, {
      recursive: true,
      filter: (path) => !/^99[6-9]-/.test(basename(path)),
    });
    const admin = await database.admin();
    await admin.query(`grant create on database ${database.name} to cf_owner`);
    await migrate({ adminUrl: database.adminUrl, folder });
    const owner = await database.client('cf_owner');
    const home = await foundAccount(owner);
    const metric_id = await insert(owner, 'ledger.metrics', {
      account_id: home.account,
      metric_key: 'm',
      name: 'M',
    });
    const reading = {
      account_id: home.account,
      metric_id,
      value: 5,
      role: 'reading',
      recorded_by_id: home.person,
    };
    const studied = await insert(owner, 'ledger.observations', { ...reading, source_type: 'time_study' });
    const manual = await insert(owner, 'ledger.observations', { ...reading, source_type: 'manual' });
    await migrate({ adminUrl: database.adminUrl, folder: SCHEMA_FOLDER });
    const { rows } = await owner.query(
      'select id, value, recorded_by_id from ledger.observations order by id',
    );
    expect(rows).toEqual([
      { id: studied, value: 5, recorded_by_id: null },
      { id: manual, value: 5, recorded_by_id: home.person },
    ]);
  } finally {
    await database.drop();
    await rm(folder, { recursive: true });
  }
});
