import type { Sheet, SheetRow, Workbook } from '../spreadsheets/workbook.ts';

/* Lists as schools write them, each with the pupils that it means. */

/** Our own names, as a class in the United Kingdom has them. */
const GIVEN_NAMES =
  `Amara Ben Carys Dev Ella Finlay Grace Harri Isla Jakub Kira Leo Maisie Noor Oscar Poppy Quentin Rosa Samir Tilly Umar Violet Wilf Yasmin Zofia Ailsa Bartek Cerys Dylan Esme Farid Gwen Hamza Imogen Jonah Keziah Luca Mabel Nia Otis Priya Rafferty Saoirse Taj Una Viraj Winnie Xanthe Yusuf Zara Anouk Blaise Cosima Dashiell Elowen Fflur Gethin Hester Idris Juno Kofi Lowri Merryn Nell Oluwaseun Petra Roan Sunniva Tamsin Ulysses Vesper Wren Ximena Yaw Zuri Ifeoma Jory Kwame`.split(
    /\s+/,
  );
const DOUBLE_GIVEN_NAMES = ['Anna Maria', 'Mary-Jane', 'Muhammad Ali', 'Lily Rose', 'Jean-Luc', 'Tia Mae'];
const SURNAMES =
  `Whitcombe Lockyer Penhallow Chaudhry Thornbury Marsh Odukoya Beynon Ravenhill Nowicki Fenwick Abara Crowther Halabi Tindall Warrick Yates Delgado Khoury Brackley Siddiqui Hesketh Garside Karimi Adebayo Birtwistle Cavendish Dunmore Eastwood Farrow Gilchrist Huxtable Ibekwe Jessop Kowalska Lumley Mistry Nethercott Okonkwo Prendergast Quayle Rowbotham Szymanski Trelawney Underhill Varga Wexford Yilmaz Zielinski Ashdown Bellamy Corrigan Drummond Ellery Fothergill Greaves Hollis Inskip Jarrold Kettle Langford Musa Norbury Oduya Pascoe Redfern Sorrell Tolland Upton Vance Wadsworth Yeo Zaman`.split(
    /\s+/,
  );
const OTHER_SURNAMES = [
  "O'Hara",
  'St. Clair',
  'van der Berg',
  'Lloyd-Davies',
  'De Souza',
  'Ó Séaghdha',
  'Al-Masri',
  'McAllister',
];

/** Numbers from a seed, the same on every computer. */
function createRandom(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  const next = () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    state ^= state >>> 13;
    return (state >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  return { next, below, pick };
}

interface Child {
  first: string;
  last: string;
  class: string;
  year: number;
}

/** How a school names its classes. */
const CLASS_STYLES: Record<string, (year: number, index: number) => string> = {
  trees: (year, index) =>
    ['Acorn', 'Oak', 'Ash', 'Elm', 'Rowan', 'Cedar', 'Maple', 'Holly', 'Birch', 'Willow'][(year * 2 + index) % 10] ??
    '',
  yearAndTree: (year, index) => `Year ${year} ${['Oak', 'Ash'][index % 2]}`,
  numberAndLetter: (year, index) => `${year}${'AB'[index % 2]}`,
  treeClass: (year, index) =>
    `${['Robin', 'Wren', 'Heron', 'Jay', 'Owl', 'Kite', 'Swift', 'Finch'][(year + index * 3) % 8]} Class`,
  teacher: (year, index) =>
    `${['Miss', 'Mr', 'Mrs'][(year + index) % 3]} ${['Hale', 'Brook', 'Dale', 'Stone', 'Ford', 'Lake'][(year + index) % 6]}`,
  short: (year, index) => `${['', 'R', 'Y'][year % 3]}${year}${'HK'[index % 2]}`,
};

const HEADERS = {
  pair: [
    ['First name', 'Surname'],
    ['Forename', 'Surname'],
    ['Legal Forename', 'Legal Surname'],
    ['Given Name', 'Family Name'],
    ['first_name', 'last_name'],
    ['Pupil forename', 'Pupil surname'],
    ['Known as', 'Surname'],
    ['Enw Cyntaf', 'Cyfenw'],
    ['Preferred Name', 'Legal Surname'],
  ],
  whole: ['Name', 'Pupil Name', 'Full name', 'Student', "Child's Full Name", 'Pupil', 'Learner name', 'Enw'],
  class: [
    'Class',
    'Reg Group',
    'Reg Grp',
    'Form',
    'Class / Form',
    'Registration Form',
    'Class Name',
    'Tutor Group',
    'Dosbarth',
    'Class 2026/27',
    'Homeroom',
    'Cls',
  ],
};

/** Columns beside what the portal needs, as exports have them. */
const EXTRA: Record<string, (child: Child, index: number) => string> = {
  DOB: (_, index) => `${String((index % 28) + 1).padStart(2, '0')}/0${(index % 9) + 1}/201${index % 8}`,
  Gender: (_, index) => 'MF'[index % 2] ?? '',
  'First Language': (_, index) => ['English', 'English', 'Urdu', 'Welsh'][index % 4] ?? '',
  House: (_, index) => ['Red', 'Blue', 'Green'][index % 3] ?? '',
  'Adm No': (_, index) => String(1000 + index * 7),
  "Mother's surname": ({ last }) => last,
  'Parent email': ({ last }, index) => `${last.toLowerCase().replaceAll(/[^a-z]/g, '')}${index}@home.example`,
  'SEN Status': (_, index) => ['N', 'N', 'K', 'N', 'E'][index % 5] ?? '',
  'Next of Kin': ({ last }, index) => `${GIVEN_NAMES[(index * 5) % GIVEN_NAMES.length]} ${last}`,
  'Date first admitted': (_, index) => `0${(index % 9) + 1}/09/2025`,
  'Emergency contact name': ({ last }, index) => `${GIVEN_NAMES[(index * 3 + 1) % GIVEN_NAMES.length]} ${last}`,
};

export const LAYOUTS_OF_LISTS = [
  'headed pair',
  'headed whole name',
  'headed surname first',
  'headed comma unquoted',
  'headless pair',
  'headless whole name',
  'sheets headed',
  'sheets headless',
  'columns of names',
  'columns of pairs',
  'headings in one column',
  'headings in a table',
  'lines with a comma',
  'lines in brackets',
  'names in rows',
] as const;
export type LayoutOfList = (typeof LAYOUTS_OF_LISTS)[number];

export const HABITS = [
  'none',
  'title',
  'footer',
  'numbered',
  'extra columns',
  'capital surnames',
  'blank rows',
  'year column',
  'whole school sheet',
  'staff sheet',
  'repeated headers',
  'few pupils',
] as const;
export type Habit = (typeof HABITS)[number];

export const STYLES = Object.keys(CLASS_STYLES);

export interface GeneratedList {
  book: Workbook;
  /** `Name|Class`, or `Name` where the list has no classes. */
  truth: string[];
}

const rowsOf = (rows: readonly (readonly string[] | null)[]): SheetRow[] =>
  rows.flatMap((cells, index) => (cells?.some((cell) => cell !== '') ? [{ row: index + 1, cells: [...cells] }] : []));
const sheetOf = (name: string, rows: readonly (readonly string[] | null)[]): Sheet => ({
  name,
  hidden: false,
  rows: rowsOf(rows),
});

/** Builds a list; undefined for a habit that its layout cannot have. */
export function generateList(
  seed: number,
  layout: LayoutOfList,
  habit: Habit,
  style: string,
): GeneratedList | undefined {
  const random = createRandom(seed);
  const isSmall = habit === 'few pupils';
  const children = makeChildren(random, style, isSmall);
  const byClass = [...Map.groupBy(children, (child) => child.class)];
  const last = (child: Child) => (habit === 'capital surnames' ? child.last.toUpperCase() : child.last);
  const full = (child: Child) => `${child.first} ${last(child)}`;
  const isTable = layout.startsWith('headed') || layout.startsWith('headless');
  const isText = layout.startsWith('lines') || layout === 'names in rows' || layout === 'headed comma unquoted';
  let sheets: Sheet[];
  let truth = children.map((child) => `${full(child)}|${child.class}`);

  const withHabits = (header: string[] | null, body: string[][]): (string[] | null)[] => {
    const numbered = habit === 'numbered';
    const rows = body.map((cells, index) => (numbered ? [String(index + 1), ...cells] : cells));
    const head = header && (numbered ? ['No', ...header] : header);
    const spaced =
      habit === 'blank rows' ? rows.flatMap((cells, index) => (index % 7 === 6 ? [cells, null] : [cells])) : rows;
    const paged =
      habit === 'repeated headers' && head
        ? spaced.flatMap((cells, index) => (index % 20 === 19 ? [cells, head] : [cells]))
        : spaced;
    return [
      ...(habit === 'title' ? [['Larkfield Primary School'], ['Pupil list 2026'], null] : []),
      ...(head ? [head] : []),
      ...paged,
      ...(habit === 'footer' ? [null, [`Printed on 12/09/2026`], [`Total: ${body.length}`]] : []),
    ];
  };

  if (isTable) {
    const isHeaded = layout.startsWith('headed');
    const isWhole = layout.includes('whole') || layout.includes('surname first') || layout.includes('comma');
    const extra = habit === 'extra columns' ? pickSome(random, Object.keys(EXTRA)) : [];
    if (!isHeaded && extra.length > 0) return undefined;
    const isYear = habit === 'year column';
    const [firstHeader, lastHeader] = random.pick(HEADERS.pair) as [string, string];
    const isReversed = !isWhole && random.next() < 0.5;
    const nameHeaders = isWhole
      ? [random.pick(HEADERS.whole)]
      : isReversed
        ? [lastHeader, firstHeader]
        : [firstHeader, lastHeader];
    const nameCells = (child: Child): string[] => {
      if (layout.includes('surname first')) return [`${last(child)}, ${child.first}`];
      if (layout.includes('comma')) return [last(child), ` ${child.first}`];
      if (isWhole) return [full(child)];
      return isReversed ? [last(child), child.first] : [child.first, last(child)];
    };
    const classFirst = random.next() < 0.2;
    const order = (names: string[], ownClass: string[], more: string[]) =>
      classFirst ? [...ownClass, ...names, ...more] : [...names, ...more, ...ownClass];
    const yearHeader = isYear ? [random.pick(['Year', 'Year Group', 'NC Year', 'Yr Grp'])] : [];
    const header = isHeaded ? order(nameHeaders, [random.pick(HEADERS.class)], [...yearHeader, ...extra]) : null;
    const body = children.map((child, index) =>
      order(
        nameCells(child),
        [child.class],
        [
          ...(isYear ? [random.pick([String(child.year)])] : []),
          ...extra.map((name) => EXTRA[name]?.(child, index) ?? ''),
        ],
      ),
    );
    if (layout.includes('comma') && (classFirst || habit === 'extra columns' || isYear)) return undefined;
    if (layout.includes('comma') && habit === 'numbered') return undefined;
    sheets = [sheetOf(isText ? '' : 'Sheet1', withHabits(header, body))];
  } else if (layout.startsWith('sheets')) {
    const isHeaded = layout === 'sheets headed';
    const isWhole = random.next() < 0.5;
    const [firstHeader, lastHeader] = random.pick(HEADERS.pair) as [string, string];
    const header = isHeaded ? (isWhole ? [random.pick(HEADERS.whole)] : [firstHeader, lastHeader]) : null;
    if (['extra columns', 'year column'].includes(habit)) return undefined;
    const cells = (child: Child) => (isWhole ? [full(child)] : [child.first, last(child)]);
    sheets = byClass.map(([name, members]) => sheetOf(name, withHabits(header, members.map(cells))));
    if (habit === 'whole school sheet')
      sheets.unshift(sheetOf('Whole School', withHabits(header, children.map(cells))));
    if (habit === 'staff sheet')
      sheets.push(
        sheetOf(
          'Staff',
          withHabits(
            header,
            SURNAMES.slice(0, 6).map((name, index) => (isWhole ? [`Mrs ${name}`] : [GIVEN_NAMES[index] ?? '', name])),
          ),
        ),
      );
  } else if (layout.startsWith('columns')) {
    if (['numbered', 'extra columns', 'year column', 'repeated headers', 'blank rows'].includes(habit))
      return undefined;
    const isPairs = layout === 'columns of pairs';
    const height = Math.max(...byClass.map(([, members]) => members.length));
    const header = byClass.flatMap(([name]) => (isPairs ? [name, ''] : [name]));
    const body = Array.from({ length: height }, (_, row) =>
      byClass.flatMap(([, members]) => {
        const child = members[row];
        if (isPairs) return child ? [child.first, last(child)] : ['', ''];
        return [child ? full(child) : ''];
      }),
    );
    sheets = [sheetOf('Classes', withHabits(header, body))];
    if (byClass.length < 2) return undefined;
  } else if (layout.startsWith('headings')) {
    if (['extra columns', 'year column', 'repeated headers', 'numbered'].includes(habit)) return undefined;
    if (habit === 'blank rows' && layout === 'headings in one column') return undefined;
    const isTableOfRuns = layout === 'headings in a table';
    const header = isTableOfRuns && random.next() < 0.5 ? ['First name', 'Surname'] : null;
    const body = byClass.flatMap(([name, members], index) => [
      ...(index > 0 ? [null] : []),
      [name],
      ...members.map((child) => (isTableOfRuns ? [child.first, last(child)] : [full(child)])),
    ]);
    sheets = [
      sheetOf('Classes', [
        ...(habit === 'title' ? [['Larkfield Primary School'], null] : []),
        ...(header ? [header] : []),
        ...body,
        ...(habit === 'footer' ? [null, [`Total: ${children.length}`]] : []),
      ]),
    ];
  } else {
    if (!['none', 'numbered', 'capital surnames', 'few pupils', 'blank rows'].includes(habit)) return undefined;
    if (layout === 'names in rows') {
      truth = children.map(full);
      const rows: string[][] = [];
      for (let at = 0; at < children.length; at += 4)
        rows.push(children.slice(at, at + 4).map((child, index) => `${index > 0 ? ' ' : ''}${full(child)}`));
      if (habit === 'numbered') return undefined;
      sheets = [sheetOf('', rows)];
    } else {
      const line = (child: Child) =>
        layout === 'lines with a comma' ? [full(child), ` ${child.class}`] : [`${full(child)} (${child.class})`];
      sheets = [
        sheetOf(
          '',
          children.map((child, index) =>
            habit === 'numbered'
              ? line(child).map((cell, part) => (part === 0 ? `${index + 1}. ${cell}` : cell))
              : line(child),
          ),
        ),
      ];
    }
  }
  if (['whole school sheet', 'staff sheet'].includes(habit) && !layout.startsWith('sheets')) return undefined;
  if (habit === 'repeated headers' && sheets.every(({ rows }) => rows.length < 20)) return undefined;
  return { book: { format: isText ? 'text' : 'xlsx', sheets }, truth };
}

function makeChildren(random: ReturnType<typeof createRandom>, style: string, isSmall: boolean): Child[] {
  const taken = new Set<string>();
  const years = isSmall ? 1 : 1 + random.below(3);
  const start = 1 + random.below(6 - years + 1);
  const children: Child[] = [];
  for (let year = start; year < start + years; year += 1)
    for (let index = 0; index < (isSmall ? 1 : 1 + random.below(2)); index += 1) {
      const size = isSmall ? 3 + random.below(3) : 8 + random.below(20);
      const isSorted = random.next() < 0.6;
      const members: Child[] = [];
      while (members.length < size) {
        const first = random.next() < 0.06 ? random.pick(DOUBLE_GIVEN_NAMES) : random.pick(GIVEN_NAMES);
        const last = random.next() < 0.08 ? random.pick(OTHER_SURNAMES) : random.pick(SURNAMES);
        if (taken.has(`${first} ${last}`)) continue;
        taken.add(`${first} ${last}`);
        members.push({ first, last, class: CLASS_STYLES[style]?.(year, index) ?? '', year });
      }
      children.push(...(isSorted ? members.toSorted((a, b) => (a.last < b.last ? -1 : 1)) : members));
    }
  return children;
}

const pickSome = (random: ReturnType<typeof createRandom>, from: readonly string[]): string[] =>
  from.filter(() => random.next() < 0.4);
