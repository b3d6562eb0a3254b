import { parseYearGroup } from '#contract/year-group.ts';
import content from '#content/header-words.json' with { type: 'json' };
import { toWords } from './header-words.ts';
import { hasTitle } from './names.ts';

const CLASS_WORDS = new Set(content.class_words.words);
const OTHERS = content.sheets_of_others.words.map(toWords);
const GENERAL = new Set(content.sheets_of_all.words);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Whether a text is written as classes are: `3A`, `Year 3 Oak`, `Oak Class`, `R2`, `Miss Hale`. */
export function isWrittenAsClass(text: string): boolean {
  // In lower case, so that a capital within a name begins no word.
  const words = toWords(text.toLowerCase()).split(' ');
  const [beforeComma = ''] = text.split(',');
  // `Rang, Priya` is a pupil, `Reception, Oak` a class.
  const isSurnameFirst = /^\p{L}+,/u.test(text.trim()) && parseYearGroup(beforeComma) === null;
  return (
    (!isSurnameFirst && words.length <= 6 && words.some((word) => CLASS_WORDS.has(word))) ||
    /^(?:\d{1,2}\s?[a-z]{0,3}|(?:r|y|yr|p|n|ks)\s?\d\s?[a-z]{0,2}|[rn][a-z]?|\d{1,2}\s?[/&-]\s?\d{1,2}\s?[a-z]{0,2})$/i.test(
      text.trim(),
    ) ||
    parseYearGroup(text) !== null ||
    hasTitle(text)
  );
}

/** What Excel has made of a class of two years: `05-Jun`, `Jun-05`, `5-Jun` and `2026-06-05` are 5/6; null for other texts. */
export function classOfDate(text: string): string | null {
  const found =
    /^(?<day>\d{1,2})[-/ ](?<month>[a-z]{3})$/i.exec(text.trim()) ??
    /^(?<month>[a-z]{3})[-/ ](?<day>\d{1,2})$/i.exec(text.trim());
  const month = MONTHS.indexOf(found?.groups?.month?.toLowerCase() ?? '') + 1;
  const day = Number(found?.groups?.day ?? 0);
  if (month === 0 || day < 1 || day > 13) return null;
  return `${Math.min(day, month)}/${Math.max(day, month)}`;
}

/** The form of a class’s name in which signs and spaces do not count: `3 Oak`, `3-Oak` and `Class 3Oak` are the same. */
export const looseClassKey = (name: string): string =>
  toWords(name)
    .split(' ')
    .filter((word) => !CLASS_WORDS.has(word) || ['reception', 'nursery'].includes(word))
    .join('');

/** Whether a sheet is about staff, leavers or others, by its name. */
export const isSheetOfOthers = (name: string): boolean => {
  const words = ` ${toWords(name)} `;
  return OTHERS.some((other) => words.includes(` ${other} `));
};

/** Whether a sheet’s name says what is in it, such as `Pupil list` or `Export 2026`. */
export const isGeneralSheet = (name: string): boolean =>
  toWords(name)
    .split(' ')
    .some((word) => GENERAL.has(word));

/** Whether a sheet’s name is the spreadsheet program’s own, such as `Sheet1`. */
export const isUnnamedSheet = (name: string): boolean =>
  /^(sheet|tabelle|feuille|feuil|blad|hoja|foglio|arkusz|planilha|table|page)?\s*\d*$/i.test(name.trim());
