/**
 * Prints a bill of materials in CycloneDX: every package that runs, in the version of the lock file. `node jobs/sbom.ts`;
 * nothing is installed or asked of a registry. Exit codes: 0 done, 1 npm could not say.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const MAX_BYTES = 64 * 1024 * 1024;
const ONLY_TESTS = 'cdx:npm:package:development';

const bill = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(
    z.looseObject({ 'bom-ref': z.string(), properties: z.array(z.looseObject({ name: z.string() })) }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string() })),
});

// Asked to leave out what only tests, npm also leaves out what tests and the program share.
const { stdout } = await promisify(execFile)(
  'npm',
  ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'],
  { cwd: TOP, maxBuffer: MAX_BYTES },
);
const whole = bill.parse(JSON.parse(stdout));
const tests = new Set(
  whole.components
    .filter(({ properties }) => properties.some(({ name }) => name === ONLY_TESTS))
    .map((component) => component['bom-ref']),
);
const running = {
  ...whole,
  // npm names it after the folder that it lies in.
  metadata: { ...whole.metadata, component: { ...whole.metadata.component, name: 'crossfoot' } },
  components: whole.components.filter((component) => !tests.has(component['bom-ref'])),
  dependencies: whole.dependencies.filter(({ ref }) => !tests.has(ref)),
};
process.stdout.write(`${JSON.stringify(running, null, 2)}\n`);
