/** The sessions of a builder process, kept from account to account. */
import { applicationUrl, type Settings } from '../../config.ts';
import { openClient } from '../../ledger/connect.ts';
import { withPostgresErrors } from '../../ledger/moment/moment-errors.ts';
import { checkRoles } from '../../ledger/roles-check.ts';
import { SILENCE_MS } from '../../snapshot/builder/build-moment.ts';
import { KeptSession } from './kept-session.ts';

export interface BuilderSessions extends AsyncDisposable {
  /** As `cf_reader`, for the reads of a build; null if the settings name no database. */
  readonly reader: KeptSession | null;
  /** As `cf_service`, for the remembered heads of logs. */
  readonly service: KeptSession | null;
}

/**
 * Opens no session yet. The roles of the reader are checked for each account, because somebody may have changed them since the
 * session began.
 */
export function builderSessions(settings: Settings): BuilderSessions {
  const { ledgerUrl, databaseUrl } = settings;
  const reader =
    ledgerUrl === null
      ? null
      : new KeptSession(
          () =>
            openClient({
              url: ledgerUrl,
              role: 'cf_reader',
              appUrl: applicationUrl(settings),
              applicationName: 'crossfoot build',
              silenceMs: SILENCE_MS,
            }),
          (client) => withPostgresErrors(client, () => checkRoles(client)),
        );
  const url = databaseUrl ?? ledgerUrl;
  const service =
    url === null
      ? null
      : new KeptSession(
          () => openClient({ url, role: 'cf_service', applicationName: 'crossfoot head' }),
          async () => undefined,
        );
  return {
    reader,
    service,
    async [Symbol.asyncDispose]() {
      await reader?.[Symbol.asyncDispose]();
      await service?.[Symbol.asyncDispose]();
    },
  };
}
