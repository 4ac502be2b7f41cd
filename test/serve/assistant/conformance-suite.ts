/** The official conformance suite, run against the assistant on a port of this machine. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { TOOLS } from '../../../src/serve/assistant/all.ts';
import { excusesOf, type Revision } from './conformance-excuses.ts';
import { DIAGNOSTIC_TOOLS } from './diagnostic-tools.ts';
import { openServer } from './open-server.ts';

/** What the suite said of the scenarios that a revision requires. */
export interface Verdict {
  /** Scenarios, also such as no revision requires. */
  readonly passed: readonly string[];
  /** Whether all that failed is excused, and all that is excused failed. */
  readonly asExpected: boolean;
  readonly output: string;
}

/** Runs the scenarios of a revision at its own wire version. */
export async function runSuite(revision: Revision): Promise<Verdict> {
  const [server, folder] = await Promise.all([
    openServer([...TOOLS, ...DIAGNOSTIC_TOOLS]),
    mkdtemp(join(tmpdir(), 'crossfoot-conformance-')),
  ]);
  try {
    const baseline = join(folder, 'excused.yml');
    await writeFile(
      baseline,
      `server:\n${excusesOf(revision)
        .map((name) => `  - ${name}\n`)
        .join('')}`,
    );
    const url = `http://127.0.0.1:${server.port}/mcp`;
    const given = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline];
    const suite = spawn('conformance', given, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve, reject) => {
      suite.once('error', reject);
      suite.once('close', resolve);
    });
    const [output, faults, code] = await Promise.all([text(suite.stdout), text(suite.stderr), ended]);
    return {
      passed: passedIn(output),
      asExpected: code === 0,
      output: output + faults,
    };
  } finally {
    await server.close(0);
    await rm(folder, { recursive: true });
  }
}

/** The scenarios that the summary ticks off. */
function passedIn(output: string): readonly string[] {
  const [, summary = ''] = output.split('=== SUMMARY ===');
  return [...summary.matchAll(/^✓ ([^:]+):/gm)].map(([, name = '']) => name);
}
