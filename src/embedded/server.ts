/** Starts one run of the embedded PostgreSQL server, waits until it is ready, and stops it without leaving a process. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CrossfootError } from '../errors.ts';
import { CHILD_ENVIRONMENT, type Launcher } from './binaries.ts';
import { processCommand, processEnded, sendSignal } from '../processes.ts';

const POLL_MS = 20;
// Replaying the log after a crash may take minutes on a slow disk.
const START_LIMIT_MS = 300_000;
// The whole program must stop within 5 s. A fast shutdown with its checkpoint gets 3.5 s of them; then an immediate shutdown
// follows. An immediate shutdown loses no data, because the next start replays the log.
const FAST_STOP_MS = 3_500;
const IMMEDIATE_STOP_MS = 10_000;
// Temporary failures: another program took the port between our check and the start, or the sessions of a killed server
// still use its shared memory.
const PASSING_FAILURE = /could not bind|Address already in use|pre-existing shared memory/;
const ATTEMPTS = 30;
const RETRY_MS = 300;
/** The line of postmaster.pid with the port, counted from 0. */
const PORT_LINE = 3;
const ORPHAN_POLLS_MS = 60_000;

export interface ServerSettings {
  readonly folder: string;
  readonly data: string;
  readonly postgres: string;
  readonly launch: Launcher;
  /** Server settings by name. They are command-line arguments, so that a new version of this program can change them. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface Server {
  readonly port: number;
  /** Resolves when its process has ended, for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

interface Again {
  /** The port that the clients use. */
  readonly port: number;
  readonly signal: AbortSignal;
}

/** Starts the server on a free loopback port, or on the port of `again`, and waits until it accepts connections. */
export async function startServer(wanted: ServerSettings, again?: Again): Promise<Server> {
  // Keep the log of the earlier run, which says why it ended.
  if (again !== undefined) await rename(logFile(wanted), `${logFile(wanted)}.1`).catch(() => undefined);
  for (let attempt = 1; ; attempt += 1) {
    again?.signal.throwIfAborted();
    const port = again?.port ?? (await freePort());
    const child = await spawnServer(wanted, port);
    const exited = once(child, 'exit').then(() => undefined);
    if (await becameReady(child, wanted.data, again?.signal)) {
      return serverOf(child.pid ?? 0, port, exited);
    }
    if (again?.signal.aborted === true) await stopProcess(child.pid ?? 0);
    again?.signal.throwIfAborted();
    const log = await readFile(logFile(wanted), 'utf8');
    // The log of a server that was killed does not say so.
    const mayPass = PASSING_FAILURE.test(log) || child.signalCode === 'SIGKILL';
    if (attempt === ATTEMPTS || !mayPass) {
      throw new CrossfootError('embedded_failed', `PostgreSQL did not start: ${fatalLine(log)}`, {
        hint: `The whole log is in ${logFile(wanted)}.`,
        data: { exit: child.exitCode, signal: child.signalCode },
      });
    }
    await sleep(RETRY_MS);
  }
}

/**
 * The server that still runs after the program that started it died; null if none does. Deletes the pid file of an ended
 * server.
 */
export async function findOrphan(data: string): Promise<Server | null> {
  const mark = join(data, 'postmaster.pid');
  const lines = (await readFile(mark, 'utf8').catch(() => '')).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0)) return null;
  // The process id may belong to another program by now; with the old pid file PostgreSQL would then never start.
  if (await isServerOf(pid, data)) return serverOf(pid, Number(lines[PORT_LINE]), endOf(pid));
  await rm(mark, { force: true });
  return null;
}

/** Resolves when a process that is not our child has ended. */
async function endOf(pid: number): Promise<void> {
  while (!(await processEnded(pid, ORPHAN_POLLS_MS)));
}

async function isServerOf(pid: number, data: string): Promise<boolean> {
  return (await processCommand(pid))?.includes(`-D ${data} `) ?? false;
}

async function spawnServer(wanted: ServerSettings, port: number): Promise<ChildProcess> {
  const settings = { ...wanted.settings, port: String(port) };
  const [program, args] = wanted.launch(wanted.postgres, [
    '-D',
    wanted.data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  // Log to a file, not to a pipe: the server must be able to write after our process has ended.
  await using log = await open(logFile(wanted), 'w', 0o600);
  // Detached, because Ctrl-C goes to our whole process group, and the server must stop after its clients.
  const options = { env: CHILD_ENVIRONMENT, detached: true, cwd: wanted.folder };
  const child = spawn(program, args, { ...options, stdio: ['ignore', log.fd, log.fd] });
  await once(child, 'spawn');
  // A running server must not keep our process alive.
  child.unref();
  return child;
}

/** The server writes its state as the eighth line of postmaster.pid; the first is its process id. */
async function becameReady(child: ChildProcess, data: string, signal?: AbortSignal): Promise<boolean> {
  for (let waited = 0; waited < START_LIMIT_MS; waited += POLL_MS) {
    if (hasEnded(child) || signal?.aborted === true) return false;
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return true;
    await sleep(POLL_MS);
  }
  child.kill('SIGQUIT');
  return false;
}

function serverOf(pid: number, port: number, ended: Promise<void>): Server {
  // Stop the server also if the program exits without `stop`. After kill -9, `findOrphan` of the next start finds it.
  const lastResort = (): void => void sendSignal(pid, 'SIGINT');
  process.once('exit', lastResort);
  let runs = true;
  const untilEnded = (async (): Promise<void> => {
    await ended;
    runs = false;
    process.removeListener('exit', lastResort);
  })();
  return {
    port,
    ended: untilEnded,
    async stop() {
      if (runs) await stopProcess(pid);
    },
  };
}

/** SIGINT is PostgreSQL's fast shutdown (sessions are ended, a checkpoint is written), SIGQUIT the immediate one. */
async function stopProcess(pid: number): Promise<void> {
  sendSignal(pid, 'SIGINT');
  if (await processEnded(pid, FAST_STOP_MS)) return;
  sendSignal(pid, 'SIGQUIT');
  if (await processEnded(pid, IMMEDIATE_STOP_MS)) return;
  throw new CrossfootError('embedded_failed', `PostgreSQL (process ${pid}) does not stop.`, {
    hint: `End process ${pid} by hand. No data is lost.`,
    data: { pid },
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo; // A listening TCP socket has one.
  probe.close();
  await once(probe, 'close');
  return port;
}

function logFile({ folder }: ServerSettings): string {
  return join(folder, 'server.log');
}

function fatalLine(log: string): string {
  const lines = log.trim().split('\n');
  return lines.find((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? 'it said nothing';
}
