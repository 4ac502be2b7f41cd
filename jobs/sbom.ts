/**
 * Prints a software bill of materials in CycloneDX: every package of the running program, in the version of the lock file.
 * `node jobs/sbom.ts` installs nothing and asks no registry. Exit codes: 0 done, 1 npm failed.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const ONLY_TESTS = 'cdx:npm:package:development';

const bill = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(
    z.looseObject({ 'bom-ref': z.string(), properties: z.array(z.looseObject({ name: z.string() })) }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string() })),
});

// With npm's own option to omit development packages, packages that tests and the program share would be missing.
const { stdout } = await promisify(execFile)(
  'npm',
  ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'],
  { cwd: TOP, maxBuffer: MAX_OUTPUT_BYTES },
);
const all = bill.parse(JSON.parse(stdout));
const tests = new Set(
  all.components
    .filter(({ properties }) => properties.some(({ name }) => name === ONLY_TESTS))
    .map((component) => component['bom-ref']),
);
const running = {
  ...all,
  // npm uses the name of the folder as the name of the component.
  metadata: { ...all.metadata, component: { ...all.metadata.component, name: 'crossfoot' } },
  components: all.components.filter((component) => !tests.has(component['bom-ref'])),
  dependencies: all.dependencies.filter(({ ref }) => !tests.has(ref)),
};
process.stdout.write(`${JSON.stringify(running, null, 2)}\n`);
