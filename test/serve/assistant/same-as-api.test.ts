/** Every figure and record of a tool equals that of its route, over the whole fixture company. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, openAsking } from './questions.ts';

type Record_ = Readonly<Record<string, unknown>>;

const TODAY = '2026-07-15';
const WINDOWS = ['window=1yr', 'window=3yr', 'window=5yr', 'window=all', 'window=fy2027-q1', 'from=2026-05'];

let asking: Asking;
let initiatives: readonly Record_[];
beforeAll(async () => {
  asking = await openAsking({ readToday: async () => TODAY });
  initiatives = await rows('/initiatives?limit=500');
});
afterAll(() => asking.company.close());

async function rows(path: string): Promise<readonly Record_[]> {
  const { body } = await asking.company.ask(path);
  return (body as { data: Record_[] }).data; // the envelope of every list
}

async function structured(tool: string, asked: Record<string, unknown>): Promise<Record_> {
  const { structured: answer, text } = await asking.call(tool, asked);
  if (answer === undefined) throw new Error(text);
  return answer;
}

/** The fields of a row that the other has, by name. */
function sharedWith(row: Record_ | undefined, shown: Record_): Record_ {
  return Object.fromEntries(
    Object.keys(shown)
      .filter((name) => row !== undefined && name in row)
      .map((name) => [name, row?.[name]]),
  );
}

/** What is shown, words of people without what says that they are. */
function plain(shown: Record_, names: readonly string[]): Record_ {
  return Object.fromEntries(
    names.map((name) => {
      const value = shown[name];
      const marked = typeof value === 'object' && value !== null && 'cut_characters' in value;
      return [name, marked ? Reflect.get(value, 'text') : value];
    }),
  );
}

function holdEqual(shown: Record_, row: Record_ | undefined, fields: number): void {
  const served = sharedWith(row, shown);
  expect(Object.keys(served).length).toBeGreaterThanOrEqual(fields);
  expect(plain(shown, Object.keys(served))).toEqual(served);
}

describe('get_roi_summary', () => {
  it.each(WINDOWS)(
    'shows what /roi answers for %s, of the portfolio and of every initiative',
    async (parameter) => {
      const [name = '', value] = parameter.split('=');
      // Every initiative once: the other windows differ by their days alone.
      const ids = initiatives.map(({ id }) => Number(id));
      expect(ids.length).toBeGreaterThan(10);
      const scopes = [undefined, ...(value === 'all' ? ids : ids.slice(0, 3))];
      for (const initiative_id of scopes) {
        const filter = initiative_id === undefined ? '' : `&initiative_id=${initiative_id}`;
        const { body } = await asking.company.ask(`/roi?${parameter}${filter}`);
        const { as_of, roi_percentage, app_url, ...shown } = await structured('get_roi_summary', {
          [name]: value,
          initiative_id,
        });
        expect(shown).toEqual(body);
        expect(as_of).toBe(TODAY);
        expect(app_url).toBe(
          `https://app.crossfoot.example/halden/${initiative_id === undefined ? 'roi' : `initiatives/${initiative_id}`}`,
        );
        expect(roi_percentage === null).toBe(shown['roi'] === null);
      }
    },
  );

  it('states cash value and freed capacity apart, and the percentage of net cash', async () => {
    const summary = await structured('get_roi_summary', { initiative_id: 101, window: '1yr' });
    const { cash_value_cents, total_cost_cents, net_value_cents, roi, roi_percentage } = summary;
    expect(net_value_cents).toBe(Number(cash_value_cents) - Number(total_cost_cents));
    expect(roi).toBe(Number(net_value_cents) / Number(total_cost_cents));
    expect(roi_percentage).toBe(Math.round(Number(roi) * 1_000) / 10);
    expect(summary).toHaveProperty('freed_capacity_cents');
  });
});

describe('list_initiatives', () => {
  it('shows the initiatives of /initiatives, those changed last first, and no sample', async () => {
    const { initiatives: shown, has_more } = await structured('list_initiatives', { limit: 50 });
    const listed = shown as Record_[];
    expect(has_more).toBe(false);
    expect(listed.map(({ id }) => id)).toEqual(initiatives.map(({ id }) => id).toReversed());
    for (const each of listed)
      holdEqual(
        each,
        initiatives.find(({ id }) => id === each['id']),
        3,
      );
  });

  it('rolls each stage up into one status, and finds it by that', async () => {
    const stages = {
      not_started: ['identified', 'reviewing'],
      active: ['implementing', 'live'],
      completed: ['completed'],
      inactive: ['paused', 'rejected', 'dismissed'],
    };
    for (const [status, held] of Object.entries(stages)) {
      const { initiatives: shown } = await structured('list_initiatives', { status, limit: 50 });
      const listed = (shown as Record_[]).map(({ id, status: said }) => [id, said]);
      const expected = initiatives.filter(({ stage }) => held.includes(String(stage)));
      expect(listed).toEqual(expected.map(({ id }) => [id, status]).toReversed());
    }
  });

  it('shows 20 unless asked for others, and says when there are more', async () => {
    const { initiatives: shown, has_more } = await structured('list_initiatives', { limit: 3 });
    expect([(shown as Record_[]).length, has_more]).toEqual([3, true]);
    const { initiatives: usual } = await structured('list_initiatives', {});
    expect((usual as Record_[]).length).toBe(Math.min(20, initiatives.length));
  });
});

describe('get_initiative', () => {
  it('shows the record, the comparison and the entries that the routes serve, of every initiative', async () => {
    let [costs, values] = [0, 0];
    const kinds = new Set<string>();
    for (const row of initiatives) {
      const filter = `initiative_id=${String(row['id'])}`;
      const shown = await structured('get_initiative', { initiative_id: row['id'] });
      const [budget] = await rows(`/budgets?${filter}`);
      holdEqual(shown, row, 8);
      holdEqual(shown['business_case'] as Record_, row, 7);
      holdEqual(shown['budget'] as Record_, budget, 10);
      expect(Reflect.get(shown['budget'] as Record_, 'started_on')).toBe(budget?.['budget_started_on']);
      costs += await holdEntries(shown['recent_costs'], `/cost_entries?${filter}&limit=500`, 9);
      values += await holdEntries(shown['recent_value_entries'], `/value_entries?${filter}&limit=500`, 9);
      const { entries } = shown['recent_value_entries'] as { entries: Record_[] };
      for (const { entry_type, counts_as } of entries)
        kinds.add(`${String(entry_type)} is ${String(counts_as)}`);
    }
    expect(Math.min(costs, values)).toBeGreaterThan(20);
    // Cash value is told from freed capacity on every entry.
    expect([...kinds].toSorted()).toEqual([
      'capacity is freed_capacity',
      'capacity_realized is cash_value',
      'cost_avoidance is cash_value',
      'cost_savings is cash_value',
      'null is undecided',
      'revenue_gain is cash_value',
    ]);
  });

  it('shows the notes of the initiative, and the page of each record', async () => {
    const shown = await structured('get_initiative', { initiative_id: 101 });
    expect(shown['notes']).toMatchObject({
      entries: [{ body: { cut_characters: 0 }, author_name: 'Zoë Brännström' }],
      has_more: false,
    });
    const page = 'https://app.crossfoot.example/halden/initiatives/101';
    expect(shown['app_url']).toBe(page);
    const [cost] = (shown['recent_costs'] as { entries: Record_[] }).entries;
    expect(cost?.['app_url']).toBe(`${page}/costs/${String(cost?.['id'])}`);
    const [value] = (shown['recent_value_entries'] as { entries: Record_[] }).entries;
    expect(value?.['app_url']).toBe(`${page}/value/${String(value?.['id'])}`);
    const [budget] = await rows('/budgets?initiative_id=101');
    const version = budget?.['current_version'] as { id: number } | undefined;
    expect(shown['budget']).toMatchObject({ app_url: `${page}/budget/${version?.id}` });
  });
});

/** The latest ten, by period, of what the route lists, then at most five undated ones; gives how many. */
async function holdEntries(shown: unknown, path: string, fields: number): Promise<number> {
  const { entries, has_more } = shown as { entries: Record_[]; has_more: boolean };
  const all = await rows(path);
  const [dated, undated] = [true, false].map((wanted) =>
    all.filter(({ period_start }) => (period_start !== null) === wanted).toSorted(byPeriod),
  ) as [Record_[], Record_[]]; // of two
  const expected = [...dated.slice(0, 10), ...undated.slice(0, 5)];
  expect(entries.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  expect(has_more).toBe(all.length > expected.length);
  for (const entry of entries)
    holdEqual(
      entry,
      all.find(({ id }) => id === entry['id']),
      fields,
    );
  return entries.length;
}

function byPeriod(a: Record_, b: Record_): number {
  const [one, other] = [a, b].map(({ period_start }) =>
    typeof period_start === 'string' ? period_start : '',
  );
  return other === one ? Number(b['id']) - Number(a['id']) : (other ?? '') > (one ?? '') ? 1 : -1;
}

describe('list_integrations', () => {
  it('shows the connections of /integrations, those changed last first', async () => {
    const { integrations: shown, has_more } = await structured('list_integrations', {});
    const served = await rows('/integrations?limit=500');
    const listed = shown as Record_[];
    expect([listed.map(({ id }) => id), has_more]).toEqual([served.map(({ id }) => id).toReversed(), false]);
    for (const each of listed) {
      holdEqual(
        each,
        served.find(({ id }) => id === each['id']),
        7,
      );
      expect(each['app_url']).toBe(
        `https://app.crossfoot.example/halden/integrations/${String(each['platform'])}`,
      );
    }
  });
});
