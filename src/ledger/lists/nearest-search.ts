/** Search that also finds records with only some of the query's words: by the id, by all words, then by single words. */
import type { ClientBase } from 'pg';
import { findInitiative } from './initiatives.ts';
import { SEARCH_TYPES, searchAccount, type SearchHit, type SearchQuestion } from './search.ts';

/** A hit, and why it was found, in words for people. */
export interface FoundHit extends Omit<SearchHit, 'score'> {
  readonly why: string;
}

// From this many matches of all words on, records with only some of the words are not added.
const ENOUGH = 5;
const MAX_WORDS = 6;
const HITS_OF_A_WORD = 20;

/** Words of a question that say nothing about the searched record. */
const EMPTY = new Set(
  'a about an and are as at be by can do does find for from get give has have how i in into is it its me my of on or our please show tell than that the their this to us was we were what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Searches as `searchAccount` does, then adds the record with the id and the nearest hits. At most `limit` hits. */
export async function searchNearest(
  client: ClientBase,
  account_id: bigint,
  question: SearchQuestion,
): Promise<readonly FoundHit[]> {
  const found = [
    ...(await withId(client, account_id, question)),
    ...(await searchAccount(client, question)).map((hit) => foundHit(hit, reasonOf(hit.score))),
  ];
  const nearest = found.length < ENOUGH ? await withSomeWords(client, question) : [];
  const unique = new Map<string, FoundHit>();
  for (const hit of [...found, ...nearest]) {
    const key = `${hit.type} ${hit.id}`;
    if (!unique.has(key)) unique.set(key, hit);
  }
  return [...unique.values()].slice(0, question.limit);
}

function foundHit({ type, id, title, detail, path }: SearchHit, why: string): FoundHit {
  return { type, id, title, detail, path, why };
}

/** Why a hit was found; schema/ledger/0015-search.sql defines the classes of the score. */
function reasonOf(score: number): string {
  if (score >= 4) return 'its title is the query';
  if (score >= 3) return 'its title begins with the query';
  if (score >= 2) return 'its title has every word';
  return isOnlySimilar(score)
    ? 'its title has words of a similar spelling'
    : 'its title or description has every word';
}

/** True for a hit whose words only resemble those of the query. */
function isOnlySimilar(score: number): boolean {
  return score < 1;
}

async function withId(
  client: ClientBase,
  account_id: bigint,
  { query, types }: SearchQuestion,
): Promise<readonly FoundHit[]> {
  const [, digits] = /^#?([1-9]\d{0,15})$/.exec(query.trim()) ?? [];
  if (digits === undefined || types?.includes('initiative') === false) return [];
  const initiative = await findInitiative(client, account_id, BigInt(digits));
  if (initiative === null) return [];
  const { title, description: detail } = initiative;
  return [
    {
      type: 'initiative',
      id: digits,
      title,
      detail,
      path: `/initiatives/${digits}`,
      why: 'its id is the query',
    },
  ];
}

/** The hits of single words. Records with more of the words, and with rarer ones, come first. */
async function withSomeWords(
  client: ClientBase,
  { query, types, limit }: SearchQuestion,
): Promise<readonly FoundHit[]> {
  const words = wordsOf(query);
  const matches = new Map<
    string,
    { readonly hit: SearchHit; readonly words: Map<string, string>; weight: number }
  >();
  for (const word of words) {
    const hits = await searchAccount(client, {
      query: word,
      types: types ?? SEARCH_TYPES,
      limit: HITS_OF_A_WORD,
    });
    for (const hit of hits) {
      const key = `${hit.type} ${hit.id}`;
      const match = matches.get(key) ?? { hit, words: new Map(), weight: 0 };
      matches.set(key, match);
      match.words.set(word, isOnlySimilar(hit.score) ? `a word like ${word}` : word);
      // A word in many records says little about each; a hit in the title counts more than one in the description.
      match.weight += Math.min(hit.score, 4) / hits.length;
    }
  }
  return [...matches.values()]
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, limit)
    .map(({ hit, words: matched }) => foundHit(hit, nearestReason(matched, words)));
}

/** The distinct words of a query, without the empty ones, at most `MAX_WORDS`. */
function wordsOf(query: string): readonly string[] {
  const all = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return [...new Set(all)].filter((word) => !EMPTY.has(word)).slice(0, MAX_WORDS);
}

/** `matched` says by each found word what the record has. */
function nearestReason(matched: ReadonlyMap<string, string>, words: readonly string[]): string {
  const missing = words.filter((word) => !matched.has(word));
  const has = `nearest: it has ${[...matched.values()].join(' and ')}`;
  return missing.length === 0 ? has : `${has}, not ${missing.join(' or ')}`;
}
