/** A program that npm may start: says which process is its parent, again and again, and ends when its npm has ended. */
import { once } from 'node:events';
import { runJob } from '../../src/run/job.ts';
import { watchNpm } from '../../src/run/npm-parent.ts';

const say = (): void => void process.stdout.write(`${process.pid} below ${process.ppid}\n`);
const onEnded = (): void => process.exit(0);

if (process.argv[2] === 'job') {
  // As the jobs do, which may wait for a database.
  const job = runJob({ failed: 'rates.failed', env: process.env }, async ({ signal }) => {
    await once(signal, 'abort');
  });
  void job.then(onEnded);
} else {
  watchNpm({ env: process.env, onEnded });
}
setInterval(say, 100);
say();
