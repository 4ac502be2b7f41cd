/** The checks of `doctor`. Each is independent: a failed check does not stop the others. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Client } from 'pg';
import type { Settings } from '../../config.ts';
import { openEnvironment } from '../../run/secret-files.ts';
import { readReportingAccounts } from '../../ledger/accounts.ts';
import { readBuildCost } from '../../ledger/moment/build-cost.ts';
import { readClock } from '../../ledger/clock.ts';
import { openClient } from '../../ledger/connect.ts';
import { readMissingGrants } from '../../ledger/grants.ts';
import { checkRoles } from '../../ledger/roles-check.ts';
import { readServerVersion } from '../../ledger/server-version.ts';
import { readPendingBuilds } from '../../ops/pending-builds.ts';
import { checkRights } from '../../ops/rights-check.ts';
import { sourceTables } from '../../ledger/moment/source-tables.ts';
import { glanceAtHead } from '../../snapshot/read/read-log.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import { readNewestSnapshots } from '../terminal/newest-snapshots.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import { snapshotStatus } from '../../snapshot/format/snapshot-status.ts';
import { readStoreClock } from '../../store/clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import type { CommandContext } from '../../run/context.ts';
import { openDatabases, spoolFolder } from '../../run/databases.ts';
import type { Databases } from '../../run/opened-databases.ts';
import { failedBuilds, judgeBuilds, judgeFolders, refusingFolders } from './account-builds.ts';
import {
  type Finding,
  failure,
  fine,
  judgeClocks,
  judgeCost,
  judgeGrants,
  judgeHeads,
  judgeLogin,
  judgeRates,
  judgeSettings,
  judgeSpool,
  judgeVersion,
  judgeDamage,
  judgeRetracted,
} from './findings.ts';
import { openTested } from '../../run/object-store.ts';
import { readSigning } from '../../run/signing.ts';
import { areSampleRates } from '../../run/demo/sample-rates.ts';
import { ratesPlan } from '../../run/worker/rates-plan.ts';
import { decodeManifest } from '../../snapshot/format/manifest.ts';
import { readStoredManifest } from '../../snapshot/read/entry-manifest.ts';
import { readSignature } from '../../snapshot/read/read-signatures.ts';
import { examinePublicAddress } from './public-address.ts';
import { type FoundSignature, judgeSignatures } from './judge-signatures.ts';
import { CLOCK } from '../../run/machine.ts';

/** How many accounts are checked, for future heads, signatures and size: all others are assumed to be like these. */
const MAX_ACCOUNTS = 100;

/** The order of the report: prerequisites of other checks first. */
const ORDER = [
  'settings',
  'BASE_URL',
  'store',
  'folders',
  'database',
  'DATABASE_URL',
  'OWNER_URL',
  'roles',
  'grants',
  'clocks',
  'heads',
  'damage',
  'retracted',
  'builds',
  'rates',
  'signatures',
  'spool',
  'build cost',
] as const;

export interface Examined extends Finding {
  readonly name: (typeof ORDER)[number];
}

/**
 * Runs every check whose prerequisites hold. If a prerequisite fails, the report has its failure, and not the checks that
 * need it.
 */
export async function examine({ env, signal }: CommandContext): Promise<readonly Examined[]> {
  const examined: Examined[] = [];
  const noting = async (name: Examined['name'], look: () => Promise<Finding> | Finding): Promise<void> => {
    try {
      examined.push({ name, ...(await look()) });
    } catch (error) {
      examined.push({ name, ...failure(error) });
    }
  };

  let settings: Settings | undefined;
  await noting('settings', () => judgeSettings((settings = openEnvironment(env))));
  if (settings === undefined) return examined;
  const checked_settings = settings;
  const { baseUrl } = checked_settings;
  if (baseUrl !== null) await noting('BASE_URL', () => examinePublicAddress(baseUrl, CLOCK.now));

  let store: Store | undefined;
  await noting('store', async () => {
    store = { ...(await openTested(checked_settings)), signing: await readSigning(checked_settings.signing) };
    return fine('conditional writes, checksums, listings, ranges and deletions hold');
  });
  await noting('database', () =>
    withLedger(checked_settings, signal, async (client, databases) => {
      for (const login of loginsOf(checked_settings, databases)) {
        await noting(login.name, async () => judgeLogin(await loginFault(login), login));
      }
      await noting('grants', async () => judgeGrants(await readMissingGrants(client)));
      await noting('roles', async () => {
        await checkRoles(client);
        return fine('this login sees one account at a time, and no more');
      });
      await noting('rates', async () =>
        judgeRates(await ratesPlan(checked_settings, databases), await areSampleRates(client, databases)),
      );
      await noting('build cost', async () => {
        const tables = await sourceTables();
        return judgeCost(await readBuildCost(client, tables), tables.length);
      });
      if (store === undefined) return;
      const opened = store;
      await noting('clocks', async () =>
        judgeClocks({
          store: await untilAnswered(CLOCK, () => readStoreClock(opened, randomUUID)),
          database: await readClock(client),
          here: CLOCK.now(),
        }),
      );
      await noting('heads', async () => {
        const accounts = (await readReportingAccounts(client)).slice(0, MAX_ACCOUNTS);
        const heads = await Promise.all(
          accounts.map(async (account_id) => {
            const entry = await glanceAtHead(opened, account_id);
            // A newest snapshot that was retracted with --future-head blocks no build.
            const passed =
              entry === null ||
              snapshotStatus(await readMarks(opened, account_id), entry.snapshot_id).future_head;
            return passed ? [] : [{ account_id, snapshot_id: entry.snapshot_id }];
          }),
        );
        return judgeHeads(heads.flat(), await readClock(client));
      });
      const newest = readReportingAccounts(client).then((accounts) =>
        readNewestSnapshots(opened, accounts.slice(0, MAX_ACCOUNTS), CLOCK.now()),
      );
      // Each check below that awaits it says why it failed.
      newest.catch(() => undefined);
      const pending = await readPending(databases, client);
      const { dataDir, objectStore } = checked_settings;
      if (objectStore.protocol === 'file:') {
        await noting('folders', async () => {
          const accounts = await readReportingAccounts(client);
          return judgeFolders(await refusingFolders(objectStore, accounts.slice(0, MAX_ACCOUNTS)));
        });
      }
      await noting('damage', async () => judgeDamage(await newest, pending));
      await noting('retracted', async () => judgeRetracted(await newest, pending));
      await noting('builds', async () => judgeBuilds(await failedBuilds(dataDir, await newest), pending));
      await noting('signatures', async () =>
        judgeSignatures(await newestSignatures(opened, await readReportingAccounts(client)), {
          keys: [...(opened.signing?.keys.values() ?? [])],
          embedded: checked_settings.signing.folder !== null,
        }),
      );
      await noting('spool', async () => {
        const folder = spoolFolder(checked_settings);
        const largest_bytes = await largestSnapshot(opened, await readReportingAccounts(client));
        return judgeSpool({ folder, free_bytes: await freeBytes(folder), largest_bytes });
      });
    }),
  );
  return examined.toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
}

async function withLedger(
  settings: Settings,
  signal: AbortSignal,
  look: (client: Client, databases: Databases) => Promise<void>,
): Promise<Finding> {
  await using databases = await openDatabases(settings, signal);
  await using client = await openClient({
    url: databases.ledgerUrl,
    role: 'cf_reader',
    applicationName: 'crossfoot doctor',
  });
  await look(client, databases);
  return judgeVersion(await readServerVersion(client));
}

interface Login {
  readonly name: 'DATABASE_URL' | 'OWNER_URL';
  readonly url: string;
  readonly role: 'cf_service' | 'cf_owner';
  /** False if the URL is that of LEDGER_URL. */
  readonly isNamed: boolean;
}

/** The logins of DATABASE_URL and OWNER_URL; none for the embedded server, which makes its own. */
function loginsOf(settings: Settings, { embedded, serviceUrl, ownerUrl }: Databases): readonly Login[] {
  if (embedded) return [];
  const isNamed = settings.databaseUrl !== settings.ledgerUrl;
  const service: Login = { name: 'DATABASE_URL', url: serviceUrl, role: 'cf_service', isNamed };
  if (ownerUrl === null) return [service];
  return [service, { name: 'OWNER_URL', url: ownerUrl, role: 'cf_owner', isNamed: true }];
}

async function loginFault({ url, role }: Login): Promise<Finding | null> {
  try {
    await using client = await openClient({ url, role, applicationName: 'crossfoot doctor' });
    if (role === 'cf_service') await checkRights(client);
    return null;
  } catch (error) {
    return failure(error);
  }
}

/** The builds that wait or run; none if the login of the queue fails, of which its own check tells. */
async function readPending({ serviceUrl }: Databases, reader: Client) {
  try {
    const accounts = (await readReportingAccounts(reader)).slice(0, MAX_ACCOUNTS);
    await using client = await openClient({
      url: serviceUrl,
      role: 'cf_service',
      applicationName: 'crossfoot doctor',
    });
    return await readPendingBuilds(client, accounts);
  } catch {
    return new Map<never, never>();
  }
}

/** The checked signature of the newest manifest of each account, for at most `MAX_ACCOUNTS` accounts. */
async function newestSignatures(
  store: Store,
  accounts: readonly bigint[],
): Promise<readonly FoundSignature[]> {
  return await Promise.all(
    accounts.slice(0, MAX_ACCOUNTS).map(async (account_id) => {
      const entry = await glanceAtHead(store, account_id);
      if (entry === null) return { account_id, checked: null };
      const bytes = await readStoredManifest(store, account_id, entry);
      const manifest = decodeManifest(bytes, { ...entry, account_id });
      const read = await readSignature(store, 'manifest.json.sig', { entry, manifest, bytes });
      return { account_id, checked: read?.checked ?? null };
    }),
  );
}

async function largestSnapshot(store: Store, accounts: readonly bigint[]): Promise<number> {
  // `snapshots` and `verify` report damage in the store.
  const reader = createReader({ store, now: CLOCK.now, onFault: () => undefined });
  let largest = 0;
  for (const account of accounts.slice(0, MAX_ACCOUNTS)) {
    const latest = await reader.latest(account).catch(() => null);
    const bytes = latest?.tables.reduce((sum, { size_bytes }) => sum + size_bytes, 0) ?? 0;
    largest = Math.max(largest, bytes);
  }
  return largest;
}

/** The free bytes of the nearest existing folder: the first build creates the spool. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await fs.statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (dirname(folder) === folder) throw error;
    return await freeBytes(dirname(folder));
  }
}
