/** The running server: the application with the real ledger and store, listening on a port. */
import { randomUUID } from 'node:crypto';
import type { Metric } from '@prometheus-io/client';
import type { Pool } from 'pg';
import { applicationUrl, publicBaseUrl, type Settings } from '../../config.ts';
import { CrossfootError } from '../../errors.ts';
import { asAccount } from '../../ledger/account-session.ts';
import { MAX_SESSION_WAIT_MS } from '../../ledger/connect.ts';
import { readHelpArticles } from '../../ledger/lists/help-articles.ts';
import { pingDatabase } from '../../ledger/ping.ts';
import { checkRoles } from '../../ledger/roles-check.ts';
import { readClock } from '../../ledger/clock.ts';
import { findTokenHolder, type TokenHolder } from '../../ledger/tokens.ts';
import { errorFields, type Logger } from '../../log.ts';
import { createApp } from '../../serve/app.ts';
import type { PreparePages } from '../../serve/prepare-pages.ts';
import { knownPaths } from '../../serve/known-paths.ts';
import { trustProxies } from '../../serve/http/client-address.ts';
import { createCursors } from '../../serve/contract/cursor.ts';
import { createLinkGrants } from '../../serve/reporting/link-grants.ts';
import { cacheTokens } from '../../serve/auth/token-cache.ts';
import { createSessions } from '../../serve/frame/sessions.ts';
import { watchReadiness } from '../../serve/http/readiness.ts';
import { type Listener, listen } from '../../serve/http/server.ts';
import { tokenDigest } from '../../serve/auth/token.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import { createSignedReader } from '../../snapshot/read/signed-reader.ts';
import { describeTables } from '../../tables/describe.ts';
import { spoolFolder } from '../databases.ts';
import { openStoreToRead } from '../object-store.ts';
import { readPullClients } from './pull-clients.ts';
import { readPageFiles } from './page-files.ts';
import { readContract } from './published-contract.ts';
import { openSecretKeys } from './secret-keys.ts';
import { openHeadWatch } from '../seen-heads.ts';
import { ensureSigningKey } from '../signing.ts';
import { watchDamage } from './damage.ts';
import { openDiffs, openFeeds } from './diffs.ts';
import { followDatabaseClock } from '../clocks.ts';
import { openCatalogues } from './lakes.ts';
import { openMetrics } from './metrics.ts';
import { readOwnNights, readNightContext } from './nights.ts';
import { openPreparedPages } from './prepared-pages.ts';
import { openRecords } from './records.ts';
import { openSignIn } from './assistant-sign-in.ts';
import { openTurns } from './turns.ts';
import { openSessions } from '../sessions.ts';
import { watchMark } from '../store-mark.ts';
import { CLOCK } from '../machine.ts';

// A token look-up or a page of a list takes a few indexed reads; two cores keep at most ten sessions busy.
const MAX_SESSIONS = 10;
// Longer than the timeout of any route. It ends statements without a timeout, such as those of a metrics scrape.
const MAX_QUERY_MS = 30_000;
// Ctrl-C promises an end within five seconds, and the embedded database may need most of them.
const GRACE_MS = 1_000;

/** Its disposal stops accepting requests, waits a moment for running answers, and closes its resources. */
export interface Service extends AsyncDisposable {
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: string;
  /** The pool of the role that reads: token look-ups and the read API. */
  readonly reader: Pool;
  readonly listener: Listener;
  /** Serves at once what was published before this call; without it, within seconds. */
  readonly showPublished: (account_id: bigint) => Promise<void>;
}

const clock = (): number => performance.now();

interface ServiceParts {
  readonly settings: Settings;
  readonly ledgerUrl: string;
  readonly serviceUrl: string;
  readonly logger: Logger;
  /** The metrics of a worker in this process, which the server then serves, too. */
  readonly workerMetrics?: readonly Metric<string>[];
}

/** Checks roles and rights, reads from the store without writing to it, then listens. */
export async function startService({
  settings,
  ledgerUrl,
  serviceUrl,
  logger,
  workerMetrics,
}: ServiceParts): Promise<Service> {
  const keys = await openSecretKeys(settings);
  await ensureSigningKey(settings.signing);
  // Resources are closed in reverse order, so that each can still use those opened before it.
  await using opened = new AsyncDisposableStack();
  const sessions = await openSessions({
    role: 'cf_reader',
    applicationName: 'crossfoot serve',
    url: ledgerUrl,
    appUrl: applicationUrl(settings),
    max: MAX_SESSIONS,
    max_wait_ms: MAX_SESSION_WAIT_MS,
    max_query_ms: MAX_QUERY_MS,
    checks: [checkRoles],
    logger,
  });
  const { pool: reader } = opened.use(sessions);
  const store = await openStoreToRead(settings);
  const records = opened.use(await openRecords({ url: serviceUrl, logger }));
  // Expiry goes by the clock that builds and deletions use.
  const databaseClock = await followDatabaseClock({
    ...CLOCK,
    readDatabaseClock: () => readClock(reader),
  });
  opened.defer(() => databaseClock.close());
  const damage = opened.use(watchDamage({ settings, logger }));
  const snapshots = createReader({
    store,
    onDamage: damage.onDamage,
    now: databaseClock.now,
    onFault: (fault) => logger.error('log.broken', errorFields(fault)),
    checkHead: openHeadWatch({ settings, onService: (run) => run(records.service), logger }),
    turn: openTurns(),
  });
  const signatures = createSignedReader(store, snapshots);
  const diffs = await openDiffs(
    { snapshots, root: spoolFolder(settings) },
    {
      store,
      log: snapshots,
      onUnread: ({ account_id: account, later }, error) =>
        logger.warn('comparison.unread', { account, snapshot: later.snapshot_id, ...errorFields(error) }),
    },
  );
  opened.defer(() => diffs.close());
  const feeds = await openFeeds({ snapshots, root: spoolFolder(settings) });
  opened.defer(() => feeds.close());
  const { now } = databaseClock;
  const catalogues = openCatalogues({ snapshots, now, root: spoolFolder(settings) });
  opened.defer(() => catalogues.close());
  const proxies = trustProxies(settings.trustedProxies);
  const known = cacheTokens((sha256) => findTokenHolder(reader, sha256), clock);
  const findHolder = async (sha256: Uint8Array): Promise<TokenHolder | null> => {
    const holder = await known(sha256);
    if (holder !== null) records.uses.note({ ...holder, last_used_at: CLOCK.now() });
    return holder;
  };
  let baseUrl = '';
  let listener: Listener | undefined;
  const parts = { database: () => pingDatabase(reader), store: await watchMark(store, CLOCK) };
  const readiness = watchReadiness(parts, { clock, pause: CLOCK.sleep, logger });
  const metrics = await openMetrics({
    settings,
    logger,
    pools: { reader, service: records.service },
    transfers: () => listener?.transfers() ?? 0,
    parts: Object.keys(parts),
    readiness,
    snapshots,
    worker: workerMetrics ?? null,
  });
  opened.defer(() => metrics.close());
  let prepare: PreparePages | undefined;
  const prepared = opened.use(
    openPreparedPages({
      snapshots,
      prepare: async (account_id) => prepare?.(account_id),
      service: records.service,
      logger,
    }),
  );
  const app = createApp({
    schema: describeTables(),
    articles: () => readHelpArticles(reader),
    contract: await readContract(),
    pullClients: await readPullClients(),
    pageFiles: await readPageFiles(),
    snapshots,
    signatures,
    diffs,
    feeds,
    catalogues,
    cursors: createCursors(keys),
    inAccount: (session, run) => asAccount(reader, session, run),
    linkGrants: createLinkGrants(keys),
    sessions: createSessions(keys),
    endedSessions: records.endedSessions,
    ownNights: (account_id) => readOwnNights(records.service, account_id, CLOCK.now()),
    nightContext: (account_id) => readNightContext(settings, records.service, account_id, CLOCK.now()),
    authenticate: (token) => findHolder(tokenDigest(token)),
    findHolder: async (sha256) => {
      const holder = await findHolder(sha256);
      if (holder !== null) prepared.note(holder.account_id);
      return holder;
    },
    onPages: (pages) => {
      prepare = pages;
    },
    ...openSignIn(settings, { keys, service: records.service, baseUrl: () => baseUrl }),
    now: CLOCK.now,
    rateLimiter: records.rateLimiter,
    limits: settings.limits,
    readApi: settings.readApi,
    proxies,
    readiness,
    baseUrl: () => baseUrl,
    logger,
    newRequestId: randomUUID,
    clock,
    onAnswer: metrics.observe,
  });
  const { host, port } = settings;
  const listening = await listen(app.fetch, {
    paths: knownPaths(app),
    host,
    port,
    logger,
    isProxy: proxies.isProxy,
    baseUrl: () => baseUrl,
  }).catch((error: unknown) => Promise.reject(cannotListen(settings, error)));
  listener = listening;
  opened.defer(() => listening.close(GRACE_MS));
  baseUrl = publicBaseUrl(settings, listening.port);
  logger.info('server.started', { port: listening.port, url: baseUrl });
  const open = opened.move();
  return {
    baseUrl,
    reader,
    listener: listening,
    showPublished: async (account_id) => void (await snapshots.logOf(account_id, 0n)),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function cannotListen({ host, port }: Settings, cause: unknown): CrossfootError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CrossfootError(
    'settings_invalid',
    `The server cannot listen on ${host}, port ${port}: ${reason}.`,
    {
      hint: 'Stop what listens there, or set HOST and PORT to a free address; PORT=0 takes any free port.',
      cause,
    },
  );
}
