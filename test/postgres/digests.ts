/**
 * Builds a snapshot of the fixture company on the PostgreSQL that `CROSSFOOT_TEST_POSTGRES` names, with the whole audit,
 * and prints a line for each column: table, rows, column and its digest. Stamps of the load itself are left out.
 */
import { globSync, readFileSync } from 'node:fs';
import { decodeDigests } from '../../src/snapshot/format/stored-digests.ts';
import { openBuildHarness } from '../snapshot/builder/real-build.ts';
import { startCluster } from '../support/cluster.ts';

/** When the rows of the company were written, which differs from one load to the next. */
const STAMPS = ['updated_at'];

const cluster = await startCluster();
try {
  const harness = await openBuildHarness('template_company', cluster);
  try {
    const { outcome } = await harness.build();
    if (outcome !== 'published') throw new Error(`the build ended as ${outcome}`);
    const [file = ''] = globSync(`${harness.root}/**/digests.json`);
    for (const { name, rows, columns } of decodeDigests(readFileSync(file)).tables) {
      for (const column of columns.filter((each) => !STAMPS.includes(each.name))) {
        process.stdout.write(`${name} ${rows} ${JSON.stringify(column)}\n`);
      }
    }
  } finally {
    await harness.close();
  }
} finally {
  await cluster.stop();
}
