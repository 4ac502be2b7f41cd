/**
 * `npm run campaign -- alerts`: the alert rules evaluated on recorded metrics, by Prometheus' own promtool (Debian's
 * package prometheus), or the one that `PROMTOOL` names. Exits 2 with a sentence where there is none.
 */
import { spawnSync } from 'node:child_process';

const PROMTOOL = process.env['PROMTOOL'] ?? 'promtool';
const RUNS = [
  ['check', 'rules', 'deploy/alerts.yml'],
  ['test', 'rules', 'test/alerts/recorded.yml'],
];

for (const args of RUNS) {
  const { error, status } = spawnSync(PROMTOOL, args, {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 60_000,
  });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    process.stderr.write('promtool is not installed: apt-get install prometheus, or set PROMTOOL.\n');
    process.exit(2);
  }
  if (status !== 0) process.exit(1);
}
