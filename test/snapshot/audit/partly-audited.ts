/**
 * Builds that are audited by three checks only: by as much as tells a whole file from a short one, in a tenth of the
 * time. For tests in which it is not the audit that goes wrong, and whose snapshots have no reader: a house rule keeps
 * these snapshots from pages and routes, which show the checks that passed and the windows that the audit found.
 */
import type { SqlScript } from '../../../src/sql-scripts.ts';
import type { Cluster } from '../../support/cluster.ts';
import type { Template } from '../../support/database.ts';
import { chosen, readChecks } from './audited-files.ts';
import { type BuildHarness, openBuildHarness } from '../builder/real-build.ts';

async function partOfAudit(): Promise<readonly SqlScript[]> {
  return chosen(await readChecks(), ['05-list-rows', '10-check-structure', '12-check-keys']);
}

export async function openPartlyAudited(template?: Template, cluster?: Cluster): Promise<BuildHarness> {
  return openBuildHarness(template, cluster, await partOfAudit());
}
