/**
 * The pages whose blocks of code are run, in the order in which a newcomer meets them. A page that destroys what it
 * describes, or needs another ledger, has a first start of its own.
 */
import { resolve } from 'node:path';

export interface Journey {
  readonly page: string;
  /** Instead of `npm start`; `SERVER` is the URL of its superuser, without a database. */
  readonly startsWith?: 'an empty PostgreSQL';
  /** What happens while `npm start` is stopped, before the page: lines for the shell. */
  readonly whileStopped?: string;
  /** What a reader has done before, which other pages say: lines for the shell. */
  readonly given?: string;
  /** What the page writes as an example, and what a reader writes in its place: text between double quotes of a shell. */
  readonly values?: Readonly<Record<string, string>>;
  /** By the place of a block on its page: the line that prints it, if it is not the block before. */
  readonly asks?: Readonly<Record<number, string>>;
  /** The name of the file that has the text of a block. */
  readonly files?: Readonly<Record<number, string>>;
  /** A line that must succeed after the block; `$printed` is what the block printed. */
  readonly after?: Readonly<Record<number, string>>;
}

/** How many blocks run. It may only rise: `pages.test.ts` compares it with the pages. */
export const FLOOR = 123;

const DEMO = '. data/demo.env';
/** All tables, as `download-a-snapshot.md` leaves them. */
const TABLES = `${DEMO}\ncd snapshot`;
const PULLS = { '=…': '=$TOKEN', 'https://host/v1': '$BASE_URL' };
const NEWEST = `${DEMO}
newest() { curl -H "Authorization: Bearer $TOKEN" "$BASE_URL/reporting/latest" | jq -r .snapshot_id; }
ID=$(newest)`;
/** The superuser of the PostgreSQL of `npm start`. */
const SUPERUSER = `ADMIN=postgres://postgres:$(cat data/postgres/superuser.password)@127.0.0.1:$(sed -n 4p data/postgres/data/postmaster.pid)
SQL="psql -qX -v ON_ERROR_STOP=1 $ADMIN/crossfoot"`;
const BILLS = resolve(import.meta.dirname, '../ledger/focus/bills.ts');

/** A server does not end by itself: it is ended once it is ready. */
const SERVES = `{ PORT=0 setsid npx --no crossfoot serve > serve.txt 2>&1 & until grep -q ^ready serve.txt; do sleep 1; kill -0 \\$!; done; kill -- -\\$!; }`;

const sql = (page: string, after?: Journey['after']): Journey => ({
  page,
  given: TABLES,
  ...(after === undefined ? {} : { after }),
});

/** One first start, in this order. */
export const SHARED: readonly Journey[] = [
  {
    page: 'README.md',
    asks: { 7: `"$NODE" "$ASK_ASSISTANT"` },
  },
  { page: 'docs/articles/start.md' },
  { page: 'docs/articles/download-a-snapshot.md', given: DEMO },
  sql('docs/articles/ai-spend.md'),
  sql('docs/articles/budgets.md'),
  sql('docs/articles/cash-and-freed-capacity.md', {
    0: `test "$(cut -f 3 <<<"$printed" | jq -s add)" = "$(duckdb <<<"select freed_capacity_cents from 'reported_totals.parquet' where scope = 'portfolio' and window_key = 'all';")"`,
  }),
  sql('docs/articles/dollar-conversion.md', { 0: 'test -z "$printed"' }),
  sql('docs/articles/evidence.md'),
  sql('docs/articles/locked-months.md'),
  sql('docs/articles/plans-and-due-dates.md'),
  sql('docs/articles/reporting-tables.md', {
    0: 'test "$(cut -f 1 <<<"$printed")" = "$(cut -f 2 <<<"$printed")"',
  }),
  { page: 'docs/articles/periods-and-windows.md', given: TABLES },
  {
    page: 'docs/articles/load-into-redshift.md',
    given: TABLES,
    values: PULLS,
    after: {
      3: `test "$(tr , '\\n' <<<"$printed" | wc -l)" = "$(duckdb <<<"select count(*) from (describe from 'costs.parquet');")"`,
    },
  },
  { page: 'docs/articles/load-into-duckdb.md', given: `${TABLES}\nrm -rf crossfoot`, values: PULLS },
  {
    page: 'docs/articles/load-into-postgresql.md',
    given: `${DEMO}\n${SUPERUSER}\npsql -qX $ADMIN/postgres -c "create role loader login password 'loader'" -c 'create database warehouse owner loader'
export PGPASSWORD=loader\nmkdir into-postgres && cd into-postgres`,
    values: { ...PULLS, 'postgres://loader@db': 'postgres://loader:loader@${ADMIN#*@}' },
  },
  { page: 'docs/articles/load-into-bigquery.md', given: `${DEMO}\nrm -rf crossfoot`, values: PULLS },
  { page: 'docs/articles/load-into-snowflake.md', given: `${DEMO}\nrm -rf crossfoot`, values: PULLS },
  { page: 'docs/articles/load-with-dbt.md', given: `${DEMO}\nmkdir models`, files: { 1: 'models/own.yml' } },
  { page: 'docs/articles/finops-tool.md', given: DEMO },
  {
    page: 'docs/articles/clients.md',
    given: `${NEWEST}\nSNAPSHOT_URL=$BASE_URL/reporting/snapshots/$ID
LINK=$(curl -H "Authorization: Bearer $TOKEN" $SNAPSHOT_URL/links | jq -r '.links[] | select(.name == "costs") | .url')`,
  },
  {
    page: 'docs/articles/pull.md',
    given: `${DEMO}\ncurl -O "\${BASE_URL%/v1}/pull.mjs"`,
    values: { ...PULLS, '/data/crossfoot': './pulled' },
  },
  {
    page: 'docs/articles/read-the-api.md',
    given: `${NEWEST}\nnpx --no crossfoot pin $ID --account 1 --name september-close
until curl -H "Authorization: Bearer $TOKEN" "$BASE_URL/roi?snapshot_id=september-close"; do sleep 1; done
NEXT_CURSOR=$(curl -H "Authorization: Bearer $TOKEN" "$BASE_URL/cost_entries?limit=1" | jq -r .page.next_cursor)`,
    values: { '20261001T020000Z': '$ID', 'limit=500&cursor': 'limit=1&cursor' },
  },
  {
    page: 'docs/articles/verify-a-snapshot.md',
    given: `cp -r data/objects/v1/a/1/s/* copied-snapshot\n${NEWEST}`,
    values: { '20260715T020000Z': '$ID' },
  },
  {
    page: 'docs/articles/what-changed.md',
    given: `${NEWEST}\nnpx --no crossfoot account set 1 --name 'Changed Company'\nnpx --no crossfoot build --account 1`,
    values: { '20260714T020000Z': '$ID' },
  },
  {
    page: 'docs/articles/mount-the-tables.md',
    given: `${DEMO}\nrm -f profile.json`,
    values: {
      'version=41': 'version=2',
      '2026-10-01T00:00:00Z': '$(date -u +%FT%TZ)',
      '=40,': '=1,',
      'ending_version=41': 'ending_version=2',
    },
  },
  { page: 'docs/articles/attach-the-tables.md', given: DEMO },
  {
    page: 'docs/articles/tokens.md',
    given: `${DEMO}\nnpx --no crossfoot token issue --account 1 --kind reporting --name old`,
    values: {
      'revoke 7': 'revoke $(npx --no crossfoot token list --account 1 | grep old | cut -d " " -f 1)',
    },
  },
  { page: 'docs/articles/deliveries.md' },
  {
    page: 'docs/articles/assistant.md',
    given: DEMO,
    files: { 1: 'any.json', 2: 'code.json', 3: 'remote.json' },
    after: { 7: 'test "$(jq .currency <<<"$printed")" = \'"USD"\'' },
  },
  { page: 'docs/articles/security.md' },
  { page: 'docs/articles/performance.md' },
  { page: 'docs/articles/huge-account.md' },
  { page: 'docs/articles/spark.md' },
  { page: 'docs/articles/operating.md' },
  { page: 'docs/articles/troubleshooting.md' },
  // The README has made account 4 and ./own; the next page removes that account.
  { page: 'docs/articles/add-a-person.md' },
  {
    page: 'docs/articles/close-a-month.md',
    given: `cp -r own corrected
CLOSER=$(npx --no crossfoot people list --account 4 --json | jq '.[0].id')`,
    values: { '--by 12': '--by $CLOSER' },
    files: { 2: 'accounting_months.csv' },
  },
  {
    page: 'docs/articles/accounts.md',
    // An account with a locked month is removed with --locked alone.
    given: `npx --no crossfoot month reopen 2026-03 --account 4 --reason 'The account goes.' --by $(npx --no crossfoot people list --account 4 --json | jq '.[0].id')`,
    values: { '"Own Company"': '\\"Other Company\\"' },
  },
  {
    page: 'docs/guides/sap_erp.md',
    given: 'SAP_HOST=sap.example',
    after: { 0: 'test "$printed" = https://sap.example/sap/opu/odata' },
  },
  ...[
    'anthropic',
    'aws_cost_explorer',
    'azure_cost_management',
    'azure_openai',
    'github_copilot',
    'google_cloud_billing',
    'snowflake',
  ].map((platform) => ({ page: `docs/guides/${platform}.md` })),
  {
    page: 'docs/articles/write-with-sql.md',
    given: `${SUPERUSER}
APPLICATION=postgres://application@\${ADMIN#*@}/crossfoot
PGPASSWORD='choose one'
SQL="psql -qX -v ON_ERROR_STOP=1 $APPLICATION"
DATABASE_URL=postgres://application:choose%20one@\${ADMIN#*@}/crossfoot
ACCOUNT_ID=1 INITIATIVE_ID=101 PERSON_ID=1`,
    values: { 'postgres://admin@db': '$ADMIN' },
  },
  {
    page: 'docs/articles/ai-gateway.md',
    given: `mkdir bills
printf 'source_ref,title,stage\\nS1,Support replies,live\\n' > initiatives.csv
npx --no crossfoot load initiatives.csv --account 1
"$NODE" --input-type=module --eval 'import { charges, writeParquet } from "${BILLS}";
const openai = { BillingAccountId: "team-support", BillingAccountName: "team-support", ProviderName: "openai", InvoiceId: null };
const claimed = { ...openai, BilledCost: "10.00", Tags: JSON.stringify({ team_alias: "support" }) };
await writeParquet("bills/usage.parquet", charges(claimed, { ...openai, BilledCost: "4.00", Tags: "{}" }), {});'`,
    files: { 1: 'mapping.yml', 5: 'usage.csv' },
  },
  {
    page: 'docs/articles/load-the-ledger.md',
    // The README has made ./own before.
    given: `${SUPERUSER}
rm -rf own
npx --no crossfoot init ./spreadsheets
mkdir -p bank && cp spreadsheets/initiatives.csv bank && touch bank/scan.pdf
gzip -k -c spreadsheets/cost_entries.csv > cost_entries.csv.gz
cp cost_entries.csv.gz export.gz
cp spreadsheets/cost_entries.csv 'Invoices March.csv'
duckdb <<<"copy (from read_csv('spreadsheets/value_entries.csv', all_varchar = true)) to 'value_entries.parquet';"
mkdir -p export own-pages/articles
printf -- '---\\nid: 9001\\nslug: our-rules\\ntheme: Start\\ntitle: Our rules\\nsummary: Ours.\\npublished: true\\n---\\n\\nOurs.\\n' > own-pages/articles/our-rules.md`,
    values: {
      '"Own Company"': '\\"Third Company\\"',
      '--account 1': "--account \\$(npx --no crossfoot account list | sed -n 's/ .*Third.*//p')",
      // Approvals are never deleted, and an account names who switched its reporting on: this account has neither.
      '--mode replace-account --account 7': '--mode replace-account --account $FOURTH',
      '--account 7': '--account $THIRD',
    },
    files: { 3: 'columns.yml', 4: 'costs.csv' },
    after: {
      0: `THIRD=$($SQL -At -c 'select max(id) from ledger.accounts')
FOURTH=$($SQL -At -c "insert into ledger.accounts (name, plan, plan_includes_api) values ('Fourth Company', 'business', true) returning id")
printf 'account_id,id,title,stage\\n%s,990001,Exported,live\\n' $FOURTH > export/initiatives.csv
printf 'account_id,id,initiative_id,amount_cents,currency,cost_category,period_start,period_end,source_type\\n%s,990001,990001,1250,USD,opex,2026-03-01,2026-03-31,csv\\n' $FOURTH > export/cost_entries.csv`,
    },
  },
  // It leaves the reporting of account 1 switched off.
  { page: 'docs/articles/plans.md' },
];

/** Each with a first start of its own. */
export const OWN_START: readonly Journey[] = [
  {
    page: 'docs/articles/bad-night.md',
    given:
      'mv data/spool away && touch data/spool\n! npx --no crossfoot build --account 1\nrm data/spool && mv away data/spool',
  },
  { page: 'docs/articles/lost-bucket.md', whileStopped: 'rm -r data/objects' },
  { page: 'docs/articles/lost-database.md', given: `${SUPERUSER}\nOWNER_URL=$ADMIN/crossfoot` },
  {
    page: 'docs/articles/key-rotation.md',
    given: `${DEMO}\nnpx --no crossfoot token issue --account 1 --kind reporting --name old`,
    values: {
      'revoke 7': 'revoke $(npx --no crossfoot token list --account 1 | grep old | cut -d " " -f 1)',
    },
  },
  {
    page: 'docs/articles/own-postgresql.md',
    startsWith: 'an empty PostgreSQL',
    given: `PLACE=\${SERVER#*@}
cp -r fixtures/company export
OURS=postgres://admin:choose%20one@$PLACE/ours
SQL="psql -qX -v ON_ERROR_STOP=1 $OURS"`,
    values: {
      'postgres://postgres@db': '$SERVER/postgres',
      'database crossfoot': 'database ours',
      'postgres://admin:…@db/crossfoot': '$OURS',
      'postgres://ledger_server:…@db/crossfoot': 'postgres://ledger_server:choose%20one@$PLACE/ours',
      'postgres://ledger_owner:…@db/crossfoot': 'postgres://ledger_owner:choose%20another@$PLACE/ours',
      'npx --no crossfoot serve': SERVES,
    },
    after: { 5: 'SQL="psql -qX -v ON_ERROR_STOP=1 $SERVER/ours"' },
  },
  {
    page: 'deploy/README.md',
    startsWith: 'an empty PostgreSQL',
    given: `PLACE=\${SERVER#*@}
psql -qX $SERVER/postgres -c "create role admin login createrole password 'admin'" -c 'create database ours owner admin'
STORE=$(mktemp -d)
OURS=postgres://admin:admin@$PLACE/ours
SQL="psql -qX -v ON_ERROR_STOP=1 $OURS"`,
    values: {
      'postgres://admin@db/crossfoot': '$OURS',
      'postgres://crossfoot_server:…@db/crossfoot': 'postgres://crossfoot_server:choose%20one@$PLACE/ours',
      's3://figures/crossfoot': 'file:$STORE',
      'https://figures.example/v1': 'http://127.0.0.1:8787/v1',
      'SECRET_KEYS=…': 'SECRET_KEYS=$(openssl rand -hex 32)',
      'SIGNING_KEYS=…': 'SIGNING_KEYS=$(openssl rand -hex 32)',
    },
  },
  {
    page: 'docs/articles/erase-a-name.md',
    given: `${NEWEST}\n${SUPERUSER}\nnpx --no crossfoot pin $ID --account 1 --name close-2026-08`,
    values: { '20260901T020000Z': '$ID' },
    after: {
      0: `test "$($SQL -At -c "select name, (select count(*) from vault.user_emails where user_id = u.id) from ledger.users u where id = 7")" = 'Former member|0'`,
    },
  },
];
