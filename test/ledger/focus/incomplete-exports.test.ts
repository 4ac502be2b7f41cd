import { describe, expect, it } from 'vitest';
import { MANDATORY_COLUMNS } from '../../../src/focus/columns.ts';
import { INCOMPLETE_EXPORTS } from '../../../src/ledger/focus/versions.ts';
import { type Charge, charges } from './bills.ts';
import { FORMS, type WasRead, readForm } from './forms.ts';
import { PROVIDER_COLUMNS } from './provider-columns.ts';

const claimed = ({ sums }: WasRead): readonly unknown[] =>
  [...sums.bills.values()].flatMap(({ parts }) =>
    [...parts.values()].map(({ claim, ai, other }) => [claim?.title ?? null, ai !== 0n, other !== 0n]),
  );
const LABELS = 'STRUCT("Key" varchar, "Value" varchar)[]';
const TYPES = { x_Labels: LABELS, x_ProjectLabels: LABELS, x_Tags: LABELS };
const GOOGLE = { ProviderName: 'Google Cloud', ServiceName: 'Vertex AI' };

/** Charges with exactly these columns. */
const exactly = (columns: readonly string[], ...rows: readonly Charge[]): readonly Charge[] =>
  charges(...rows).map((row) => Object.fromEntries(columns.map((name) => [name, row[name] ?? null])));
const without = (columns: readonly string[], ...left: readonly string[]): readonly string[] =>
  columns.filter((name) => !left.includes(name));

const label = (Key: string, Value: string): string => JSON.stringify([{ Key, Value }]);
/** The columns that a file of Google with exactly these columns is refused for. */
const refused = async (columns: readonly string[]): Promise<readonly (string | null)[]> =>
  (await readForm('csv', { bill: exactly(columns, GOOGLE) })).faults.map(({ column }) => column);

describe.each(FORMS)('the export of Google as %s', (form) => {
  it('is read without the columns that it lacks, with its labels as tags, and says that no charge is AI', async () => {
    const bill = exactly(
      PROVIDER_COLUMNS['Google 1.2'],
      { ...GOOGLE, x_Labels: label('initiative', 'a'), x_ProjectLabels: label('initiative', 'of project') },
      { ...GOOGLE, x_Labels: label('team', 'x'), x_ProjectLabels: label('initiative', 'b') },
      { ...GOOGLE, x_Tags: label('initiative', 'c'), x_ProjectLabels: label('initiative', 'of project') },
      { ...GOOGLE, x_Labels: '[]' },
    );
    const read = await readForm(form, { bill }, { types: TYPES });
    expect(read.faults).toEqual([]);
    expect(claimed(read)).toEqual([
      ['a', false, true],
      ['b', false, true],
      ['c', false, true],
      [null, false, true],
    ]);
    const note = `bill.${form}: no charge counts as AI, because the export of Google Cloud has no category of services; name its AI services in a rule of --map with ai: true`;
    expect(read.sums.notes).toContain(note);
    const mapping = 'rules:\n- { when: { ServiceName: Vertex AI, Tags.team: x }, ai: true }\n';
    const mapped = await readForm(form, { bill }, { types: TYPES, mapping });
    expect(claimed(mapped)).toEqual([
      ['a', false, true],
      ['b', true, false],
      ['c', false, true],
      [null, false, true],
    ]);
    expect(mapped.sums.notes).not.toContain(note);
  });

  it('is read from the view of FOCUS 1.0, whose category is a list', async () => {
    const tags = 'STRUCT("key" varchar, "value" varchar, x_type varchar)[]';
    const types = { ServiceCategory: 'varchar[]', Tags: tags };
    const Tags = '[{"key":"initiative","value":"a","x_type":"label"}]';
    const bill = exactly(PROVIDER_COLUMNS['Google 1.0'], {
      ...GOOGLE,
      ServiceCategory: '["GCP","Vertex AI"]',
      Tags,
    });
    const read = await readForm(form, { bill }, { types });
    expect(read.faults).toEqual([]);
    expect(read.sums.versions.get(`bill.${form}`)).toBe('1.0');
    expect(claimed(read)).toEqual([['a', false, true]]);
  });

  it('keeps a column Tags where it has one', async () => {
    const bill = exactly([...PROVIDER_COLUMNS['Google 1.2'], 'Tags'], {
      ...GOOGLE,
      Tags: '{"initiative":"a"}',
      x_Labels: '[{"Key":"initiative","Value":"b"}]',
    });
    expect(claimed(await readForm(form, { bill }, { types: TYPES }))).toEqual([['a', false, true]]);
  });
});

describe('a file without a mandatory column', () => {
  const complete = [...new Set([...MANDATORY_COLUMNS, ...INCOMPLETE_EXPORTS.flatMap(({ marks }) => marks)])];

  it.each(INCOMPLETE_EXPORTS.map((known) => [known.name, known] as const))(
    'is refused, unless %s writes its export without that column',
    async (_name, { marks, lacks }) => {
      for (const column of MANDATORY_COLUMNS)
        expect(await refused(without(complete, column)), `without ${column}`).toEqual(
          lacks.includes(column) ? [] : [column],
        );
      for (const mark of marks)
        expect(await refused(without(complete, mark, ...lacks)), `without ${mark}`).toEqual(lacks);
    },
  );

  it('names its source and the day of the check for each export', () => {
    for (const { source, checked_on, lacks } of INCOMPLETE_EXPORTS) {
      expect(source).toMatch(/^https:\/\//);
      expect(checked_on).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(MANDATORY_COLUMNS).toEqual(expect.arrayContaining([...lacks]));
    }
  });
});

describe('the categories of FOCUS', () => {
  it('name AI in letters of any case', async () => {
    for (const ServiceCategory of ['AI and Machine Learning', 'ai and machine learning'])
      expect(claimed(await readForm('csv', { bill: charges({ ServiceCategory }) }))).toEqual([
        [null, true, false],
      ]);
  });
});
