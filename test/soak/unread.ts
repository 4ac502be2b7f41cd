/**
 * `npm run campaign -- unread --connections 100 --requests 50 --megabytes 2 --json`: each connection sends so many
 * downloads at once and reads none. Prints how much memory the server has at rest, while no client reads, and after all
 * have gone; exits 1 when it held more than MAX_MEGABYTES above its size at rest.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { portOf } from '../bench/served-account.ts';
import { TOKENS } from '../serve/fake-parts.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '100' },
    requests: { type: 'string', default: '50' },
    megabytes: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});
const [connections, requests] = [Number(values.connections), Number(values.requests)];
const MAX_MEGABYTES = 192;
const LOOK_MS = 100;
/** The size has settled when this many looks did not find a larger one. */
const SETTLED_LOOKS = 50;
const REQUEST = `GET /v1/reporting/latest/costs.parquet HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKENS.personal}\r\n\r\n`;

async function megabytesOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Looks until the size has settled; gives all that was seen. */
async function watch(child: ChildProcess): Promise<readonly number[]> {
  const curve: number[] = [];
  let highest = 0;
  for (let looks = 0; looks < SETTLED_LOOKS; looks += 1) {
    const megabytes = await megabytesOf(child);
    curve.push(megabytes);
    if (megabytes > highest + 1) [highest, looks] = [megabytes, 0];
    await sleep(LOOK_MS);
  }
  return curve;
}

async function unread(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.pause();
  socket.write(REQUEST.repeat(requests));
  return socket;
}

const folder = await mkdtemp(join(tmpdir(), 'crossfoot-unread-'));
const program = fileURLToPath(new URL('unread-server.ts', import.meta.url));
const size = String(Number(values.megabytes) * 1024 * 1024);
const child = spawn(process.execPath, [program, folder, values.connections, size], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const port = await portOf(child);
  const rest = Math.min(...(await watch(child)));
  const sockets = await Promise.all(Array.from({ length: connections }, () => unread(port)));
  const curve = await watch(child);
  for (const socket of sockets) socket.destroy();
  const after = (await watch(child)).at(-1) ?? 0;
  const peak = Math.max(...curve);
  const figures = { rest, peak, above_rest: peak - rest, after };
  if (values.json) process.stdout.write(`${JSON.stringify({ ...figures, curve })}\n`);
  else {
    const asked = `${values.connections} connections, ${values.requests} unread downloads of ${values.megabytes} MB each`;
    process.stdout.write(`${asked}\n`);
    for (const [name, megabytes] of Object.entries(figures)) {
      process.stdout.write(`${name} ${megabytes.toFixed(0)} MB\n`);
    }
    // One figure a second is enough to see the form.
    const seconds = curve.filter((_, look) => look % (1000 / LOOK_MS) === 0);
    process.stdout.write(`curve ${seconds.map((megabytes) => megabytes.toFixed(0)).join(' ')} MB\n`);
  }
  process.exitCode = peak - rest > MAX_MEGABYTES ? 1 : 0;
} finally {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  await rm(folder, { recursive: true, force: true });
}
