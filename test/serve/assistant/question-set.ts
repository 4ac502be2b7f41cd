/**
 * Questions that finance people ask, the calls that answer each (at most three), and what the last call must say. Every
 * expected figure stands in `fixtures/TOTALS.md`, `AI_SPEND.md` or `BUDGETS.md`, worked by hand, or is worked here from
 * figures there. All amounts are US cents unless the question says otherwise.
 */
type Asked = Readonly<Record<string, unknown>>;

export interface Question {
  readonly asks: string;
  readonly calls: readonly (readonly [tool: string, asked: Asked])[];
  /** Values by their path in the answer; in a list, a name or id leads to its row. */
  readonly finds: Readonly<Record<string, unknown>>;
}

function roi(asks: string, asked: Asked, finds: Asked): Question {
  return { asks, calls: [['get_roi_summary', asked]], finds };
}

function list(asks: string, asked: Asked, finds: Asked): Question {
  return { asks, calls: [['list_initiatives', asked]], finds };
}

function spend(asks: string, asked: Asked, finds: Asked): Question {
  return { asks, calls: [['get_ai_spend', asked]], finds };
}

function one(asks: string, initiative_id: number, finds: Asked): Question {
  return { asks, calls: [['get_initiative', { initiative_id }]], finds };
}

/** The pin of the snapshot with one cost more than the ledger has now: 100,000 of I101 in July 2026. */
const CLOSE = 'july-preview';

export const QUESTIONS: readonly Question[] = [
  // TOTALS.md, portfolio.
  roi('What have we spent on AI in all?', {}, { total_cost_cents: 3_061_155 }),
  roi('What came back in cash so far?', {}, { cash_value_cents: 2_713_382 }),
  roi('How much capacity did we free?', {}, { freed_capacity_cents: 225_785 }),
  roi('Are we ahead or behind?', {}, { net_value_cents: -347_773 }),
  roi('What is our ROI?', {}, { roi_percentage: -11.4 }), // −347,773 ÷ 3,061,155 = −0.1136
  roi('How much of the cost is capex?', {}, { 'cost.capex_cents': 1_609_215 }),
  roi('And how much is running cost?', {}, { 'cost.opex_cents': 1_451_940 }),
  roi('What did AI cost us in FY2026?', { window: 'fy2026' }, { total_cost_cents: 698_695 }),
  roi('What did it bring in FY2026?', { window: 'fy2026' }, { cash_value_cents: 1_442_374 }),
  roi('Did FY2026 pay for itself?', { window: 'fy2026' }, { net_value_cents: 743_679 }),
  roi('What was the ROI of FY2026?', { window: 'fy2026' }, { roi_percentage: 106.4 }), // 743,679 ÷ 698,695
  roi('What have we spent this fiscal year?', { window: 'fy2027' }, { total_cost_cents: 733_471 }),
  roi('What came back this fiscal year?', { window: 'fy2027' }, { cash_value_cents: 365_845 }),
  roi('What did last quarter cost?', { window: 'fy2027-q1' }, { total_cost_cents: 622_335 }),
  roi('What was the net of last quarter?', { window: 'fy2027-q1' }, { net_value_cents: -306_990 }),
  roi('What has this quarter cost so far?', { window: 'fy2027-q2' }, { total_cost_cents: 111_136 }),
  roi('How did we do in FY2025?', { window: 'fy2025' }, { net_value_cents: -696_217 }),
  roi('Cash value of the third quarter of FY2026?', { window: 'fy2026-q3' }, { cash_value_cents: 474_233 }),
  roi('And the quarter after that, net?', { window: 'fy2026-q4' }, { net_value_cents: -94_916 }),
  roi('Cost of April to June 2026?', { from: '2026-04', through: '2026-06' }, { total_cost_cents: 622_335 }),
  roi(
    'What did we buy in the first quarter of FY2025?',
    { window: 'fy2025-q1' },
    { 'cost.capex_cents': 670_000 },
  ),
  roi(
    'Capacity freed in the third quarter of FY2025?',
    { window: 'fy2025-q3' },
    { freed_capacity_cents: 100_000 },
  ),
  roi(
    'What did the calendar year 2025 cost?',
    { from: '2025-01', through: '2025-12' },
    { total_cost_cents: 628_072 }, // FY2025 Q4 50,293 + FY2026 Q1 162,000 + Q2 186,339 + Q3 229,440
  ),
  roi(
    'And what did 2025 bring?',
    { from: '2025-01', through: '2025-12' },
    { cash_value_cents: 1_855_487 }, // 439,113 + 514,359 + 427,782 + 474,233
  ),
  // TOTALS.md, initiatives.
  {
    asks: 'Has quote drafting paid off?',
    calls: [
      ['search', { query: 'quote drafting' }],
      ['get_roi_summary', { initiative_id: 101 }],
    ],
    finds: { net_value_cents: 339_166, roi_percentage: 32.6, 'scope.title': 'Quote drafting assistant' }, // 339,166 ÷ 1,039,384
  },
  roi('What did quote drafting cost?', { initiative_id: 101 }, { total_cost_cents: 1_039_384 }),
  roi(
    'Inspection of line 3 in FY2026, net?',
    { initiative_id: 102, window: 'fy2026' },
    { net_value_cents: 297_881 },
  ),
  roi('And its cost this year?', { initiative_id: 102, window: 'fy2027' }, { total_cost_cents: 149_098 }),
  roi('Capacity freed by spindle maintenance?', { initiative_id: 103 }, { freed_capacity_cents: 74_330 }),
  {
    asks: 'How much cash did invoice matching save?',
    calls: [
      ['search', { query: 'invoice matching' }],
      ['get_roi_summary', { initiative_id: 104 }],
    ],
    finds: { cash_value_cents: 195_485 },
  },
  roi(
    'Has tool-path optimisation brought cash?',
    { initiative_id: 105 },
    { cash_value_cents: 0, total_cost_cents: 224_378 },
  ),
  roi('Net of the supplier risk radar?', { initiative_id: 106 }, { net_value_cents: -23_333 }),
  roi('Net of warranty triage?', { initiative_id: 107 }, { net_value_cents: 21_667 }),
  roi('What did the rejected drone idea cost?', { initiative_id: 110 }, { total_cost_cents: 5_000 }),
  roi('ROI of the knowledge chat?', { initiative_id: 108 }, { total_cost_cents: 0, roi_percentage: null }),
  list(
    'Which initiative cost most?',
    { sort: 'cost', limit: 1 },
    { '0.id': 101, '0.total_cost_cents': 1_039_384 },
  ),
  list(
    'Which brought the most cash?',
    { sort: 'cash_value', limit: 1 },
    { '0.id': 101, '0.cash_value_cents': 1_378_550 },
  ),
  // I113: 43,500 of cash less 330,800 of cost.
  list(
    'Which is furthest below its cost?',
    { sort: 'net', lowest_first: true, limit: 1 },
    { '0.id': 113, '0.net_value_cents': -287_300 },
  ),
  // 102, 105, 106, 110, 111, 112, 113 and 117.
  list('How many cost more than they brought?', { cost_above_value: true }, { matching: 8 }),
  list('How many initiatives do we have?', {}, { matching: 15 }),
  list('How many are active?', { status: 'active' }, { matching: 9 }),
  list('How many are live?', { stage: 'live' }, { matching: 6 }),
  list('How many have ended?', { status: 'completed' }, { matching: 1, '0.id': 107 }),
  list('What has not started?', { status: 'not_started' }, { matching: 2 }),
  list(
    'Which did best this fiscal year?',
    { sort: 'net', window: 'fy2027', limit: 1 },
    { '0.id': 103, '0.net_value_cents': 86_772 },
  ),
  list(
    'Which freed the most capacity?',
    { sort: 'freed_capacity', limit: 1 },
    { '0.id': 103, '0.freed_capacity_cents': 74_330 },
  ),
  list(
    'What cost most this fiscal year?',
    { sort: 'cost', window: 'fy2027', limit: 1 },
    { '0.id': 113, '0.total_cost_cents': 330_800 },
  ),
  // AI_SPEND.md. April: 80,000 + 150,000 + 90,000 + 58,416 + 12,000 of AI; 60,000 + 150,000 carried.
  spend(
    'What did AI vendors bill in April 2026?',
    { from: '2026-04', through: '2026-04' },
    { ai_billed_cents: 390_416 },
  ),
  spend(
    'How much of that do initiatives carry?',
    { from: '2026-04', through: '2026-04' },
    { carried_cents: 210_000, not_carried_cents: 180_416 },
  ),
  // 438,416 in April, 298,006 in May, 100,000 in June; AI of it 390,416 + 256,006 + 40,000; carried 210,000 + 80,000 + 40,000.
  spend(
    'What did AI providers bill last quarter?',
    { window: 'fy2027-q1' },
    { billed_cents: 836_422, ai_billed_cents: 686_422 },
  ),
  spend('What of last quarter does nobody carry?', { window: 'fy2027-q1' }, { not_carried_cents: 356_422 }),
  spend(
    'What did Anthropic bill in April?',
    { vendor: 'anthropic', from: '2026-04', through: '2026-04' },
    { ai_billed_cents: 170_000 },
  ),
  spend(
    'And OpenAI in May?',
    { vendor: 'openai', from: '2026-05', through: '2026-05' },
    { ai_billed_cents: 145_000 },
  ),
  spend(
    'What went over cards in April?',
    { from: '2026-04', through: '2026-04' },
    { 'cards.billed_cents': 7_000, 'cards.booked_cents': 2_800 },
  ),
  spend(
    'Which month billed most AI?',
    { window: 'fy2027' },
    { 'by_month.2026-04-01.ai_billed_cents': 390_416 },
  ),
  // BUDGETS.md, on 2026-07-15.
  one('Is quote drafting within its budget?', 101, {
    'budget.status': 'within',
    'budget.variance_cents': 3_236_616,
  }),
  one('How far is CAD search over budget?', 113, {
    'budget.status': 'over',
    'budget.variance_cents': -80_800,
  }),
  one('What has invoice matching spent of its budget?', 104, { 'budget.actual_to_date_cents': 140_185 }),
  one('Inspection of line 3, budget left in euros?', 102, {
    'budget.currency': 'EUR',
    'budget.variance_cents': 630_418,
  }),
  one('Does the knowledge chat have a budget?', 108, { 'budget.status': 'no_budget' }),
  one('When does the budget of the payroll helper begin?', 117, { 'budget.status': 'scheduled' }),
  // fixtures/company/connections.csv.
  {
    asks: 'Which connection must be reconnected?',
    calls: [['list_integrations', {}]],
    finds: {
      'integrations.608.status': 'error',
      'integrations.608.reauth_required_at': '2026-05-31T04:00:00.250000Z',
    },
  },
  // As of the pinned snapshot: each cost figure of I101, and of the portfolio, is 100,000 higher.
  roi('What did the July preview say we had spent?', { snapshot: CLOSE }, { total_cost_cents: 3_161_155 }),
  roi('And the newest snapshot?', { snapshot: 'latest' }, { total_cost_cents: 3_061_155 }),
  roi(
    'Net of quote drafting in the July preview?',
    { snapshot: CLOSE, initiative_id: 101 },
    { net_value_cents: 239_166 },
  ),
  roi(
    'This quarter as of the July preview?',
    { snapshot: CLOSE, window: 'fy2027-q2' },
    { total_cost_cents: 211_136 },
  ),
  list(
    'What cost most in the July preview?',
    { snapshot: CLOSE, sort: 'cost', limit: 1 },
    { '0.id': 101, '0.total_cost_cents': 1_139_384 },
  ),
  spend(
    'AI billed in April, as of the July preview?',
    { snapshot: CLOSE, from: '2026-04', through: '2026-04' },
    { ai_billed_cents: 390_416 },
  ),
  {
    asks: 'Was quote drafting within its budget in the July preview?',
    calls: [['get_initiative', { initiative_id: 101, snapshot: CLOSE }]],
    finds: { 'budget.status': 'within', 'budget.variance_cents': 3_136_616 },
  },
  {
    asks: "Why is the cost not yesterday's?",
    calls: [['explain_change', {}]],
    finds: { 'moved.cost_cents.change_cents': -100_000 },
  },
  {
    asks: 'Which snapshots can I ask for?',
    calls: [['list_snapshots', {}]],
    finds: { 'snapshots.20260715T020000Z.pins.july-preview.name': CLOSE },
  },
];
