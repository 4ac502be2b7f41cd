/** One row in every table that belongs to an account, with its months locked: for tests that must miss no table. */
import type { ClientBase } from 'pg';
import { type Founded, type Row, addCost, addValue, insert, lockMonth } from './ledger-rows.ts';

const DAY = '2026-03-05';

/** Fills the account's tables as the owner of the ledger; the catalogue rows it needs are made if new. */
export async function fillAccount(owner: ClientBase, home: Founded): Promise<void> {
  await owner.query(
    `insert into ledger.platforms (key, name, category) values ('books', 'Books', 'finance') on conflict do nothing`,
  );
  const { account, initiative, person } = home;
  const add = (table: string, row: Row): Promise<bigint> =>
    insert(owner, table, { account_id: account, ...row });
  const bare = (table: string, row: Row): Promise<unknown> =>
    insertOnly(owner, table, { account_id: account, ...row });
  const money = { amount_cents: 1000, currency: 'USD' };

  const connection_id = await add('ledger.connections', {
    platform_key: 'books',
    status: 'active',
    connected_by_id: person,
  });
  await add('ledger.connection_primary_categories', { connection_id, category: 'finance' });
  await bare('vault.connection_secrets', { connection_id, credentials: 'secret' });
  const token_id = await add('vault.access_tokens', {
    kind: 'personal',
    name: 'Warehouse',
    prefix: 'cf_pat_',
    last_four: 'abcd',
    checksum: '000000',
    sha256: Buffer.alloc(32, Number(account % 256n)),
    issued_by_id: person,
  });
  await bare('ops.token_uses', { token_id, last_used_at: '2026-03-05Z' });
  const client = await insert(owner, 'vault.assistant_clients', {
    client_id: `client ${account}`,
    name: 'Assistant',
    redirect_uris: ['https://assistant.example/'],
  });
  const grant_id = await add('vault.assistant_grants', {
    client,
    token_id,
    code_sha256: Buffer.alloc(32, Number(account % 256n)),
    redirect_uri: 'https://assistant.example/',
    challenge: 'a'.repeat(43),
  });
  await bare('vault.assistant_tokens', {
    grant_id,
    kind: 'access',
    sha256: Buffer.alloc(32, Number(account % 256n)),
    expires_at: '2027-03-05Z',
  });
  const seen = { store: 'data/store', generation: 0, seq: 1, entry_sha256: '0'.repeat(64) };
  await bare('ops.seen_heads', seen);
  const webhook_id = await add('vault.webhooks', { url: 'https://hooks.example', secrets: ['whsec_AA=='] });
  const event = { message_id: 'msg_1', type: 'snapshot.published', occurred_at: '2026-03-05Z', body: '{}' };
  const event_id = await add('ops.events', event);
  await add('ops.deliveries', { event_id, webhook_id });
  const target_id = await add('vault.delivery_targets', {
    address: `s3://theirs/${account}`,
    sealed: 'sealed',
  });
  const delivered = { target_id, snapshot_id: '20260305T000000Z', seq: 1 };
  const delivery_id = await add('ops.snapshot_deliveries', delivered);
  await bare('ops.delivered_objects', { delivery_id, key: 'latest.json', own: true });

  await add('ledger.initiative_approvers', { initiative_id: initiative, user_id: person });
  await add('ledger.initiative_notes', { initiative_id: initiative, author_id: person, body: 'Good.' });
  await add('ledger.assessments', { initiative_id: initiative, title: 'First', status: 'draft' });
  const chain_id = await add('ledger.approval_chains', { subject_kind: 'value_entry', name: 'Finance' });
  await add('ledger.approval_chain_steps', { chain_id, step: 1, approver_id: person });
  await add('ledger.charters', { initiative_id: initiative, title: 'Charter', status: 'draft' });

  const vendor_id = await add('ledger.vendors', { name: 'Cloud' });
  const monthly = { ...money, month: '2026-03-01', ai_amount_cents: 500 };
  const provider_bill_id = await add('ledger.provider_bills', { ...monthly, connection_id });
  await add('ledger.vendor_bills', { ...monthly, vendor_id, feed: 'books', connection_id });
  await add('ledger.card_charges', { ...money, connection_id, vendor_id, charged_on: DAY });
  const link_id = await add('ledger.ai_spend_links', { initiative_id: initiative, connection_id });
  await add('ledger.bill_shares', { link_id, provider_bill_id, share: 1 });
  const used = { unit: 'input_tokens', quantity: '1000', billed_cost: '0.003' };
  await add('ledger.usage', { bill_id: provider_bill_id, used_on: DAY, model: 'claude-sonnet-4', ...used });

  const books_account_id = await add('ledger.books_accounts', { connection_id, name: 'Software' });
  const implementation_id = await add('ledger.implementations', {
    initiative_id: initiative,
    title: 'Build',
    status: 'done',
  });
  const recurring_cost_id = await add('ledger.recurring_costs', {
    ...money,
    initiative_id: initiative,
    description: 'Seats',
    cadence: 'monthly',
    starts_on: DAY,
  });
  const shared_bill_id = await add('ledger.shared_bills', { ...money, vendor_id, description: 'Shared' });
  const allocation_line_id = await add('ledger.allocation_lines', {
    shared_bill_id,
    initiative_id: initiative,
    weight: 1,
    amount_cents: 1000,
  });

  const metric_id = await add('ledger.metrics', { metric_key: 'invoice.minutes', name: 'Minutes' });
  const time_study_id = await add('ledger.time_studies', {
    metric_id,
    initiative_id: initiative,
    title: 'Week',
    started_on: DAY,
    ended_on: DAY,
    restudy_months: 12,
  });
  // No person recorded what a time study gives; the second reading has a recorder.
  const reading = { metric_id, initiative_id: initiative, value: 12, role: 'reading' };
  const studied = { ...reading, source_type: 'time_study', time_study_id };
  const observation = await add('ledger.observations', studied);
  const ofAccount = { ...reading, initiative_id: null };
  await add('ledger.observations', { ...ofAccount, source_type: 'manual', recorded_by_id: person });
  await add('ledger.assumptions', { key: 'rate', label: 'Rate', value: 50, effective_from: DAY });
  const formula_id = await add('ledger.formulas', { formula_key: 'time_saved' });
  const formula_version_id = await add('ledger.formula_versions', {
    formula_id,
    version: 1,
    name: 'Saved',
    expression: 'a',
  });

  await addCost(owner, home, {
    vendor_name: 'Cloud',
    books_account_id,
    connection_id,
    implementation_id,
    recurring_cost_id,
    allocation_line_id,
    provider_bill_id,
    recorded_by_id: person,
  });
  const value_entry_id = await addValue(owner, home, {
    source_type: 'calculated',
    formula_version_id,
    input_snapshot: `{"expression":"a","inputs":{"a":{"source_type":"observation","observation_id":${observation}}}}`,
  });
  const document_id = await add('ledger.documents', {
    initiative_id: initiative,
    kind: 'sow',
    title: 'Work',
    format: 'link',
  });
  await bare('vault.document_contents', { document_id, url: 'https://files.example/1' });
  await add('ledger.document_citations', { value_entry_id, document_id });

  const decided = { subject_title: 'Invoices', decided_by_id: person, decided_at: '2026-04-05Z' };
  const approval_decision_id = await add('ledger.approval_decisions', {
    ...decided,
    subject_kind: 'value_entry',
    subject_id: value_entry_id,
    initiative_id: initiative,
    decision: 'approved',
    source: 'direct',
  });
  await add('ledger.portfolio_decisions', {
    ...decided,
    initiative_id: initiative,
    outcome: 'continue',
    stage_before: 'live',
    stage_after: 'live',
    rationale: 'It pays.',
    cash_value_cents: 1,
    freed_capacity_cents: 0,
    cost_to_date_cents: 1,
    currency: 'USD',
  });
  await add('ledger.budget_versions', {
    initiative_id: initiative,
    status: 'approved',
    source: 'approval',
    capex_cents: 0,
    opex_cents: 100,
    opex_cadence: 'monthly',
    currency: 'USD',
    effective_from: DAY,
    decided_at: '2026-04-05Z',
    approval_decision_id,
  });
  await lockMonth(owner, account, '2026-03-01');
}

/** Inserts a row into a table whose rows have no id of their own. */
async function insertOnly(db: ClientBase, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  await db.query(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}
