import content from '../header-words.json' with { type: 'json' };

const COLUMNS = {
  first_name: 'First name',
  last_name: 'Surname',
  name: 'Whole name',
  class: 'Class',
  year_group: 'Year group',
  birth_date: 'Date of birth',
  upn: 'UPN',
} as const;

const LANGUAGES = { en: null, cy: 'Welsh', ga: 'Irish', gd: 'Scottish Gaelic' } as const;

/** A column that lists of pupils have, and the headers by which it is recognised in each language. */
export interface HeadersOfColumn {
  column: string;
  /** `language` is null for English. */
  headers: { language: string | null; words: string[] }[];
}

/** The headers of lists that are recognised, without those that differ from others only in their spaces. */
export const headersOfLists: readonly HeadersOfColumn[] = Object.entries(COLUMNS).map(([meaning, column]) => {
  const { words } = content.meanings[meaning as keyof typeof COLUMNS] as { words: Record<string, string[]> };
  return {
    column,
    headers: Object.entries(LANGUAGES).flatMap(([code, language]) => {
      const bySpelling = new Map((words[code] ?? []).toReversed().map((word) => [word.replaceAll(' ', ''), word]));
      return bySpelling.size === 0 ? [] : [{ language, words: [...bySpelling.values()].toReversed() }];
    }),
  };
});

/** The headers of a column as a text: `forename, given; in Welsh enw cyntaf`. */
export const describeHeaders = ({ headers }: HeadersOfColumn): string =>
  headers.map(({ language, words }) => (language ? `in ${language} ` : '') + words.join(', ')).join('; ');
