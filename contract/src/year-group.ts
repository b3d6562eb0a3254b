import { academicYearOf } from './school-calendar.ts';

/**
 * The codes of year groups, the youngest first. Those of the Department for Education's Common Basic Data Set: E1 and E2
 * (early years), N1 and N2 (nursery), R (Reception), 1 to 14, M (a class of several year groups) and X (not in a year
 * group). P1 to P7 are Scotland's and Northern Ireland's, which differ from Year 1 to 7 by a year.
 */
export const YEAR_GROUPS = [
  ...(['E1', 'E2', 'N1', 'N2', 'R'] as const),
  ...(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14'] as const),
  ...(['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7'] as const),
  ...(['M', 'X'] as const),
] as const;
export type YearGroup = (typeof YEAR_GROUPS)[number];

/** A year group and 1 September (YYYY-MM-DD) of the school year in which it was true. */
export interface RecordedYearGroup {
  code: YearGroup;
  since: string;
}

/** A year group in a row of the database. */
export const toRecordedYearGroup = ({
  year_group: code,
  year_group_since: since,
}: {
  year_group: YearGroup | null;
  year_group_since: string | null;
}): RecordedYearGroup | null => (code === null || since === null ? null : { code, since });

const codes: ReadonlySet<string> = new Set(YEAR_GROUPS);
const toCode = (text: string): YearGroup | null => (codes.has(text) ? (text as YearGroup) : null);

/** Names that are no code: Foundation Stage 1 and 2, the grades of OneRoster, and Welsh. */
const NAMES: ReadonlyMap<string, YearGroup> = new Map([
  ...[
    'rec',
    'recep',
    'reception',
    'kg',
    'kindergarten',
    'derbyn',
    'f2',
    'fs2',
    'eyfs',
    'eyfs2',
    'foundation',
    'foundation 2',
  ].map((name) => [name, 'R'] as const),
  ...['n', 'nur', 'nursery', 'pk', 'meithrin', 'f1', 'fs1', 'eyfs1', 'foundation 1', 'preschool', 'pre-school'].map(
    (name) => [name, 'N2'] as const,
  ),
  ['mixed', 'M'],
  ['mixed year groups', 'M'],
  ['no year group', 'X'],
]);

const NUMBER_WORDS = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
];

/** A number of a year: Reception is also Year 0, and the nursery the years before it. */
const fromNumber = (number: number): YearGroup | null =>
  number === 0 ? 'R' : number === -1 ? 'N2' : number === -2 ? 'N1' : toCode(String(number));

/**
 * The year group that a text consists of, such as `Year 3`, `Y3`, `03`, `Reception` or `P4`; null for every other text.
 * A nursery without a year is the year before Reception.
 */
export function parseYearGroup(text: string): YearGroup | null {
  const plain = text.trim().replace(/\s+/g, ' ').toLowerCase();
  const named = NAMES.get(plain) ?? toCode(plain.toUpperCase());
  if (named) return named;
  const word = /^(?:year(?: group)?|yr) ([a-z]+)$/.exec(plain)?.[1];
  if (word && NUMBER_WORDS.includes(word)) return fromNumber(NUMBER_WORDS.indexOf(word) + 1);
  const ordinal = /^(\d{1,2})(?:st|nd|rd|th)(?: (?:year|grade))?$/.exec(plain)?.[1];
  if (ordinal) return fromNumber(Number(ordinal));
  const number = /^(?:(?:nc )?(?:year(?: group)?|yr|y|blwyddyn|bl)[ .]{0,2})?(-?\d{1,2})(?:\.0+)?$/.exec(plain)?.[1];
  if (number) return fromNumber(Number(number));
  if (/^(?:year|yr|y) ?r(?:ec(?:eption)?)?$/.test(plain)) return 'R';
  const [, kind, part] = /^(early years|nursery|primary|p) ?([1-7])$/.exec(plain) ?? [];
  return kind && part ? toCode(`${kind === 'early years' ? 'E' : kind === 'nursery' ? 'N' : 'P'}${part}`) : null;
}

/** A year in the name of a class. The short forms count only at its beginning: `Y3 Wrens`, but not `Room P2`. */
const YEAR_IN_NAME = /\b(?:nursery(?: [12])?|reception|(?:year|yr|primary) ?\d{1,2})\b|^[yp] ?\d{1,2}\b/gi;

/**
 * The year group that the name of a class states, such as `Year 3 Wrens`; null for a name without one, with several
 * (`Year 3/4`), or with a number alone (`3W`).
 */
export function yearGroupOfClass(name: string): YearGroup | null {
  const found = [...name.trim().matchAll(YEAR_IN_NAME)];
  const isPartOfSeveral = found.some(
    ({ 0: text, index, input }) =>
      /^\s*(?:[/&+–-]|and|to)\s*\d/i.test(input.slice(index + text.length)) || /[/&+]\s*$/.test(input.slice(0, index)),
  );
  const groups = new Set(found.map(([text]) => parseYearGroup(text)));
  return groups.size === 1 && !isPartOfSeveral ? ([...groups][0] ?? null) : null;
}

/** A year group in words: `Reception`, `Nursery 1`, `Year 3`, `P4`. */
export function formatYearGroup(code: YearGroup): string {
  if (code === 'R') return 'Reception';
  if (code === 'M') return 'Mixed year groups';
  if (code === 'X') return 'No year group';
  if (code.startsWith('P')) return code;
  if (code.startsWith('N')) return `Nursery ${code.slice(1)}`;
  return code.startsWith('E') ? `Early years ${code.slice(1)}` : `Year ${code}`;
}

/** The codes that say nothing about a pupil's year. */
const WITHOUT_YEAR: ReadonlySet<YearGroup> = new Set(['M', 'X']);

/** A pupil's age in whole years on 1 September of a year group; null before Reception and for M and X. */
export function ageInYearGroup(code: YearGroup): number | null {
  if (code === 'R') return 4;
  if (code.startsWith('P')) return Number(code.slice(1)) + 3;
  return /^\d/.test(code) ? Number(code) + 4 : null;
}

/** Orders year groups by age. Early years and nursery are the four before Reception. */
const ageRank = (code: YearGroup): number => ageInYearGroup(code) ?? YEAR_GROUPS.indexOf(code);

/** The year groups of some pupils, each once and the youngest first; without M and X. */
export const distinctYearGroups = (yearGroups: readonly (YearGroup | null)[]): YearGroup[] =>
  YEAR_GROUPS.filter((code) => yearGroups.includes(code) && !WITHOUT_YEAR.has(code)).toSorted(
    (a, b) => ageRank(a) - ageRank(b),
  );

/** Year groups in words: `Year 3`, `Years 3 and 4`, `Reception and Year 1`, `P3 and P4`. Empty for none. */
export function formatYearGroups(yearGroups: readonly YearGroup[]): string {
  const numbers = yearGroups.filter((code) => /^\d/.test(code));
  const words = yearGroups.filter((code) => !numbers.includes(code)).map(formatYearGroup);
  const years = numbers.map((code, index) => (index > 0 ? code : `Year${numbers.length > 1 ? 's' : ''} ${code}`));
  const texts = [...words, ...years];
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

/** The number of a year as connections to school records choose it: 0 for Reception, 1 to 13; null for every other. */
export const yearNumber = (code: YearGroup | null): number | null =>
  code === 'R' ? 0 : code !== null && /^\d/.test(code) && code !== '14' ? Number(code) : null;

/** Whether pupils of a year group leave a primary school at the end of the year. */
export const isLastPrimaryYear = (code: YearGroup | null): boolean => code !== null && /^([6-9]|1\d|P7)$/.test(code);

/**
 * The year group a school year later; null after Year 13, Year 14 and P7. M and X do not change, because they say nothing
 * about a pupil's year.
 */
export function nextYearGroup(code: YearGroup): YearGroup | null {
  if (code === 'M' || code === 'X') return code;
  if (code === '13' || code === '14' || code === 'P7') return null;
  return YEAR_GROUPS[YEAR_GROUPS.indexOf(code) + 1] ?? null;
}

const startOf = (year: number): string => `${year}-09-01`;

/**
 * The September from which a year group is true that someone states on a day (YYYY-MM-DD). Lists made in August are those
 * of the coming year.
 */
export const statedSince = (day: string): string =>
  startOf(day.slice(5, 7) === '08' ? academicYearOf(day) + 1 : academicYearOf(day));

/** The September to which a year end on a day leads: the next one, or until December the last one. */
export const yearEndSince = (day: string): string => startOf(Number(day.slice(0, 4)));

/**
 * The year group on a day (YYYY-MM-DD): one further for each school year since it was recorded; null once the pupil has
 * passed the last. Before `since` it is the recorded one, because a year end in summer records the coming year.
 */
export function yearGroupOn(recorded: RecordedYearGroup | null, day: string): YearGroup | null {
  if (!recorded) return null;
  let code: YearGroup | null = recorded.code;
  for (let year = academicYearOf(recorded.since); code && year < academicYearOf(day); year += 1)
    code = nextYearGroup(code);
  return code;
}

/** The school years after which every year group is over: from E1 past Year 13. */
const YEARS_TO_THE_END = 18;

/**
 * The recorded year groups that mean `code` on a day (YYYY-MM-DD), for a query. An earlier `since` than `earliest` means
 * the same as `earliest`, and a later one than `latest` the same as `latest`. With null, those of pupils past the last year.
 */
export function recordedYearGroupsFor(
  code: YearGroup | null,
  day: string,
): { earliest: string; latest: string; recorded: RecordedYearGroup[] } {
  const year = academicYearOf(day);
  const recorded = Array.from({ length: YEARS_TO_THE_END + 1 }, (_, years) => startOf(year - years))
    .flatMap((since) => YEAR_GROUPS.map((recordedCode) => ({ code: recordedCode, since })))
    .filter((candidate) => yearGroupOn(candidate, day) === code);
  return { earliest: startOf(year - YEARS_TO_THE_END), latest: startOf(year), recorded };
}

/** A recorded year group as a year end records it for the coming year; unchanged for pupils who have no further year. */
export function moveUpTo(recorded: RecordedYearGroup, since: string): RecordedYearGroup {
  const code = yearGroupOn(recorded, since);
  return code === null || recorded.since >= since ? recorded : { code, since };
}

/** How two recorded year groups differ on a day (YYYY-MM-DD), or else after it; undefined if they mean the same. */
export function findYearGroupChange(
  former: RecordedYearGroup | null,
  current: RecordedYearGroup | null,
  day: string,
): { from: YearGroup | null; to: YearGroup | null } | undefined {
  const later = [former?.since ?? day, current?.since ?? day, day].toSorted().at(-1) ?? day;
  return [day, later]
    .map((date) => ({ from: yearGroupOn(former, date), to: yearGroupOn(current, date) }))
    .find(({ from, to }) => from !== to);
}

/** Finds a year group in the name of a class: its text, and its number (Reception is 0, Nursery -1). */
export function findYear(name: string): { text: string; year: number } | null {
  const words = /\b(nursery|reception|year ?\d{1,2}|yr ?\d{1,2}|y ?\d{1,2})\b/i.exec(name)?.[0];
  if (words) {
    if (/nursery/i.test(words)) return { text: words, year: -1 };
    if (/reception/i.test(words)) return { text: words, year: 0 };
    return { text: words, year: Number(/\d+/.exec(words)?.[0]) };
  }
  const short = /^\s*(\d)(?=\s?[a-z]?\b|[A-Z])/i.exec(name)?.[1];
  if (short) return { text: short, year: Number(short) };
  const letter = /^\s*(R)(?=\s|[A-Z]?$)/.exec(name)?.[1];
  return letter ? { text: letter, year: 0 } : null;
}

/** A year group in words: `Year 3`, `Reception`. */
export const yearText = (year: number): string => (year === -1 ? 'Nursery' : year === 0 ? 'Reception' : `Year ${year}`);
