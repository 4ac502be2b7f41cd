/** The gateway that was started for this run: it may be killed, and started again on what it had stored. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A gateway, its storage and their monitor may take their time after a kill. */
const STEP_MS = 300_000;

async function step(name: 'crash' | 'start'): Promise<void> {
  const starter = process.env['S3_STARTER'];
  if (starter === undefined) throw new Error('this run has no gateway of its own');
  await promisify(execFile)(starter, [name], { timeout: STEP_MS });
}

/** Ends the gateway and its storage with kill -9. */
export const crashGateway = (): Promise<void> => step('crash');

/** Starts them again, and waits until they answer. */
export const restartGateway = (): Promise<void> => step('start');
