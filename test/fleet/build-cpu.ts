/** What one build costs the machine it runs on: the CPU time of its process, as the shell counts it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TOP = fileURLToPath(new URL('../../', import.meta.url));

/** Builds the account in a process of its own and gives its CPU seconds, all threads together. */
export async function buildCpuSeconds(
  account: bigint,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const command = `TIMEFORMAT='%U %S'; time "${process.execPath}" jobs/build.ts ${account} 2>/dev/null`;
  const { stderr } = await promisify(execFile)('bash', ['-c', command], { cwd: TOP, env: { ...env } });
  // Whatever the shell's own start has to say comes before.
  const [user = NaN, system = NaN] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return user + system;
}
