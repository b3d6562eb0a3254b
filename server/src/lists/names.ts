import firstNames from '#content/first-names.json' with { type: 'json' };
import { normalizeName } from '#contract/fields.ts';
import { stripAccents } from '#contract/strip-accents.ts';

const FIRST_NAMES = new Set<string>(firstNames);

/** Letters of the Latin script, and the signs inside names. */
const NAME = /^(?=.*\p{Script=Latin}.*\p{Script=Latin})[\p{Script=Latin}\p{M}\s'’ʼʻ·,.-]{2,190}$/u;
/** What a list has before a name: `1.`, `2)`, a bullet, a dash. */
const LIST_MARK = /^\s*(?:\(?\d{1,3}[.):]|[•●▪◦‣∙·*–—-])\s*(?=\p{L})/u;
/** What teachers write beside a name: brackets, a nickname in quotation marks, stars. */
const BESIDE_NAME = /\([^)]*\)|\[[^\]]*\]|["“”][^"“”]*["“”]|[*†‡#✓✔]+/gu;
const TITLE = /^(?:mr|mrs|miss|ms|mx|dr|prof|sir|madam|revd?)\b\.?\s/i;

/** Whether a text could be a person’s name, by its characters. */
export const looksLikeName = (text: string): boolean => NAME.test(text.trim().normalize('NFC'));

/** Whether a text could be a first name and a surname. */
export const looksLikeFullName = (text: string): boolean => looksLikeName(text) && /\S[\s,]+\S/.test(text.trim());

/** Whether the first word is one of the common first names. */
export const startsWithFirstName = (text: string): boolean =>
  FIRST_NAMES.has(stripAccents(normalizeName(text)).toLowerCase().split(/[\s-]/)[0] ?? '');

/** Whether a name begins with the title of an adult. */
export const hasTitle = (text: string): boolean => TITLE.test(text.trim());

/** A name without the title of an adult. */
export const withoutTitle = (text: string): string => text.trim().replace(TITLE, '').trim();

export const hasListMark = (text: string): boolean => LIST_MARK.test(text);

/** A cell of names without the mark of a list. */
export const withoutListMark = (text: string): string => text.replace(LIST_MARK, '');

/** A name without a remark, such as `Alexander (Alex) Byrne`; null if there is nothing, or nothing else. */
export function withoutBeside(text: string): string | null {
  const name = text.replace(BESIDE_NAME, ' ').replace(/\s+/g, ' ').trim();
  return name !== text.trim() && looksLikeName(name) ? name : null;
}

/** Whether names are written `WHITCOMBE Amara`. */
export const hasCapitalSurnameFirst = (text: string): boolean =>
  /^(?:\p{Lu}[\p{Lu}\p{M}'’-]+\s+)+\p{Lu}\p{M}*\p{Ll}/u.test(text.trim());

/** Turns `Smith, Jane` into `Jane Smith`. With `isSurnameFirst`, also `Smith Jane` and `VAN DYKE Jane`. */
export function swapName(text: string, isSurnameFirst = false): string {
  const parts = text.split(',').map((part) => part.trim());
  const [last, first] = parts;
  if (parts.length === 2 && last && first) return `${first} ${last}`;
  if (!isSurnameFirst || parts.length > 1) return text;
  const words = text.split(' ');
  const capitals = words.findIndex((word) => /\p{Ll}/u.test(word));
  const count = hasCapitalSurnameFirst(text) ? capitals : 1;
  return words.length > count ? [...words.slice(count), ...words.slice(0, count)].join(' ') : text;
}
