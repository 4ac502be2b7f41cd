/** What others say of the assistant: the protocol's official conformance suite, and its inspector. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/serve/assistant/all.ts';
import { EXCUSES, REVISIONS } from './conformance-excuses.ts';
import { runSuite } from './conformance-suite.ts';
import { openServer } from './open-server.ts';

const run = promisify(execFile);

describe.each(REVISIONS)('the official suite for %s', (revision) => {
  it('passes but for the excused checks, which could not pass', async () => {
    const { passed, asExpected, output } = await runSuite(revision);
    expect(asExpected ? '' : output).toBe('');
    expect(passed).toEqual(
      expect.arrayContaining(['tools-list', 'tools-call-simple-text', 'tools-call-error']),
    );
    expect(passed).toEqual(
      expect.arrayContaining([
        'prompts-list',
        'prompts-get-simple',
        'resources-list',
        'resources-read-text',
        'completion-complete',
      ]),
    );
    expect(passed).toContain('dns-rebinding-protection');
  });
});

it('the server advertises tools, prompts, resources and completions, and no other capability', async () => {
  const server = await openServer();
  try {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a client', version: '1' },
      },
    };
    const response = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
    });
    const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? [];
    const { result } = JSON.parse(data) as { result: { capabilities: Record<string, unknown> } };
    expect(result.capabilities).toEqual({
      tools: { listChanged: false },
      prompts: { listChanged: false },
      resources: { listChanged: false },
      completions: {},
    });
    expect(EXCUSES.filter(({ capability }) => capability in result.capabilities)).toEqual([]);
  } finally {
    await server.close(0);
  }
});

it('the inspector lists the server without a fault of any schema', async () => {
  const [server, folder] = await Promise.all([openServer(), mkdtemp(join(tmpdir(), 'crossfoot-inspector-'))]);
  try {
    const url = `http://127.0.0.1:${server.port}/mcp`;
    const given = ['--cli', url, '--transport', 'http', '--method', 'tools/list', '--strict'];
    // The client keeps a catalogue in the home folder of its user.
    const { stdout } = await run('mcp-inspector', given, { env: { ...process.env, HOME: folder } });
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  } finally {
    await server.close(0);
    await rm(folder, { recursive: true });
  }
});
