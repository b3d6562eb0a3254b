// Names of variables that look like settings, and values as an environment file left them.
import { type SettingIssue, settingNames } from '../settings.ts';
import { isPlaceholder } from './setting-values.ts';

/** How many single-character edits turn one text into the other; swapping two neighbours counts as one. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? beforePrevious[j - 2]! + 1 : Infinity;
      row.push(Math.min(substitution, previous[j]! + 1, row[j - 1]! + 1, swap));
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}

const MAX_EDITS = 2;
/** Short names are close to many others: of these only one edit is reported. */
const SHORT_NAME_LENGTH = 6;

type Environment = Record<string, string | undefined>;

/** Variables that are no settings, but have almost the name of one. */
export function findWrongNames(environment: Environment): SettingIssue[] {
  const known = new Set<string>(settingNames);
  return Object.keys(environment)
    .filter((name) => !known.has(name) && environment[name])
    .flatMap((setting) => {
      const upperCase = setting.toUpperCase();
      const near = settingNames.find(
        (name) => editDistance(upperCase, name) <= (name.length <= SHORT_NAME_LENGTH ? 1 : MAX_EDITS),
      );
      return near ? [{ setting, text: `is not a setting: do you mean ${near}?` }] : [];
    });
}

/** What an environment file, or the person who filled it in, left in values. The value itself may be secret. */
export const findLeftovers = (environment: Environment): SettingIssue[] =>
  settingNames.flatMap((setting) => {
    const value = environment[setting] ?? '';
    const issue = (text: string) => [{ setting, text }];
    if (/^(["'])((?!\1).)*\1$/s.test(value.trim()))
      return issue('begins and ends with a quotation mark, which is part of the value: remove both');
    if (value.trim() !== value)
      return issue('begins or ends with a space or the end of a line, which is part of the value: remove it');
    return isPlaceholder(value) ? issue('still contains a placeholder: replace it with your own value') : [];
  });
