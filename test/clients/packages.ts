/** The pinned packages of the clients: Python environments, the class path of Spark's connector, and a package of dbt. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const LONGEST_MS = 600_000;
const PACKAGES = join(import.meta.dirname, 'packages');
/** The version is named here because dbt has no registry that npm, pip or Maven knows. */
const DBT_UTILS = '1.4.1';

/** What was made, or a sentence about what this machine lacks. */
export type Made = { readonly path: string } | { readonly missing: string };

/** An environment of this Python with the packages of `packages/{name}.txt`; the path is that of its programs. */
export function makePython(name: string, folder: string, python = 'python3'): Made {
  const made = spawnSync(python, ['-m', 'venv', folder], { encoding: 'utf8', timeout: LONGEST_MS });
  if (made.status !== 0) {
    return { missing: `${python} with the module venv is missing: install Python 3.11 or newer.` };
  }
  const path = join(folder, 'bin');
  const list = join(PACKAGES, `${name}.txt`);
  const args = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check', '-r', list];
  const { status, stderr } = spawnSync(join(path, 'python'), args, { encoding: 'utf8', timeout: LONGEST_MS });
  if (status === 0) return { path };
  return { missing: `The packages of ${list} cannot be had: ${lastLine(stderr)}` };
}

/** The jars of Spark's connector, from Maven or from the folder that DELTA_SHARING_JARS names; the path lists them. */
export function makeClassPath(folder: string): Made {
  if (spawnSync('java', ['-version']).status !== 0) {
    return { missing: 'Spark needs Java: install a Java runtime, 17 or newer.' };
  }
  const own = process.env['DELTA_SHARING_JARS'];
  if (own !== undefined) return jarsIn(resolve(own));
  const pom = join(PACKAGES, 'pom.xml');
  const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const { status, stdout } = spawnSync('mvn', [...args, '-DincludeScope=runtime'], {
    encoding: 'utf8',
    timeout: LONGEST_MS,
  });
  if (status === 0) return jarsIn(folder);
  const why = stdout?.split('\n').find((line) => line.includes('ERROR')) ?? 'there is no mvn';
  return {
    missing: `The packages of ${pom} cannot be had: ${why}. Set DELTA_SHARING_JARS to a folder with them.`,
  };
}

function jarsIn(folder: string): Made {
  const jars = readdirSync(folder).filter((name) => name.endsWith('.jar'));
  if (jars.length === 0) return { missing: `${folder} has no jar.` };
  return { path: jars.map((name) => join(folder, name)).join(',') };
}

/** Makes a project of dbt with the package dbt_utils, from dbt's hub or from the folder that DBT_UTILS names. */
export function installDbtUtils(project: string, dbt: string): Made {
  const own = process.env['DBT_UTILS'];
  const from =
    own === undefined ? `package: dbt-labs/dbt_utils\n    version: ${DBT_UTILS}` : `local: ${resolve(own)}`;
  mkdirSync(project, { recursive: true });
  const about = 'name: clients\nversion: "1.0"\nconfig-version: 2\nprofile: clients\n';
  writeFileSync(join(project, 'dbt_project.yml'), about);
  writeFileSync(join(project, 'packages.yml'), `packages:\n  - ${from}\n`);
  const { status, stdout } = spawnSync(
    dbt,
    ['deps', '--no-send-anonymous-usage-stats', '--profiles-dir', '.'],
    {
      cwd: project,
      encoding: 'utf8',
      timeout: LONGEST_MS,
    },
  );
  if (status === 0) return { path: project };
  return {
    missing: `dbt_utils ${DBT_UTILS} cannot be had: ${lastLine(stdout ?? '')}. Set DBT_UTILS to a folder with it.`,
  };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
