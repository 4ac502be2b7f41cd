/** The bill of materials of the product, as a person needs it who answers an advisory. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.object({ name: z.string(), version: z.string(), purl: z.string() })),
});
const { dependencies, devDependencies } = z
  .object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(`${TOP}package.json`, 'utf8')));
const lock = z
  .object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })
  .parse(JSON.parse(readFileSync(`${TOP}package-lock.json`, 'utf8')));

it('A-40: npm run sbom lists every package of the running program in its locked version, and no package of the tests', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: TOP,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { components } = bill.parse(JSON.parse(stdout));
  const names = new Set(components.map(({ name }) => name));
  const packages = new Set(components.map(({ name, version }) => `${name} ${version}`));
  const locked = Object.keys(dependencies).map(
    (name) => `${name} ${lock.packages[`node_modules/${name}`]?.version}`,
  );
  expect(locked.filter((each) => !packages.has(each))).toEqual([]);
  // Libraries that run bring the types of Node along.
  const tests = Object.keys(devDependencies).filter((name) => name !== '@types/node');
  expect(tests.filter((name) => names.has(name))).toEqual([]);
  expect(components.length).toBeGreaterThan(Object.keys(dependencies).length);
});
