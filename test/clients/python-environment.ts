/** A Python of its own for the clients of the matrix, with the versions of `requirements.txt`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const LONGEST_MS = 600_000;
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/** The path of the Python in `folder`, or a sentence about what is missing on this machine. */
export function makePython(folder: string): { readonly python: string } | { readonly missing: string } {
  const made = spawnSync('python3', ['-m', 'venv', folder], { encoding: 'utf8', timeout: LONGEST_MS });
  if (made.status !== 0) {
    return { missing: 'python3 with the module venv is missing: install Python 3.11 or newer.' };
  }
  const python = join(folder, 'bin', 'python');
  const args = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check'];
  const installed = spawnSync(python, [...args, '-r', REQUIREMENTS], {
    encoding: 'utf8',
    timeout: LONGEST_MS,
  });
  if (installed.status === 0) return { python };
  const [last = ''] = installed.stderr.trim().split('\n').slice(-1);
  return { missing: `The packages of ${REQUIREMENTS} cannot be had, so no client was tried: ${last}` };
}
