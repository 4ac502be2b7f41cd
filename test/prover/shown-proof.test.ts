/** How a proof is shown, and what the worker of the page answers to its messages, without a browser. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Element } from '../../src/prover/browser.ts';
import type { WorkerAnswer, Request } from '../../src/prover/messages.ts';
import { proofElements } from '../../src/prover/proof-elements.ts';
import type { Proof } from '../../src/prover/prove.ts';
import { reportText } from '../../src/prover/report.ts';
import { missingHere } from '../../src/prover/signatures.ts';

afterEach(() => void vi.unstubAllGlobals());

/** On a machine that does much else, an answer takes its time. */
const PATIENCE = { timeout: 60_000 };

const ended = { checked_at: '2026-07-16T08:00:00.000Z', page: 'https://api.example.com' };
const part = (outcome: 'proven' | 'unsigned' | 'refused' | 'unchecked', differences = 0) => ({
  title: 'Totals',
  outcome,
  text: 'What was checked.',
  findings: Array.from({ length: differences }, (_, at) => ({
    where: `place ${at + 1}`,
    expected: '1',
    found: '2',
  })),
});
const window = {
  window_kind: 'all_time',
  window_key: 'all',
  window_label: 'All time',
  from_date: null,
  through_date: 1,
  window_complete: false,
  cash_value_cents: 123_456_789n,
  freed_capacity_cents: 5n,
  cost_cents: -1_005n,
  net_value_cents: 0n,
  roi: -0.12345,
  capex_cents: null,
  opex_cents: 100n,
  vendor_price_effect_cents: null,
};

const proof = (outcome: Proof['outcome'], parts: Proof['parts'], more = 0): Proof => ({
  snapshot_id: '20260715T020000Z',
  outcome,
  parts,
  totals: {
    entries: 1,
    windows: 1,
    portfolio: [{ expected: window, differs: ['roi'] }],
    differences: [],
    more,
  },
  files: [{ name: 'costs.parquet', size_bytes: 4, sha256: 'a'.repeat(64) }],
});

/** The text of the elements of a proof, one line for each element that holds text. */
function textOf(shown: Proof): readonly string[] {
  const lines: string[] = [];
  const make = (): Element => {
    const made = {
      setAttribute: () => undefined,
      append: (...nodes: readonly unknown[]) => {
        for (const node of nodes) if (typeof node === 'string') lines.push(node);
      },
    };
    return made as unknown as Element; // the elements of a proof are only made
  };
  proofElements(shown, make);
  return lines;
}

describe('a proof on the page', () => {
  it('shows dollars to the cent with the sign before them, a ratio with four decimals, and a dash for none', () => {
    const lines = textOf(proof('refused', [part('refused', 1)]));
    for (const figure of ['$1,234,567.89', '$0.05', '−$10.05', '$0.00', '−12.3\u{A0}%', 'none', '$1.00']) {
      expect(lines).toContain(figure);
    }
    expect(lines).toContain('differs: roi');
  });

  it('shows the first hundred differences and counts the others; the report has all that are listed', () => {
    expect(textOf(proof('refused', [part('refused', 100)]))).not.toContainEqual(
      expect.stringContaining('And '),
    );
    const many = proof('refused', [part('refused', 101), part('refused', 1)], 7);
    const lines = textOf(many);
    expect([lines.includes('place 100'), lines.includes('place 101')]).toEqual([true, false]);
    expect(lines).toContain('And 9 more.');
    const report = reportText(many, ended);
    expect(report).toContain('  place 101: expected 1, found 2\n');
    expect(report).toContain('  and 7 more\n');
  });

  it('tells a snapshot that is not signed, and a part that was not checked, from a proven one', () => {
    const unsigned = textOf(proof('unsigned', [part('unsigned'), part('proven')]));
    expect(unsigned).toContain(
      'The files and totals are right. The snapshot was published before snapshots were signed.',
    );
    expect(unsigned).toContain('not signed');
    const refused = proof('refused', [part('refused'), part('unchecked')]);
    expect(textOf(refused)).toEqual(
      expect.arrayContaining(['Refused: not everything is right.', 'refused', 'not checked']),
    );
    expect(reportText({ ...refused, totals: null }, ended)).toContain(
      'Totals: unchecked. What was checked.\n',
    );
  });
});

describe('a browser that cannot prove', () => {
  it('shows the advice to use HTTPS without WebCrypto, and a newer browser without Ed25519', async () => {
    expect(await missingHere()).toBeNull();
    vi.stubGlobal('crypto', {});
    expect(await missingHere()).toContain('was not opened over HTTPS');
    vi.stubGlobal('crypto', { subtle: { importKey: () => Promise.reject(new Error('no such algorithm')) } });
    expect(await missingHere()).toContain('has no Ed25519 in WebCrypto');
  });
});

describe('the worker of the page', () => {
  const start: Request = {
    kind: 'start',
    snapshot_id: '20260715T020000Z',
    page: 'https://api.example.com/prove',
    keys: 'https://api.example.com/keys',
    key: null,
  };
  let answers: WorkerAnswer[];
  let send: (request: Request) => void;
  beforeEach(async () => {
    answers = [];
    vi.resetModules();
    vi.stubGlobal('postMessage', (answer: WorkerAnswer) => answers.push(answer));
    vi.stubGlobal('addEventListener', (_: string, listen: (event: { data: Request }) => void) => {
      send = (data) => listen({ data });
    });
    await import('../../src/prover/worker.ts');
  });
  const answered = (count: number): Promise<WorkerAnswer[]> =>
    vi.waitFor(() => {
      expect(answers.length).toBeGreaterThanOrEqual(count);
      return answers;
    }, PATIENCE);

  it('has nothing to check again before it loaded, nor after a load that failed', async () => {
    send({ kind: 'again', key: null });
    expect(await answered(1)).toEqual([{ kind: 'failed', message: 'Nothing is loaded yet.' }]);
    vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }));
    send(start);
    expect((await answered(2))[1]).toEqual({
      kind: 'failed',
      message: 'The server refuses manifest.json with status 503.',
    });
    send({ kind: 'again', key: null });
    expect((await answered(3))[2]).toEqual({ kind: 'failed', message: 'Nothing is loaded yet.' });
  });

  it('checks the loaded files again, with the key that stands in the form then', async () => {
    const files: Readonly<Record<string, Response>> = {
      'files/manifest.json': Response.json({ tables: [], files: [] }),
      'log/1': new Response(''),
    };
    vi.stubGlobal('fetch', async (address: string) => {
      if (address === start.keys) return Response.json({ keys: [] });
      return files[address.slice(start.page.length + 1)] ?? new Response(null, { status: 404 });
    });
    send(start);
    await vi.waitFor(() => expect(answers.at(-1)).toMatchObject({ kind: 'proof' }), PATIENCE);
    vi.stubGlobal('fetch', () => Promise.reject(new Error('nothing is asked again')));
    send({ kind: 'again', key: 'AAAA' });
    await vi.waitFor(() => {
      expect(answers.at(-1)).toMatchObject({
        kind: 'failed',
        message: expect.stringContaining('Ed25519 key'),
      });
    }, PATIENCE);
    send({ kind: 'again', key: null });
    await vi.waitFor(() => expect(answers.at(-1)).toMatchObject({ kind: 'proof' }), PATIENCE);
  });

  it('ends a load when the reader cancels, or starts another, and says so once', async () => {
    // Never answers, and ends as a fetch does when it is stopped.
    vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
      return new Promise((__, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    });
    send(start);
    send({ kind: 'cancel' });
    expect(await answered(1)).toEqual([{ kind: 'cancelled' }]);
    send(start);
    send(start);
    expect(await answered(2)).toEqual([{ kind: 'cancelled' }, { kind: 'cancelled' }]);
    send({ kind: 'cancel' });
    expect(await answered(3)).toHaveLength(3);
  });
});
