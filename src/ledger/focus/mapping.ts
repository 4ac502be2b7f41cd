/**
 * The mapping file of `load --focus`: it says which charges belong to which initiative, and which charges are AI.
 * Each of `initiative`, `cost_type` and `ai` comes from the first matching rule that has it. Where no matching rule has
 * it, the tag of the charge names the initiative, and its category says whether it is AI.
 */
import { z } from 'zod';
import { AI_CATEGORY } from '../../focus/columns.ts';
import { isFocusColumn } from './versions.ts';
import type { Initiative, LoadFocusMapping } from './charge.ts';
import { isEmpty } from './cells.ts';
import { CrossfootError } from '../../errors.ts';
import { repeatedKey } from '../sources/json-keys.ts';
import { remembered } from './remembered.ts';
import { readYaml } from '../sources/yaml-file.ts';

const text = z.string();
const rule = z.strictObject({
  /** A rule matches if the charge has, for each key, one of the listed values. A key is a column, or `Tags.` and a tag's key. */
  when: z.record(z.string(), z.union([text.transform((value) => [value]), z.array(text).min(1)])),
  initiative: z.string().min(1).optional(),
  cost_type: z.string().min(1).optional(),
  ai: z.boolean().optional(),
});
const mapping = z.strictObject({
  tag: z.string().min(1).default('initiative'),
  rules: z.array(rule).default([]),
});

type Rule = z.output<typeof rule>;
const TAG = 'Tags.';
/** How many different cells of `Tags` keep their parsed tags in memory. A bill repeats a few such cells. */
const MAX_CACHED_TAGS = 1_000;

/**
 * Reads the mapping file; throws `usage_invalid` for a faulty file. Without a file, the tag `initiative` names the
 * initiative.
 */
export async function readMapping(path: string | undefined): Promise<LoadFocusMapping> {
  if (path === undefined) return mappingOf(mapping.parse({}));
  const yaml = await readYaml(path, (why, cause, end) => refuse(path, why, cause, end));
  const parsed = mapping.safeParse(yaml ?? {});
  if (parsed.success) {
    const read = mappingOf(parsed.data);
    const strange = read.columns.find((column) => !isFocusColumn(column));
    if (strange === undefined) return read;
    return refuse(
      path,
      `reads ${strange}, which is not a column of FOCUS and does not begin with x_`,
      undefined,
    );
  }
  const [issue] = parsed.error.issues;
  return refuse(
    path,
    `has a fault at ${issue?.path.join('.') || 'its top'}: ${issue?.message}`,
    parsed.error,
  );
}

function refuse(path: string, why: string, cause: unknown, end = '.'): never {
  throw new CrossfootError('usage_invalid', `--map ${path} ${why}; nothing was loaded${end}`, {
    hint: 'The file may have tag: the key of a tag, and rules: a list of {when, initiative, cost_type, ai}.',
    cause,
  });
}

function mappingOf({ tag, rules }: z.output<typeof mapping>): LoadFocusMapping {
  const columns = new Set(
    rules.flatMap(({ when }) => Object.keys(when)).filter((name) => !name.startsWith(TAG)),
  );
  const matched = new Set<Rule>();
  const readTags = remembered(tagsOf, MAX_CACHED_TAGS);
  return {
    columns: [...columns],
    unmatched: () =>
      rules.flatMap((each, index) => (matched.has(each) ? [] : [`rule ${index + 1} (${whenOf(each)})`])),
    claimOf: (cell) => {
      const tags = readTags(cell('Tags'));
      const matching = rules.filter((each) => matches(each, cell, tags));
      for (const each of matching) matched.add(each);
      const named = matching.find(({ initiative }) => initiative !== undefined);
      const ai =
        matching.find((each) => each.ai !== undefined)?.ai ??
        cell('ServiceCategory')?.toLowerCase() === AI_CATEGORY.toLowerCase();
      const cost_type = matching.find((each) => each.cost_type !== undefined)?.cost_type ?? null;
      return { ai, claim: initiativeOf(named?.initiative, tags.get(tag), cost_type) };
    },
  };
}

function initiativeOf(
  mapped: string | undefined,
  tagged: string | undefined,
  cost_type: string | null,
): Initiative | null {
  if (mapped !== undefined) return { title: mapped, cost_type, by: 'mapping' };
  return tagged === undefined ? null : { title: tagged, cost_type, by: 'tag' };
}

function whenOf({ when }: Rule): string {
  return Object.entries(when)
    .map(([name, values]) => `${name}: ${values.join(', ')}`)
    .join('; ');
}

function matches(
  { when }: Rule,
  cell: (column: string) => string | null,
  tags: ReadonlyMap<string, string>,
): boolean {
  return Object.entries(when).every(([name, values]) => {
    const found = name.startsWith(TAG) ? tags.get(name.slice(TAG.length)) : cell(name);
    return found !== undefined && found !== null && values.includes(found);
  });
}

const NO_TAGS: ReadonlyMap<string, string> = new Map();

/** A JSON number, which may have more digits than a number of JavaScript can hold. */
const NUMBER = /[:[,]\s*-?\d/;

/**
 * The tags of a cell of JSON: an object, a list of pairs, or a list of objects with `key` and `value`, which Google writes with capitals. Other
 * texts hold no tags, and a tag with an empty value is left out.
 */
export function tagsOf(cell: string | null): ReadonlyMap<string, string> {
  if (cell === null || cell === '' || cell === '{}') return NO_TAGS;
  try {
    const parsed: unknown = NUMBER.test(cell) ? JSON.parse(cell, numberAsText) : JSON.parse(cell);
    if (typeof parsed !== 'object' || parsed === null) return NO_TAGS;
    const pairs = Array.isArray(parsed) ? parsed.map(pairOf) : Object.entries(parsed);
    return new Map(
      pairs
        .map(([key, value]) => [String(key), textOf(value)] as const)
        .filter(([, value]) => !isEmpty(value)),
    );
  } catch {
    return NO_TAGS;
  }
}

/** Whether a text of tags can be read and kept as it is. */
export interface TagsChecked {
  /** False for the forms of other programs, such as `{team=support}`. */
  readonly isJson: boolean;
  /** The key that an object or a list of pairs has twice; null if there is none. */
  readonly repeated: string | null;
  /** False if the ledger cannot keep a key or value: JSON can write U+0000 and half of a letter. */
  readonly isWhole: boolean;
}

export function checkTags(cell: string): TagsChecked {
  const tags = tagsOf(cell);
  const isWhole = [...tags].flat().every((part) => part.isWellFormed() && !part.includes('\0'));
  const repeated = repeatedKey(cell);
  try {
    const parsed: unknown = JSON.parse(cell);
    const keys = Array.isArray(parsed) ? parsed.map((entry) => String(pairOf(entry)[0])) : [];
    const twice = keys.find((key, index) => keys.indexOf(key) !== index) ?? null;
    return { isJson: typeof parsed === 'object', repeated: repeated ?? twice, isWhole };
  } catch {
    return { isJson: false, repeated, isWhole };
  }
}

function numberAsText(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' ? (source ?? value) : value;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

function pairOf(entry: unknown): readonly [unknown, unknown] {
  if (Array.isArray(entry)) return [entry[0], entry[1]];
  const { key, value, Key = key, Value = value } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  return [Key, Value];
}
