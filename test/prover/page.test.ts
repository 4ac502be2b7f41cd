/** The script of the prove page with a page and a worker made of plain objects: what it asks, shows, offers and saves. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Element } from '../../src/prover/browser.ts';
import type { WorkerAnswer, Request } from '../../src/prover/messages.ts';
import type { Proof } from '../../src/prover/prove.ts';

type Listen = (event: { readonly data: unknown; readonly message: string; preventDefault(): void }) => void;

/** An element that remembers its listeners; a test reads and sets the rest. */
function made(dataset: Readonly<Record<string, string>> = {}) {
  const listeners = new Map<string, Listen>();
  const element = {
    textContent: '',
    hidden: false,
    value: '',
    max: 0,
    dataset,
    append: () => undefined,
    setAttribute: () => undefined,
    replaceChildren: () => undefined,
    click: () => undefined,
    addEventListener: (type: string, listen: Listen) => void listeners.set(type, listen),
  };
  const fire = (type: string, event: object = {}): void =>
    listeners.get(type)?.({ data: null, message: '', preventDefault: () => undefined, ...event });
  return { element: element as unknown as Element, fire };
}

const PAGE = 'https://api.example.com/under/snapshots/20260715T020000Z/prove';
const ids = ['offer', 'key', 'cancel', 'again', 'save', 'progress', 'state', 'result'] as const;
const form = made({
  snapshot: '20260715T020000Z',
  keys: '../../v1/reporting/keys',
  worker: '../../prove/worker.js',
});
const parts = Object.fromEntries(ids.map((id) => [id, made()])) as Record<
  (typeof ids)[number],
  ReturnType<typeof made>
>;
const worker = made();
let sent: Request[];
let loadedFrom: string;

class FakeWorker {
  constructor(address: string) {
    loadedFrom = address;
  }
  postMessage(request: Request): void {
    sent.push(request);
  }
  addEventListener(type: string, listen: Listen): void {
    worker.element.addEventListener(type, listen as never);
  }
}
const answer = (data: WorkerAnswer): void => worker.fire('message', { data });
const shown = () =>
  ids.filter(
    (id) => !parts[id].element.hidden && ['offer', 'cancel', 'again', 'save', 'progress'].includes(id),
  );
const state = (): string => parts.state.element.textContent;
const proof = {
  snapshot_id: '20260715T020000Z',
  outcome: 'unsigned',
  parts: [],
  totals: null,
  files: [],
} as Proof;

beforeAll(async () => {
  vi.stubGlobal('document', {
    querySelector: (id: string) => (id === '#prove' ? form : parts[id.slice(1) as 'key']).element,
    createElement: () => made().element,
  });
  vi.stubGlobal('location', { href: `${PAGE}?from=mail#top` });
  vi.stubGlobal('Worker', FakeWorker);
  sent = [];
  await import('../../src/prover/page.ts');
});
beforeEach(() => {
  sent = [];
  parts.key.element.value = '';
});
afterAll(() => void vi.unstubAllGlobals());

it('the page requests its own server alone, below its own address, and trusts the listed keys if none is entered', () => {
  expect(loadedFrom).toBe('https://api.example.com/under/prove/worker.js');
  parts.key.element.value = '  ';
  form.fire('submit');
  expect(sent).toEqual([
    {
      kind: 'start',
      snapshot_id: '20260715T020000Z',
      page: PAGE,
      keys: 'https://api.example.com/under/v1/reporting/keys',
      key: null,
    },
  ]);
  expect([state(), shown()]).toEqual(['Loading the files.', ['cancel', 'progress']]);
});

it('the page sends the key in the form, when it starts and when it checks again', () => {
  parts.key.element.value = ' AAAA \n';
  form.fire('submit');
  parts.key.element.value = 'BBBB';
  parts.again.fire('click');
  expect(sent.map((request) => [request.kind, 'key' in request ? request.key : null])).toEqual([
    ['start', 'AAAA'],
    ['again', 'BBBB'],
  ]);
});

it('the page says that checking needs no network once all is loaded, and offers to save only a proof', () => {
  form.fire('submit');
  answer({ kind: 'loading', done: 1, total: 0 });
  expect([parts.progress.element.max, state()]).toEqual([1, 'Loading the files.']);
  answer({ kind: 'checking', done: 3, total: 9 });
  expect([parts.progress.element.value, parts.progress.element.max]).toEqual([3, 9]);
  expect(state()).toBe('Everything is loaded. Checking needs no network.');
  answer({ kind: 'proof', proof });
  expect(state()).toBe(
    'The files and totals are right. The snapshot was published before snapshots were signed.',
  );
  expect(shown()).toEqual(['offer', 'again', 'save']);
  // What was proven before is not offered for saving beside another check.
  parts.again.fire('click');
  answer({ kind: 'failed', message: 'The key is none.' });
  expect([state(), shown()]).toEqual(['Nothing is proven. The key is none.', ['offer', 'again']]);
});

it('the page proves nothing when it is cancelled or its worker breaks, and checks nothing that was not loaded', () => {
  form.fire('submit');
  parts.cancel.fire('click');
  expect(sent.at(-1)).toEqual({ kind: 'cancel' });
  answer({ kind: 'cancelled' });
  expect([state(), shown()]).toEqual(['Cancelled. Nothing is proven.', ['offer']]);
  form.fire('submit');
  worker.fire('error', { message: 'out of memory' });
  expect([state(), shown()]).toEqual(['Nothing is proven. The check failed: out of memory', ['offer']]);
});
