/** An example answer of each operation: the company of the fixtures on 15 July 2026. */
import { dataPackage } from '../../warehouse/data-package.ts';
import figures from './examples/figures.json' with { type: 'json' };
import reporting from './examples/reporting.json' with { type: 'json' };

const { snapshot_id, generated_at, tables } = reporting.get_snapshot;
const schema = dataPackage();

/** The server of the examples. */
export const EXAMPLE_ORIGIN = 'http://127.0.0.1:8787';

/** The example body of each operation with a JSON answer, by operation id. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...figures,
  ...reporting,
  // One table shows the form of all; a manifest of two tables makes a package of two.
  get_data_package: { ...schema, resources: schema.resources.slice(0, 1) },
  get_snapshot_data_package: dataPackage({ snapshot_id, generated_at, tables }),
};
