import type { ColumnRole } from '#contract/calls/pupil-import.ts';
import type { Workbook } from '../spreadsheets/workbook.ts';
import type { ListKnowledge } from './columns.ts';
import { type Answers, type Doubt, doubt, settleDoubts } from './doubts.ts';
import { isGeneralSheet, isUnnamedSheet, isWrittenAsClass } from './class-names.ts';
import { toWords } from './header-words.ts';
import { hasTitle, startsWithFirstName } from './names.ts';
import { type Layout, LAYOUTS } from './layouts.ts';
import { type Entry, type List, readList } from './read-list.ts';
import { tidyWorkbook } from './tidy.ts';

/** What the user has chosen. */
export interface Choices {
  layout?: Layout | undefined;
  sheets?: readonly string[] | undefined;
  roles?: readonly ColumnRole[] | undefined;
  answers?: Answers | undefined;
}

/** A list as it was understood, with a question for each guess. */
export interface UnderstoodList extends List {
  doubts: Doubt[];
}

/** A second layout this likely, compared with the first, makes the layout a question. */
const CLOSE = 0.85;

export const LAYOUT_NAMES: Record<Layout, string> = {
  table: 'A row for each pupil',
  columns: 'A class in each column',
  headings: 'The class above its pupils',
  lines: 'Several things in one cell',
};

/** Reads a list and asks about what it had to guess; undefined if there are no pupils in it. */
export function understandList(
  given: Workbook,
  knowledge: ListKnowledge,
  { layout, sheets, roles, answers = {} }: Choices = {},
): UnderstoodList | undefined {
  const book = tidyWorkbook(given);
  const answered = answers.staff === 'class' ? 'headings' : answers.layout;
  const chosenLayout = layout ?? LAYOUTS.find((known) => known === answered);
  const list = readList(book, knowledge, {
    layout: chosenLayout,
    sheets,
    roles,
    hasHiddenRows: answers.hidden === 'take',
    hasHeader: answers.header === 'header' ? true : undefined,
    isSurnameFirst: answers.order === undefined ? undefined : answers.order === 'surname',
    areNamesSwapped: answers.names === 'swapped',
    isWithoutGuessedClass: answers.class === 'none',
    sheetsAreClasses: answers.sheets === undefined ? undefined : answers.sheets === 'class',
  });
  if (!list) return undefined;
  const about = [
    ...askLayout(list, answers, layout !== undefined, knowledge),
    ...askOrder(list, answers, roles !== undefined),
    ...askHeader(book, list, answers),
    ...askGuessedClass(list, answers, roles !== undefined),
    ...askSheetClass(list, answers),
    ...askHiddenRows(book, answers),
    ...askStaff(list, answers),
  ];
  const isPupil = ({ name }: Entry) => answers.staff === 'pupil' || !hasTitle(name);
  const { entries, doubts } = settleDoubts(list.entries.filter(isPupil), answers, knowledge);
  return {
    ...list,
    entries,
    doubts: [...about, ...doubts].toSorted((a, b) => Number(b.isStrong) - Number(a.isStrong)),
  };
}

const keyOf = ({ name, class: className }: Entry) => `${toWords(name)}|${toWords(className)}`;
const usedParts = (list: List) =>
  list.sheets.flatMap(({ isUsed, reading }) => (isUsed && reading ? reading.parts : []));

function askLayout(list: List, answers: Answers, isChosen: boolean, { isClass }: ListKnowledge): Doubt[] {
  const [best, second] = list.layouts;
  // A pupil without a surname looks like the name of a class.
  const hasDoubtfulHeading =
    list.layout === 'headings' &&
    list.entries.some(({ class: text }) => startsWithFirstName(text) && !isWrittenAsClass(text) && !isClass(text));
  const isClose = best && second && (second.score >= best.score * CLOSE || hasDoubtfulHeading);
  if (isChosen || (!isClose && answers.layout === undefined)) return [];
  const differ = list.sheets.some(({ isUsed, reading, rival }) => {
    if (!isUsed || !reading || !rival) return false;
    const keys = new Set(reading.entries.map(keyOf));
    return rival.entries.length !== reading.entries.length || rival.entries.some((entry) => !keys.has(keyOf(entry)));
  });
  if (!differ) return [];
  return [
    doubt(answers, {
      id: 'layout',
      question: 'The list can be read in more than one way. How is it laid out?',
      isStrong: true,
      choices: list.layouts.map(({ layout }) => ({ value: layout, label: LAYOUT_NAMES[layout] })),
      assumed: list.layout,
    }),
  ];
}

function askOrder(list: List, answers: Answers, isChosen: boolean): Doubt[] {
  const part = usedParts(list).find(({ columns }) => columns.isOrderGuessed);
  if (!part || isChosen) return [];
  const { roles } = part.columns;
  const at = Math.min(roles.indexOf('first_name'), roles.indexOf('last_name'));
  const [left = '', right = ''] = part.rows[0]?.cells.slice(at, at + 2).map((cell) => cell.trim()) ?? [];
  return [
    doubt(answers, {
      id: 'order',
      question: `“${left}” and “${right}” are in the first row. Which is the surname?`,
      isStrong: true,
      choices: [
        { value: 'surname', label: left },
        { value: 'first_name', label: right },
      ],
      assumed: roles[at] === 'last_name' ? 'surname' : 'first_name',
    }),
  ];
}

/** A first row that is unlike the others in a list without known headers: its class is there once, and others are not. */
function askHeader(book: Workbook, list: List, answers: Answers): Doubt[] {
  const isGiven = answers.header !== undefined;
  const [part] = usedParts(list);
  if (!part) return [];
  const rows = book.sheets.find(({ name }) => name === part.sheet.name)?.rows ?? [];
  const cells = rows[0]?.cells.map((cell) => cell.trim()).filter(Boolean) ?? [];
  if (!isGiven) {
    if (list.layout !== 'table' || part.columns.headerAt >= 0 || rows.length < 6 || part.rows[0]?.row !== rows[0]?.row)
      return [];
    const [first, ...others] = list.entries;
    const sizes = Map.groupBy(others, (entry) => entry.class);
    const isAlone =
      first !== undefined && first.class !== '' && !sizes.has(first.class) && others.length / sizes.size >= 3;
    if (!isAlone) return [];
  }
  return [
    doubt(answers, {
      id: 'header',
      question: `The first row says “${cells.slice(0, 4).join(', ')}”. Is it the heading?`,
      isStrong: true,
      choices: [
        { value: 'header', label: 'Yes, leave it out' },
        { value: 'pupil', label: 'No, it is a pupil' },
      ],
      assumed: 'pupil',
    }),
  ];
}

function askGuessedClass(list: List, answers: Answers, isChosen: boolean): Doubt[] {
  const part = usedParts(list).find(({ columns }) => columns.isClassGuessed);
  if (!part || isChosen) return [];
  const { roles, headers } = part.columns;
  const at = roles.indexOf('class');
  const values = [...new Set(list.entries.map((entry) => entry.class))].filter(Boolean);
  return [
    doubt(answers, {
      id: 'class',
      question: `Is “${headers[at] ?? 'this column'}” the class? It says ${values.slice(0, 3).join(', ')}.`,
      isStrong: true,
      choices: [
        { value: 'class', label: 'Yes' },
        { value: 'none', label: 'No, leave it out' },
      ],
      assumed: 'class',
    }),
  ];
}

/** Whether the name of the only sheet is the class, where no pupil has another. */
function askSheetClass({ sheets, entries, sheetsAreClasses }: List, answers: Answers): Doubt[] {
  const used = sheets.filter(({ isUsed }) => isUsed);
  const [only] = used;
  const name = only?.sheet.name.trim() ?? '';
  const isWithoutOther = entries.every(({ classFrom }) => classFrom === 'none' || classFrom === 'sheet_name');
  const isClear = isUnnamedSheet(name) || isGeneralSheet(name) !== isWrittenAsClass(name);
  if (!isWithoutOther || used.length > 1 || isClear) return [];
  return [
    doubt(answers, {
      id: 'sheets',
      question: `The sheet is called “${name}”. Is that the class?`,
      isStrong: false,
      choices: [
        { value: 'class', label: 'Yes' },
        { value: 'none', label: 'No' },
      ],
      assumed: sheetsAreClasses ? 'class' : 'none',
    }),
  ];
}

/** Names with the title of an adult: the teacher above a class, or staff among the pupils. */
function askStaff({ entries, layout, layouts }: List, answers: Answers): Doubt[] {
  const names = entries.flatMap(({ name }) => (hasTitle(name) ? [`“${name}”`] : []));
  const canBeClasses = layout !== 'headings' && layouts.some((other) => other.layout === 'headings');
  if (names.length === 0 && answers.staff !== 'class') return [];
  return [
    doubt(answers, {
      id: 'staff',
      question:
        names.length === 0
          ? 'Some rows have the title of an adult. Who are they?'
          : `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}: ${names.length === 1 ? 'a member of staff' : 'members of staff'}?`,
      isStrong: true,
      choices: [
        ...(canBeClasses || answers.staff === 'class'
          ? [{ value: 'class', label: 'Yes, each is the class of the pupils below' }]
          : []),
        { value: 'leave', label: 'Yes, leave them out' },
        { value: 'pupil', label: 'No, they are pupils' },
      ],
      assumed: 'leave',
    }),
  ];
}

function askHiddenRows(book: Workbook, answers: Answers): Doubt[] {
  const count = book.sheets.reduce(
    (sum, { rows, hidden }) => sum + (hidden ? 0 : rows.filter(({ isHidden }) => isHidden).length),
    0,
  );
  if (count === 0) return [];
  return [
    doubt(answers, {
      id: 'hidden',
      question: `${count === 1 ? 'A row is' : `${count} rows are`} hidden in the file, perhaps by a filter. Leave ${count === 1 ? 'it' : 'them'} out?`,
      isStrong: false,
      choices: [
        { value: 'leave', label: 'Yes' },
        { value: 'take', label: 'No, read them too' },
      ],
      assumed: 'leave',
    }),
  ];
}
