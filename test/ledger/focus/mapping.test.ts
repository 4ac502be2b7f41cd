import { describe, expect, it } from 'vitest';
import { shownUnits } from '../../../src/ledger/focus/decimals.ts';
import { type Charge, charges } from './bills.ts';
import { FORMS, type WasRead, readForm } from './forms.ts';

const claims = ({ sums }: WasRead): readonly (string | null)[] =>
  [...sums.bills.values()].flatMap(({ parts }) =>
    [...parts.values()].map(({ claim }) => claim?.title ?? null),
  );

describe.each(FORMS)('the mapping of a bill as %s', (form) => {
  it('keeps the digits of numbers, in its own values and in tags', async () => {
    const rows = charges(
      { BillingAccountId: '012345678901', Tags: '{"cc":1}' },
      { BillingAccountId: 'b', Tags: '{"cc":1234567890123456789}' },
      { BillingAccountId: 'c', Tags: '[{"key":"cc","value":1.50}]' },
      { BillingAccountId: 'd', Tags: '{"cc":"0x1F"}' },
    );
    const mapping = `rules:
- { when: { BillingAccountId: 012345678901 }, initiative: zero }
- { when: { Tags.cc: [1234567890123456789] }, initiative: long }
- { when: { Tags.cc: 1.50 }, initiative: decimal }
- { when: { Tags.cc: 0x1F }, initiative: 2026 }
`;
    const read = await readForm(form, { bill: rows }, { mapping });
    expect(claims(read)).toEqual(['zero', 'long', 'decimal', '2026']);
    expect(read.unmatched).toEqual([]);
  });

  it('names the rules that no charge matches, each by its place and values', async () => {
    const mapping = `rules:
- { when: { ProviderName: Acme AI }, initiative: Support }
- { when: { BillingAccountId: [7, 08], Tags.team: x }, ai: true }
`;
    const read = await readForm(form, { bill: charges({}) }, { mapping });
    expect(read.unmatched).toEqual(['rule 2 (BillingAccountId: 7, 08; Tags.team: x)']);
  });

  it('takes the initiative, the cost type and whether it is AI each from the first rule that has it', async () => {
    const mapping = `rules:
- { when: { ProviderName: Acme AI }, cost_type: tokens }
- { when: { BillingAccountId: b }, ai: false }
- { when: { ProviderName: Acme AI }, initiative: First, cost_type: seats, ai: true }
- { when: { ProviderName: Acme AI }, initiative: Second, ai: false }
`;
    const rows = charges({ BillingAccountId: 'a' }, { BillingAccountId: 'b', BilledCost: '2.00' });
    const { sums } = await readForm(form, { bill: rows }, { mapping });
    const parts = [...sums.bills.values()].flatMap((bill) => [...bill.parts.values()]);
    const claim = { title: 'First', cost_type: 'tokens', by: 'mapping' };
    expect(parts.map((part) => [part.claim, shownUnits(part.ai), shownUnits(part.other)])).toEqual([
      [claim, '1.00', '0.00'],
      [claim, '0.00', '2.00'],
    ]);
  });

  it('reads every tag of a charge, in each form of tags', async () => {
    const rows = ['{"a":"x","initiative":"A"}', '[{"key":"a","value":"x"},{"key":"initiative","value":"B"}]'];
    const lists = [...rows, '[["a","x"],["initiative","C"]]'];
    const bill = charges(...lists.map((Tags, at) => ({ Tags, BillingAccountId: String(at) })));
    expect(claims(await readForm(form, { bill }))).toEqual(['A', 'B', 'C']);
  });

  it('takes a tag without a value for no tag', async () => {
    const empty = ['""', '" "', 'null', '"NULL"'];
    const rows: readonly Charge[] = charges(
      ...empty.flatMap((value) => [
        { Tags: `{"initiative":${value}}` },
        { Tags: `[{"key":"initiative","value":${value}}]` },
      ]),
      { Tags: '[{"key":"initiative"}]' },
    );
    expect(claims(await readForm(form, { bill: rows }))).toEqual([null]);
    expect(claims(await readForm(form, { bill: charges({ Tags: '{"initiative":0}' }) }))).toEqual(['0']);
  });
});
