import type { ColumnRole } from '#contract/calls/pupil-import.ts';
import { normalizeName } from '#contract/fields.ts';
import { stripAccents } from '#contract/strip-accents.ts';
import content from '#content/header-words.json' with { type: 'json' };

/** What a header says about its column. */
export type Heading = ColumnRole | 'surname_first';

/** A tag that a column can set. */
export interface TagOfColumn {
  id: number;
  name: string;
  kind: 'own' | 'pupil_premium' | 'send';
}

type Meaning = keyof typeof content.meanings;

const MAX_HEADER_LENGTH = 60;

/** Text for comparison with the words of headers: lower case, separated words, no accents or punctuation. */
export const toWords = (text: string): string =>
  stripAccents(normalizeName(text))
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/'s?\b/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** The form of a header in which headers are compared and remembered. */
export const headerKey = (header: string): string => toWords(header).slice(0, 100);

const wordsOf = (phrases: readonly string[]) => new Set(phrases.map(toWords));
const OTHER_PEOPLE = wordsOf([...content.other_people, ...content.own_accounts]);
const NOT_NEEDED = wordsOf(content.beside_names.words);
const BESIDE = wordsOf(content.beside);
const FIRST_CHOICE = wordsOf(content.first_choice);
const SECOND_CHOICE = wordsOf(content.second_choice);
const INSTEAD = new Map(Object.entries(content.instead));

const MEANINGS = Object.entries(content.meanings).map(([meaning, { words, beside }]) => ({
  meaning: meaning as Meaning,
  phrases: Object.values(words).flat().map(toWords),
  beside: wordsOf(beside),
}));
/** The longest first, so that `year group` is found before `group`. */
const PHRASES = MEANINGS.flatMap(({ meaning, phrases }) =>
  phrases.map((phrase) => ({ meaning, words: phrase.split(' ') })),
).toSorted((left, right) => right.words.length - left.words.length);

/** Headers of the sensitive tags. */
const SENSITIVE = {
  pupil_premium: /^(is )?(pp|ppg|pupil premium)( (indicator|eligible|eligibility|recipient|grant))?$/,
  send: /^(sen|send)( (code|need|needs|provision|stage|type|support))?$/,
};

/** The tag that a header names, such as `EAL status`. */
function findTag(header: string, tags: readonly TagOfColumn[]): ColumnRole | undefined {
  const name = header.replace(/ (status|flag)$/, '').replace(/^english as an additional language$/, 'eal');
  const tag = tags.find(({ kind, name: tagName }) =>
    kind === 'own' ? toWords(tagName) === name : SENSITIVE[kind].test(name),
  );
  return tag && `tag:${tag.id}`;
}

/** The words of a header, without notes in brackets and years: `Class 2026/27` is `class`. */
const headerWords = (text: string): string[] =>
  toWords(text.replace(/[([{][^)\]}]*[)\]}]/g, ' '))
    .split(' ')
    .filter((word) => word !== '' && !/^(20)?\d\d$/.test(word));

/** Which meanings' words a header contains, in order; undefined if it contains others. */
function findMeanings(words: readonly string[]): Meaning[] | undefined {
  const found: Meaning[] = [];
  const others: string[] = [];
  for (let at = 0; at < words.length;) {
    const phrase = PHRASES.find(({ words: wanted }) => wanted.every((word, index) => words[at + index] === word));
    if (phrase) found.push(phrase.meaning);
    else others.push(words[at] ?? '');
    at += phrase?.words.length ?? 1;
  }
  const isAllowed = (word: string) =>
    BESIDE.has(word) || MEANINGS.some(({ meaning, beside }) => found.includes(meaning) && beside.has(word));
  return others.every(isAllowed) ? found : undefined;
}

/** What a header says about its column: `ignored` for one that is known and not needed, undefined for an unknown text. */
export function readHeader(text: string, tags: readonly TagOfColumn[]): Heading | undefined {
  const given = headerWords(text);
  const header = given.join(' ');
  if (header === '' || header.length > MAX_HEADER_LENGTH) return undefined;
  const tag = findTag(header, tags);
  if (tag) return tag;
  const words = given.map((word) => INSTEAD.get(word) ?? word).join(' ');
  if (given.some((word) => OTHER_PEOPLE.has(word)) || NOT_NEEDED.has(header) || NOT_NEEDED.has(words)) return 'ignored';
  const found = findMeanings(words.split(' '));
  if (!found) return undefined;
  const first = found.indexOf('first_name');
  const last = found.indexOf('last_name');
  if (first >= 0 && last >= 0) return last < first ? 'surname_first' : 'name';
  // `Pupil surname` and `Class name` are no names of pupils.
  const meanings = new Set(found.length > 1 ? found.filter((meaning) => meaning !== 'name') : found);
  if (meanings.has('class') && meanings.size === 2 && meanings.has('year_group')) return 'class';
  if (meanings.size > 1) return undefined;
  return [...meanings][0] ?? found[0];
}

/** Which of several columns with one meaning is used: 1 for a preferred name, -1 for a legal one, otherwise 0. */
export function rankHeader(text: string): number {
  const words = headerWords(text).map((word) => INSTEAD.get(word) ?? word);
  if (words.some((word) => FIRST_CHOICE.has(word))) return 1;
  return words.some((word) => SECOND_CHOICE.has(word)) ? -1 : 0;
}
