/** Columns that must never leave: each holds a canary here, and no reader finds one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableSelect } from '../../src/ledger/moment/table-select.ts';
import { TOOLS } from '../../src/serve/assistant/all.ts';
import { TABLES } from '../../src/tables/all.ts';
import { askingOf } from '../serve/assistant/questions.ts';
import { OPERATIONS } from '../serve/contract/contract-operations.ts';
import { bearer } from '../serve/fake-parts.ts';
import { type LiveCompany, openLive, tokenOf } from '../serve/live/live-company.ts';

const CANARY = 'canary-that-never-leaves';
/** Two more are worked out of these. */
const SELECTED = TABLES.filter(({ from }) => from !== null).map(({ name }) => name);
/** After everything that the fixture company recorded. */
const GENERATED_AT = 1_800_000_000_000_000n;

/** Every text of the vault, and the titles of documents that are restricted. */
const PLANTED = `
  update vault.connection_secrets set credentials = $1, error_text = $1, settings = jsonb_build_object($1, $1);
  update vault.user_emails set email = $1 || user_id;
  update vault.document_contents set url = 'https://' || $1;
  update ledger.documents set title = $1 where kind in ('sow', 'contract');
  insert into vault.webhooks (account_id, url, secrets) values (1, 'https://' || $1, array[$1]);
  insert into vault.delivery_targets (account_id, address, sealed) values (1, 's3://' || $1, $1);
  insert into vault.access_tokens (account_id, kind, name, prefix, last_four, checksum, sha256, issued_by_id)
  select account_id, 'personal', $1, 'cf_pat_', 'abcd', '000000', sha256($1::bytea), user_id
  from ledger.memberships where account_id = 1 and role = 'owner' and removed_at is null limit 1`;

let company: LiveCompany;
beforeAll(async () => {
  company = await openLive();
  const owner = await company.database.client('cf_owner');
  for (const statement of PLANTED.split(';')) await owner.query(statement.replaceAll('$1', `'${CANARY}'`));
});
afterAll(() => company.close());

describe('A-31: the canary of a secret column', () => {
  it('is stored, so that a leak would show it', async () => {
    const backup = company.database.pool('cf_backup', 1);
    const { rows } = await backup.query<{ table: string }>(
      `select (regexp_match(found::text, '^\\((\\w+)'))[1] as table from (
         select 'secrets', s::text from vault.connection_secrets s union select 'emails', e::text from vault.user_emails e
         union select 'contents', c::text from vault.document_contents c union select 'webhooks', w::text from vault.webhooks w
         union select 'targets', g::text from vault.delivery_targets g
         union select 'tokens', t::text from vault.access_tokens t union select 'titles', d::text from ledger.documents d
       ) as found (name, text) where text like '%${CANARY}%' group by 1 order by 1`,
    );
    expect(rows.map(({ table }) => table)).toEqual([
      'contents',
      'emails',
      'secrets',
      'targets',
      'titles',
      'tokens',
      'webhooks',
    ]);
  });

  it.each(SELECTED)('is in no row of %s', async (name) => {
    const reader = await company.database.client('cf_reader');
    await reader.query(`begin; set local app.account_id = '1'`);
    const select = tableSelect(name, { account_id: 1n, generated_at: GENERATED_AT });
    const { rows } = await reader.query<{ text: string }>(`select told::text as text from (${select}) told`);
    await reader.query('rollback');
    expect(rows.filter(({ text }) => text.includes(CANARY))).toEqual([]);
  });

  it('is in no answer of any route', async () => {
    const found: string[] = [];
    for (const { asked, path } of OPERATIONS) {
      if (path.startsWith('/reporting/')) continue; // made of the rows above
      const text = await (await company.app.request(asked, bearer(tokenOf(1)))).text();
      if (text.includes(CANARY)) found.push(asked);
    }
    expect(found).toEqual([]);
  });

  it('is in no answer of any tool, not even when it is searched for', async () => {
    const asking = askingOf(company);
    const questions = [
      {},
      { query: CANARY },
      { query: 'canary' },
      { initiative_id: 101 },
      { platform: 'openai' },
    ];
    const found: string[] = [];
    for (const { name } of TOOLS) {
      for (const asked of questions) {
        const { text, structured } = await asking.call(name, asked);
        if (`${text}${JSON.stringify(structured)}`.replaceAll(JSON.stringify(asked), '').includes(CANARY))
          found.push(name);
      }
    }
    expect(found).toEqual([]);
  });
});
