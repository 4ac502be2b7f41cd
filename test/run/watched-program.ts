/** A program that npm may start: says which process is its parent, again and again, and ends when its npm has ended. */
import { watchNpm } from '../../src/run/npm-parent.ts';

const say = (): void => void process.stdout.write(`${process.pid} below ${process.ppid}\n`);

watchNpm({ env: process.env, onEnded: () => process.exit(0) });
setInterval(say, 100);
say();
