/** Stand-ins for the ledger and the store behind the application: two accounts, each with its own bytes. */
import type { SignedReader } from '../../src/snapshot/read/signed-reader.ts';
import { createHash } from 'node:crypto';
import { cacheDiffs } from '../../src/diff/diff-cache.ts';
import { cacheFeeds } from '../../src/diff/feed-cache.ts';
import { CrossfootError } from '../../src/errors.ts';
import type { TokenHolder } from '../../src/ledger/tokens.ts';
import { createLogger } from '../../src/log.ts';
import { readPageFiles } from '../../src/run/server/page-files.ts';
import { readContract } from '../../src/run/server/published-contract.ts';
import { createApp, type AppParts } from '../../src/serve/app.ts';
import { trustProxies } from '../../src/serve/http/client-address.ts';
import { createCursors } from '../../src/serve/contract/cursor.ts';
import { createLinkGrants, type Grant } from '../../src/serve/reporting/link-grants.ts';
import type { EndedSessions, SessionId } from '../../src/serve/frame/ended-sessions.ts';
import { createSessions } from '../../src/serve/frame/sessions.ts';
import { createRateLimiter } from '../../src/serve/limits/rate-limiter.ts';
import { makeToken, tokenDigest } from '../../src/serve/auth/token.ts';
import type { ByteRange, SnapshotReader } from '../../src/snapshot/read/snapshot-reader.ts';
import type { Table } from '../../src/tables/table.ts';
import type { RowsOf } from '../../src/snapshot/read/rows.ts';
import type { ReadableSnapshot } from '../../src/snapshot/format/served-manifest.ts';
import { noLedger } from './fake-ledger.ts';
import { namedIn } from './named-in.ts';
import { fakeCatalogues } from './fake-catalogues.ts';
import { FAKE_COMPANIONS, fakeRows } from './fake-rows.ts';
import { heldToContract } from './contract/held-to-contract.ts';
import { instantOf } from '../support/instant-of.ts';

export const LATEST = '20261120T020000Z';
export const EARLIER = '20261119T020000Z';
export const EXPIRED = '20261101T020000Z';
const CONTRACT = await readContract();
const PAGE_FILES = await readPageFiles();
const OURS = 7n;
const THEIRS = 8n;

function token(kind: 'personal' | 'reporting', seed: number): string {
  return makeToken(kind, new Uint8Array(32).fill(seed));
}

export const TOKENS = {
  personal: token('personal', 1),
  reporting: token('reporting', 2),
  other: token('personal', 3),
  withoutApi: token('personal', 4),
  switchedOff: token('personal', 5),
  unbuilt: token('personal', 6),
  unknown: token('personal', 7),
};

const holder = {
  token_id: 1n,
  user_id: 3n,
  kind: 'personal',
  api_access: true,
  reporting_enabled: true,
} as const;
const HOLDERS: ReadonlyMap<string, TokenHolder> = new Map<string, TokenHolder>([
  [TOKENS.personal, { ...holder, account_id: OURS }],
  [TOKENS.reporting, { ...holder, account_id: OURS, user_id: null, kind: 'reporting' }],
  [TOKENS.other, { ...holder, token_id: 2n, account_id: THEIRS }],
  [TOKENS.withoutApi, { ...holder, account_id: OURS, api_access: false, reporting_enabled: false }],
  [TOKENS.switchedOff, { ...holder, account_id: OURS, reporting_enabled: false }],
  [TOKENS.unbuilt, { ...holder, account_id: 9n }],
]);

/** When it is for the application: an hour after the newest snapshot. */
export const NOW = 1_795_143_600_000_000n;

export const LINK_GRANTS = createLinkGrants(['a key for tests, 32 characters and more']);

export const SESSIONS = createSessions(['a key for tests, 32 characters and more']);

/** The path of a link to a table of the newest snapshot, made with the first token of account 7. */
export function linkTo(table: string, granted: Partial<Grant> = {}): string {
  const grant = {
    account_id: OURS,
    snapshot_id: LATEST,
    table,
    token_sha256: tokenDigest(TOKENS.personal),
    expires_at: NOW + 1_000_000n,
    ...granted,
  };
  return `/links/${LINK_GRANTS.seal(grant)}/${table}.parquet`;
}

function holderOf(sha256: Uint8Array): TokenHolder | null {
  return [...HOLDERS].find(([text]) => tokenDigest(text).equals(sha256))?.[1] ?? null;
}

/** What the fake store holds: different bytes for every account, snapshot and table. */
export function bytesOf(account_id: bigint, snapshot_id: string, table: string): Buffer {
  return Buffer.from(`PAR1 ${account_id} ${snapshot_id} ${table} PAR1`);
}

/** What stands beside the tables. */
const FILES: Readonly<Record<string, (snapshot_id: string) => Buffer>> = {
  'audit.json': (snapshot_id) => Buffer.from(JSON.stringify({ snapshot_id })),
  'digests.json': (snapshot_id) => Buffer.from(JSON.stringify({ snapshot_id, tables: [] })),
};

function snapshotOf(account_id: bigint, snapshot_id: string): ReadableSnapshot {
  const tables = ['snapshot', 'costs'].map((name) => {
    const bytes = bytesOf(account_id, snapshot_id, name);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { name, row_count: 1, size_bytes: bytes.length, sha256, blocks_sha256: sha256 };
  });
  return {
    account_id: Number(account_id),
    snapshot_id,
    schema_version: 'v1',
    generated_at: instantOf('2026-11-20T02:00:00.123456Z'),
    changes_from: instantOf('2026-11-20T01:59:59.500000Z'),
    block_bytes: 1_048_576,
    tables,
    companions: FAKE_COMPANIONS,
    files: Object.entries(FILES).map(([name, bytes]) => {
      const body = bytes(snapshot_id);
      return { name, size_bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') };
    }),
    left_out: { cost: [], value: [] },
    versions: { writer: '1', audit_engine: '1', postgres: '18' },
    expires_at: null,
    pins: [],
    retraction: null,
    quarantine: null,
  };
}

/** Counts what was opened, so that a test can say that nothing was. */
export class FakeSnapshots implements SnapshotReader {
  opened = 0;
  readonly named: SnapshotReader['named'] = namedIn(this);

  async latest(account_id: bigint): Promise<ReadableSnapshot | null> {
    return account_id === 9n ? null : snapshotOf(account_id, LATEST);
  }

  async pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null> {
    if (snapshot_id === EXPIRED) {
      const message = 'Snapshots are kept for 14 days; this one expired on 2026-11-15.';
      throw new CrossfootError('snapshot_expired', message);
    }
    const held = account_id === OURS ? [LATEST, EARLIER] : [LATEST];
    return held.includes(snapshot_id) ? snapshotOf(account_id, snapshot_id) : null;
  }

  async list(account_id: bigint): Promise<readonly ReadableSnapshot[]> {
    if (account_id === 9n) return [];
    return (account_id === OURS ? [LATEST, EARLIER] : [LATEST]).map((id) => snapshotOf(account_id, id));
  }

  async versions(account_id: bigint) {
    const ids = (await this.list(account_id)).map(({ snapshot_id }) => snapshot_id).toReversed();
    return ids.map((snapshot_id, index) => {
      return { seq: index + 1, snapshot_id, expired: false, pins: [], damaged_files: [] };
    });
  }

  async logBrokenAt(): Promise<null> {
    return null;
  }

  async countBrokenLogs(): Promise<number> {
    return 0;
  }

  countDamaged(): number {
    return 0;
  }

  async countDamagedForAll(): Promise<number> {
    return 0;
  }

  async refuseDamaged(): Promise<void> {}

  async readReport(account_id: bigint, snapshot_id: string) {
    const tables = FAKE_COMPANIONS?.tables.map(({ name }) => ({ name, row_count: Number(account_id) }));
    return new Uint8Array(Buffer.from(JSON.stringify({ snapshot_id, tables, checks: [] })));
  }

  async openRows<Of extends Table>(
    _account_id: bigint,
    _snapshot_id: string,
    table: Of,
  ): Promise<RowsOf<Of>> {
    return fakeRows(table);
  }

  async openCsv(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    this.opened += 1;
    return new Blob(['a,b\r\n1,2\r\n']).stream();
  }

  async readFile(_account_id: bigint, snapshot_id: string, name: string) {
    return new Uint8Array(FILES[name]?.(snapshot_id) ?? Buffer.alloc(0));
  }

  async openTable(account_id: bigint, snapshot_id: string, table: string, range?: ByteRange) {
    this.opened += 1;
    const bytes = new Uint8Array(bytesOf(account_id, snapshot_id, table));
    return new Blob([range === undefined ? bytes : bytes.subarray(range.from, range.to + 1)]).stream();
  }
}

const keyOf = ({ sha256 }: SessionId): string => Buffer.from(sha256).toString('hex');

/** The ended sessions of one application. */
function endedInMemory(): EndedSessions {
  const ended = new Set<string>();
  return {
    end: async (session) => void ended.add(keyOf(session)),
    has: async (session) => ended.has(keyOf(session)),
  };
}

const unsigned = async (): Promise<never> => {
  throw new CrossfootError('not_found', 'This snapshot is not signed.');
};
/** A log of one entry, unsigned. */
const UNSIGNED: SignedReader = {
  keys: () => new Map(),
  manifest: unsigned,
  signature: unsigned,
  entryOf: unsigned,
  entry: async (_, seq) => (seq === 1 ? Buffer.from('{"seq":1}') : unsigned()),
  entriesTo: async (_, __, { from }) => (from === 1 ? [Buffer.from('{"seq":1}')] : []),
};

/** An application over the fakes; `lines` collects its log. */
export function fakeApp(replaced: Partial<AppParts> = {}) {
  const lines: string[] = [];
  let ids = 0;
  let now = 0;
  const snapshots = new FakeSnapshots();
  const app = createApp({
    authenticate: async (text) => HOLDERS.get(text) ?? null,
    findHolder: async (sha256) => holderOf(sha256),
    signIn: null,
    authenticateClient: null,
    linkGrants: LINK_GRANTS,
    sessions: SESSIONS,
    endedSessions: endedInMemory(),
    ownNights: async () => [],
    nightContext: async () => ({ builds: [], next_at: null, pending: null, deliveries: [] }),
    now: () => NOW,
    snapshots,
    signatures: UNSIGNED,
    diffs: cacheDiffs(async () => ({
      tables: [],
      size_bytes: 0,
      read: async () => [],
      close: async () => {},
    })),
    catalogues: fakeCatalogues(LATEST),
    feeds: cacheFeeds(async ({ table, earlier, later }) => {
      const bytes = Buffer.from(`PAR1 ${table} ${earlier.snapshot_id} ${later.snapshot_id} PAR1`);
      return {
        rows: 1,
        size_bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        read: async (from, to) => new Uint8Array(bytes.subarray(from, to + 1)),
        close: async () => {},
      };
    }),
    cursors: createCursors(['a key for tests, 32 characters and more']),
    inAccount: noLedger,
    baseUrl: () => 'https://api.example.com/v1',
    schema: { version: 'v1', tables: [] },
    articles: async () => [],
    contract: CONTRACT,
    pullClients: { node: '// node', python: '# python' },
    pageFiles: PAGE_FILES,
    logger: createLogger('info', { write: (line) => lines.push(line) }),
    newRequestId: () => `request-${(ids += 1)}`,
    clock: () => (now += 5),
    onAnswer: () => undefined,
    readiness: async () => [],
    rateLimiter: createRateLimiter(() => 0),
    limits: { address: 1_000_000, token: 1_000_000 },
    readApi: 'live',
    proxies: trustProxies([]),
    ...replaced,
  });
  return { app: heldToContract(app), lines, snapshots };
}

/** A page without the one script that every page has. */
export function withoutOwnScript(page: string): string {
  return page.replace(/<script src="(?:\.\.\/)*docs\/site\.js"><\/script>/, '');
}

/** Headers of a request with that token as bearer. */
export function bearer(text: string): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${text}` } };
}
