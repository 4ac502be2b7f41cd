/** The ledger: its roles, its writes, its loading, its embedded server. */
import type { Mutants } from '../mutant.ts';

export const LEDGER: Mutants = {
  'joined-waited': {
    rule: 'a command that started PostgreSQL does not stop it below another that joined',
    file: 'src/run/embedded-databases.ts',
    find: '    await untilAlone(session);\n',
    replace: '',
    caughtBy: ['test/run/embedded-databases.sweep.test.ts'],
  },
  'joined-claim': {
    rule: 'a command joins the server of the program that has the folder, and no earlier one',
    file: 'src/embedded/logins.ts',
    find: 'return logins?.claim === claim ? logins : null;',
    replace: 'return logins;',
    caughtBy: ['test/embedded/logins.test.ts'],
  },
  'embedded-claim-once': {
    rule: 'two programs never own one data folder: the claim of a dead one is removed by one of them alone',
    file: 'src/embedded/owner.ts',
    find: 'if ((await readIfThere(file)) === text) await rm(file, { force: true });',
    replace: 'await rm(file, { force: true });',
    caughtBy: ['test/embedded/owner.test.ts'],
  },
  'vendor-held': {
    rule: 'an entry holds its vendor, so a merge at the same time waits for it',
    file: 'schema/ledger/0050-one-rule-for-blanks.sql',
    find: 'v.name_key = key\n    for share;',
    replace: 'v.name_key = key;',
    caughtBy: ['test/schema/vendors.test.ts'],
  },
  'vendor-made-once': {
    rule: 'two writers who bring one new vendor at once make it once',
    file: 'schema/ledger/0050-one-rule-for-blanks.sql',
    find: 'on conflict (account_id, name_key) do nothing;',
    replace: ';',
    caughtBy: ['test/schema/vendors.test.ts'],
  },
  'vendors-held': {
    rule: 'entries that bring their vendor hold it, so a merge at the same time waits for them',
    file: 'schema/ledger/0034-names-of-vendors-once.sql',
    find: 'service.name_key(named.vendor_name) for share)',
    replace: 'service.name_key(named.vendor_name))',
    caughtBy: ['test/schema/vendors.test.ts'],
  },
  'vendors-confirmed': {
    rule: 'an entry that brings another vendor than its name says gets that of its name',
    file: 'schema/ledger/0034-names-of-vendors-once.sql',
    find: 'if exists (',
    replace: 'if not exists (',
    caughtBy: ['test/schema/vendors.test.ts'],
  },
  'joined-passwords': {
    rule: 'the passwords of a server that goes on stay',
    file: 'src/run/embedded-databases.ts',
    find: 'if (server.isAdopted && left !== null) return left.urls;',
    replace: '',
    caughtBy: ['test/run/embedded-databases.sweep.test.ts'],
  },
  'account-locked': {
    rule: 'an account with a locked month is removed only where --locked says so',
    file: 'src/ledger/account-records.ts',
    find: 'if (locked_months.length > 0 && !withLocked) throw lockedAccount(account_id, name, locked_months);',
    replace:
      'if (locked_months.length > 1 && !withLocked) throw lockedAccount(account_id, name, locked_months);',
    caughtBy: ['test/commands/account.test.ts'],
  },
  'currency-unknown': {
    rule: 'a currency that ISO 4217 does not know is refused where it enters',
    file: 'schema/ledger/0002-foundation.sql',
    find: "add constraint currency_of_iso_4217 check (pg_input_is_valid(value, 'ledger.currency_code')) not valid;",
    replace: 'add constraint currency_of_iso_4217 check (length(value) = 3) not valid;',
    caughtBy: ['test/schema/currencies.test.ts'],
  },
  'decision-returns': {
    rule: 'a decision that comes back with its initiative has a new updated_at (server A3)',
    file: 'schema/ledger/0014-change-times.sql',
    find: '\n  update ledger.portfolio_decisions set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;',
    replace: '',
    caughtBy: ['test/schema/change-times.test.ts', 'test/serve/live/returning-rows.test.ts'],
  },
  'embedded-attempt-cleared': {
    rule: 'what an unfinished initdb left goes at the next start (server E8)',
    file: 'src/embedded/cluster.ts',
    find: 'await clearAttempts(making.folder);',
    replace: "if (making.folder === '') await clearAttempts(making.folder);",
    caughtBy: ['test/embedded/cluster.test.ts'],
  },
  'embedded-attempt-name': {
    rule: 'each attempt of initdb has a folder of its own: a killed start may still write to its own (server E8)',
    file: 'src/embedded/cluster.ts',
    find: 'const aside = join(making.folder, `${ATTEMPT}${randomUUID()}`);',
    replace: 'const aside = join(making.folder, ATTEMPT + randomUUID().slice(0, 0));',
    caughtBy: ['test/embedded/cluster.test.ts'],
  },
  'embedded-counts-starts': {
    rule: 'a server that dies soon after each start is given up on',
    file: 'src/embedded/supervisor.ts',
    find: 'if (clock() - from >= STEADY_MS) starts = 0;',
    replace: 'starts = 0;',
    caughtBy: ['test/embedded/supervisor.test.ts'],
  },
  'embedded-full-disk': {
    rule: 'a full disk below the embedded PostgreSQL is waited out',
    file: 'src/embedded/supervisor.ts',
    find: 'return starts >= MAX_STARTS && !(await server.isDiskFull());',
    replace: 'return starts >= MAX_STARTS;',
    caughtBy: ['test/embedded/supervisor.test.ts'],
  },
  'embedded-given-up': {
    rule: 'the embedded PostgreSQL is given up on after ten starts in a row',
    file: 'src/embedded/supervisor.ts',
    find: 'const MAX_STARTS = 10;',
    replace: 'const MAX_STARTS = 20;',
    caughtBy: ['test/embedded/supervisor.test.ts'],
  },
  'embedded-same-port': {
    rule: 'the embedded PostgreSQL is started again on the port that its clients know',
    file: 'src/embedded/server.ts',
    find: 'const port = again?.port ?? (await freePort());',
    replace: 'const port = await freePort();',
    caughtBy: ['test/embedded/embedded.test.ts'],
  },
  'grants-vault': {
    rule: 'what must never be read has no grant (facts, 4)',
    file: 'schema/ledger/0016-security.sql',
    find: 'grant usage on schema vault to cf_writer, cf_backup;',
    replace: `grant usage on schema vault to cf_reader, cf_writer, cf_backup;
grant select on all tables in schema vault to cf_reader;`,
    caughtBy: ['test/schema/roles.test.ts'],
  },
  'horizon-clock-first': {
    rule: 'the clock is read before looking for writers (fault F-38)',
    file: 'schema/ledger/0030-one-lock-scan.sql',
    find: 'before_looking timestamptz := clock_timestamp();',
    replace: "before_looking timestamptz := clock_timestamp() + interval '1 minute';",
    caughtBy: ['test/ledger/lists/horizon.test.ts'],
  },
  'horizon-prepared': {
    rule: 'a prepared transaction holds the horizon back (fault F-38)',
    file: 'schema/ledger/0030-one-lock-scan.sql',
    find: 'pid is distinct from pg_backend_pid()',
    replace: 'pid <> pg_backend_pid()',
    caughtBy: ['test/ledger/lists/horizon.test.ts'],
  },
  'session-role': {
    rule: 'a session whose role a pooler dropped is refused',
    file: 'src/ledger/session-check.ts',
    find: "...(found.role === role ? [] : [`role = '${role}'`]),",
    replace: '',
    caughtBy: ['test/ledger/session-check.test.ts'],
  },
  'horizon-writer': {
    rule: 'a running transaction that has stamped a row holds the horizon back (fault F-38)',
    file: 'schema/ledger/0023-write-horizon.sql',
    find: 'perform pg_advisory_xact_lock_shared(5000000000000000000 + (extract(epoch from transaction_timestamp()) * 1000000)::bigint);',
    replace: 'perform pg_current_xact_id();',
    caughtBy: ['test/ledger/lists/horizon.test.ts'],
  },
  'migrate-hint': {
    rule: 'migrate names the statement that the login lacks (server E7)',
    file: 'src/ledger/migrate/migrate.ts',
    find: 'hasSqlState(error, SQLSTATE.insufficient_privilege) ? error.hint : undefined',
    replace: 'undefined',
    caughtBy: ['test/commands/own-postgres.sweep.test.ts'],
  },
  'migrate-older': {
    rule: 'a ledger from before the first release is refused as older, and not as newer',
    file: 'src/ledger/migrate/history.ts',
    find: 'if (applied.length > 0 && !applied.some(({ name }) => present.has(name))) throw olderLedger(applied, place);',
    replace: "if (applied.some(({ name }) => name === '')) throw olderLedger(applied, place);",
    caughtBy: ['test/ledger/migrate/migrate.test.ts', 'test/commands/older-ledger.test.ts'],
  },
  'month-gate': {
    rule: 'a write waits for the closing of its month (fault F-17)',
    edits: [
      {
        file: 'schema/ledger/0013-months.sql',
        find: '\n  perform service.share_gate(service.current_account());',
        replace: '',
      },
      {
        file: 'schema/ledger/0013-months.sql',
        find: `perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id and n.booked_month = m.month`,
        replace: `select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id and n.booked_month = m.month`,
      },
      {
        file: 'schema/ledger/0013-months.sql',
        find: `where m.status = 'locked' and exists (select from ledger.accounts a where a.id = o.account_id) limit 1;
  else
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;`,
        replace: `where m.status = 'locked' and exists (select from ledger.accounts a where a.id = o.account_id) limit 1;
  else`,
      },
      {
        file: 'schema/ledger/0013-months.sql',
        find: `if tg_op = 'INSERT' then
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;`,
        replace: "if tg_op = 'INSERT' then",
      },
      {
        file: 'schema/ledger/0013-months.sql',
        find: '\n    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;',
        replace: '',
      },
    ],
    caughtBy: ['test/schema/gates.test.ts'],
  },
  'reading-keeps-study': {
    rule: 'a used reading keeps the time study of the whole account (server A4)',
    file: 'schema/ledger/0011-value.sql',
    find: 'set initiative_id = null, deleted_at = coalesce(o.deleted_at, clock_timestamp())',
    replace:
      'set initiative_id = null, time_study_id = null, deleted_at = coalesce(o.deleted_at, clock_timestamp())',
    caughtBy: ['test/views/value-inputs.test.ts'],
  },
  'reading-recorder': {
    rule: "a time study's reading has no recorder (server A5)",
    file: 'schema/ledger/0010-metrics.sql',
    find: "constraint observation_recorded_by_person check (recorded_by_id is null or source_type in ('manual', 'assistant', 'csv')),",
    replace:
      "constraint observation_recorded_by_person check (recorded_by_id is null or source_type in ('manual', 'assistant', 'csv', 'time_study')),",
    caughtBy: ['test/ledger/staging/refusals.test.ts'],
  },
  'roles-row-security': {
    rule: 'every table of an account has row security (attack A-4)',
    file: 'src/ledger/roles-check.ts',
    find: 'where not relrowsecurity',
    replace: 'where false',
    caughtBy: ['test/ledger/roles-check.test.ts'],
  },
  'roles-superuser': {
    rule: 'no server runs as a superuser (attack A-35)',
    file: 'src/ledger/roles-check.ts',
    find: 'from sessions join pg_roles on rolname = name where rolsuper',
    replace: 'from sessions join pg_roles on rolname = name where rolsuper and false',
    caughtBy: ['test/ledger/roles-check.test.ts'],
  },
  'row-security-accounts': {
    rule: 'row security shows a reader its own account (attack A-4)',
    file: 'schema/ledger/0016-security.sql',
    find: `using (id = nullif(current_setting('app.account_id', true), '')::bigint);
create policy own_account on ledger.accounts to cf_writer`,
    replace: `using (true);
create policy own_account on ledger.accounts to cf_writer`,
    caughtBy: ['test/schema/row-security.test.ts'],
  },
  'row-security-reader': {
    rule: 'row security shows a reader its account alone (attack A-4)',
    file: 'schema/ledger/0016-security.sql',
    find: `using (account_id = nullif(current_setting(''app.account_id'', true), '''')::bigint)', target.relation);
    end if;`,
    replace: `using (true)', target.relation);
    end if;`,
    caughtBy: ['test/schema/row-security.test.ts'],
  },
  'stamp-clock': {
    rule: 'a row is stamped when it is written, not when its transaction began (fault F-38)',
    file: 'schema/ledger/0023-write-horizon.sql',
    find: 'new.updated_at := clock_timestamp();',
    replace: 'new.updated_at := now();',
    caughtBy: ['test/schema/stamps.test.ts'],
  },
  'tenancy-list-predicate': {
    rule: 'a list names its account (attack A-3)',
    file: 'src/ledger/lists/keyset.ts',
    find: 'sql`account_id = ${account_id}`,',
    replace: 'sql`${account_id}::bigint is not null`,',
    caughtBy: ['test/serve/tenancy.test.ts'],
  },
  'tenancy-session-account': {
    rule: 'the account of a session ends with its transaction (attack A-5)',
    file: 'src/ledger/account-session.ts',
    find: "`set local app.account_id = '${integer(account_id)}'`,",
    replace: "`set app.account_id = '${integer(account_id)}'`,",
    caughtBy: ['test/ledger/account-session.test.ts'],
  },
};
