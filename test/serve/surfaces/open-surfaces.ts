/** Accounts in two snapshots, each surface of the newest asked: costs are recorded between the two. */
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { COMPANION_SET } from '../../../src/tables/companions.ts';
import { FOCUS_SET } from '../../../src/tables/focus.ts';
import { DAY } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { inAccount, insert } from '../../support/ledger-rows.ts';
import { askSurfaces, type Compared } from './surfaces.ts';

export const ALL_SURFACES = [
  'AI spend: CSV',
  'AI spend: assistant as of',
  'AI spend: assistant live',
  'AI spend: page and assistant as of',
  'AI spend: page and assistant live',
  'AI spend: rows behind',
  'API as of',
  'API live',
  'CSV',
  'FOCUS',
  'assistant as of',
  'assistant live',
  'budgets: API live',
  'budgets: CSV',
  'budgets: assistant as of',
  'budgets: assistant live',
  'budgets: file',
  'budgets: page of an initiative',
  'budgets: page of budgets',
  'chart of an initiative',
  'file',
  'initiatives',
  'overview',
  'page of an initiative',
  'page of the snapshot',
  'plans: page of an initiative',
  'plans: reported_totals',
  'plans: unconfirmed',
  'status',
  'status in words',
  'webhook',
  'webhook in words',
  'webhook: budgets',
];

export interface Surfaces {
  readonly harness: BuildHarness;
  /** Asks of the account, for these windows or for all, and prints how many figures were compared. */
  asked(
    name: string,
    account_id: bigint,
    windows?: readonly string[],
  ): Promise<Compared & { readonly count: number }>;
  close(): Promise<void>;
}

export async function openSurfaces(): Promise<Surfaces> {
  const [harness, checksBeside] = await Promise.all([
    openBuildHarness(),
    readChecksBeside([COMPANION_SET, FOCUS_SET]),
  ]);
  return {
    harness,
    async asked(name, account_id, windows) {
      const yesterday = { at: AT - DAY, night: '2026-07-14', checksBeside };
      const before = await harness.build({ account_id, ...yesterday });
      await recordCosts(harness, account_id);
      await harness.build({ account_id, at: AT, checksBeside });
      const compared = await askSurfaces(harness, account_id, {
        at: AT,
        before_id: before.snapshot_id,
        windows,
      });
      const count = [...compared.figures.values()].reduce((sum, each) => sum + each, 0);
      const each = [...compared.figures].map(([surface, figures]) => `${surface} ${figures}`);
      process.stdout.write(`${name}: ${count} figures compared: ${each.toSorted().join(', ')}\n`);
      return { ...compared, count };
    },
    close: () => harness.close(),
  };
}

/** A small cost, and a large one of an initiative whose budget has ended, if there is such a budget. */
async function recordCosts({ database }: BuildHarness, account_id: bigint): Promise<void> {
  const owner = await database.client('cf_owner');
  await inAccount(owner, account_id, async () => {
    const { rows } = await owner.query<{ id: bigint; amount_cents: number }>(
      `select min(id) as id, 12345 as amount_cents from ledger.initiatives where account_id = $1 and not is_sample
       union all
       select min(b.initiative_id), 999999999 from ledger.budget_versions b
       join ledger.initiatives i on i.account_id = b.account_id and i.id = b.initiative_id and not i.is_sample
       where b.account_id = $1 and b.status = 'approved' and b.ends_on < '2026-07-01'
         and not exists (
           select from ledger.budget_versions later
           where later.account_id = b.account_id and later.initiative_id = b.initiative_id
             and later.status = 'approved' and later.effective_from > b.effective_from)`,
      [account_id],
    );
    const cost = { account_id, currency: 'USD', period_start: '2026-07-01', source_type: 'manual' };
    for (const { id: initiative_id, amount_cents } of rows.filter(({ id }) => id !== null)) {
      await insert(owner, 'ledger.cost_entries', { ...cost, initiative_id, amount_cents });
    }
  });
}
