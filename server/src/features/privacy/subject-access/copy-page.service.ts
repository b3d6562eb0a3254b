import type { CopiedTable } from './copies.queries.ts';
import { freeTexts } from './copies.registry.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import { type describeHoldings, TABLES } from '../registry/registry.public.ts';
import type { CopyDigest, Spans } from './copy-digest.service.ts';
import type { CopySection, CopyTable } from './copy-page.document.ts';
import { formatMonth, formatNumber, formatShortDay, sentenceCase, toLines, wordsFor } from './copy-format.service.ts';

/** Everything from which the readable page of a copy is made. */
export interface CopyContent {
  name: string;
  school: string;
  product: string;
  /** The day on which the copy is made. */
  today: string;
  digest: CopyDigest;
  tables: readonly CopiedTable[];
  /** The columns of each table in the files. */
  columnsOf: (table: CopiedTable) => readonly string[];
  holdings: ReturnType<typeof describeHoldings>;
  /** Names of sign-in providers by ID. */
  providers: ReadonlyMap<string, string>;
}

/** Rows of a table on the page; the files have all. */
export const MAX_ROWS = 40;
const MAX_ENTRIES = 10;
/** Months on the page; earlier ones share a row. */
const MAX_MONTHS = 24;
/** Columns of a table that fit on a page. */
const MAX_COLUMNS = 5;

export const inFile = (table: TableName): string => `data/${table}.csv`;

/** Says where the rest is; nothing if all rows are shown. */
export const restOf = (shown: number, total: number, noun: 'entry' | 'row', table: TableName): string | undefined =>
  shown < total
    ? `These are ${formatNumber(shown)} of ${formatNumber(total)} ${noun === 'entry' ? 'entries' : 'rows'}. All are in ${inFile(table)}.`
    : undefined;

/** A section, or none without content. */
export const sectionOf = (title: string, parts: Partial<Omit<CopySection, 'title'>>): CopySection[] => {
  const section = { title, sentences: [], tables: [], quotes: [], ...parts };
  const isEmpty = section.sentences.length + section.tables.length + section.quotes.length === 0;
  return isEmpty ? [] : [section];
};

/** The latest months one by one, and those before in one row. */
export function foldMonths<Figures>(
  byMonth: ReadonlyMap<string, Figures>,
  add: (a: Figures, b: Figures) => Figures,
): [name: string, figures: Figures][] {
  const months = [...byMonth].sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = months.slice(-MAX_MONTHS);
  const [oldest, ...older] = months.slice(0, -MAX_MONTHS).map(([, figures]) => figures);
  const names = shown.map(([month, figures]): [string, Figures] => [formatMonth(month), figures]);
  const [first] = shown;
  return oldest === undefined || !first
    ? names
    : [[`Before ${formatMonth(first[0])}`, older.reduce(add, oldest)], ...names];
}

/** A table of how often each of some things happened, and when first and last. */
export function tableOfSpans(
  spans: Spans,
  digest: CopyDigest,
  {
    name,
    counted,
    words = (key) => key,
    table,
  }: {
    name: string;
    counted: string;
    words?: (key: string) => string;
    table: TableName;
  },
): CopyTable[] {
  const all = spans.list();
  if (all.length === 0) return [];
  const day = (at: Date) => formatShortDay(digest.dayOf(at));
  const shown = all.slice(0, MAX_ROWS);
  return [
    {
      columns: [
        { name, width: 4 },
        { name: 'First', width: 1.6 },
        { name: 'Last', width: 1.6 },
        { name: counted, width: 1.2, isNumber: true },
      ],
      rows: shown.map(({ key, count, first, last }) => [words(key), day(first), day(last), formatNumber(count)]),
      total:
        all.length > 1 ? ['Total', '', '', formatNumber(all.reduce((sum, { count }) => sum + count, 0))] : undefined,
      note: restOf(shown.length, all.length, 'row', table),
    },
  ];
}

/** Logins by month, with how they were made. */
export function loginSection({ digest, providers }: CopyContent): CopySection[] {
  const byMonth = new Map(
    digest.logins.list().map(({ key, count }) => [
      key,
      {
        count,
        methods: digest.methods.get(key) ?? new Set<string>(),
        devices: digest.devices.get(key) ?? new Set<string>(),
      },
    ]),
  );
  if (byMonth.size === 0) return [];
  const rows = foldMonths(byMonth, (a, b) => ({
    count: a.count + b.count,
    methods: new Set([...a.methods, ...b.methods]),
    devices: new Set([...a.devices, ...b.devices]),
  }));
  const hasDevices = rows.some(([, { devices }]) => devices.size > 0);
  const listOf = (set: ReadonlySet<string>) => [...set].map((code) => wordsFor(code, providers)).join(', ');
  return sectionOf('Logins', {
    tables: [
      {
        columns: [
          { name: 'Month', width: 2.4 },
          { name: 'With', width: 3 },
          ...(hasDevices ? [{ name: 'Browser and system', width: 4 }] : []),
          { name: 'Logins', width: 1.2, isNumber: true },
        ],
        rows: rows.map(([month, { count, methods, devices }]) => [
          month,
          listOf(methods),
          ...(hasDevices ? [[...devices].join(', ')] : []),
          formatNumber(count),
        ]),
        total: ['Total', '', ...(hasDevices ? [''] : []), formatNumber(digest.logins.total()?.count ?? 0)],
      },
    ],
  });
}

/** What staff changed, by what was done. */
export const changeSection = ({ digest, providers }: CopyContent, title: string): CopySection[] =>
  sectionOf(title, {
    tables: tableOfSpans(digest.changes, digest, {
      name: 'What',
      counted: 'Times',
      words: (action) => wordsFor(action, providers),
      table: 'audit_log',
    }),
  });

/** The texts that staff wrote and an admin has reviewed, the latest first. */
export const textSection = ({ digest }: CopyContent): CopySection[] => {
  const quotes = freeTexts
    .flatMap(({ table, column, by, at }) =>
      digest.latest(table).flatMap((row) => {
        const text = row[column];
        if (typeof text !== 'string') return [];
        const time = at === undefined ? undefined : row[at];
        const author = by === undefined ? undefined : row[`${by}_name`];
        const source = [
          KINDS_OF_TEXT[column] ?? sentenceCase(column),
          ...(typeof author === 'string' ? [author] : []),
          ...(time instanceof Date ? [formatShortDay(digest.dayOf(time))] : []),
        ].join(', ');
        return { text, source, order: time instanceof Date ? time.getTime() : 0 };
      }),
    )
    .sort((a, b) => b.order - a.order);
  const hidden = freeTexts.flatMap(
    ({ table }) => restOf(digest.latest(table).length, digest.counts.get(table) ?? 0, 'entry', table) ?? [],
  );
  return sectionOf('What staff wrote', {
    sentences: hidden,
    quotes: quotes.map(({ text, source }) => ({ text, source })),
  });
};

const KINDS_OF_TEXT: Readonly<Record<string, string>> = { text: 'Note', remark: 'Remark about help', name: 'Tag' };

/** The rows of tables that no other section shows: one row as names and values, several as a table of the last ones. */
export const entrySection = (content: CopyContent, title: string, shown: readonly TableName[]): CopySection[] =>
  sectionOf(title, {
    tables: shown.flatMap((name) => {
      const table = content.tables.find((copied) => copied.table === name && content.digest.latest(name).length > 0);
      return table ? entriesOf(content, table) : [];
    }),
  });

/** Captions of tables that share a holding, or need another name in a copy. */
const CAPTIONS: Partial<Record<TableName, string>> = {
  pupils: 'Account',
  users: 'Account',
  staff: 'Role',
  class_teachers: 'Classes as a teacher or assistant',
  pupil_assistants: 'Teaching assistants of the pupil',
  classes: 'Classes as the main teacher',
  contacts: 'Contact of the school',
  sessions: 'Logins that are open',
  devices: 'Known devices',
  school_records_pupils: 'In the school’s records',
  school_records_staff: 'In the school’s records',
  login_factors: 'Passkeys and authenticator apps',
  terms_acceptances: 'Agreements accepted for the school',
};

function entriesOf({ digest, columnsOf, providers, holdings }: CopyContent, table: CopiedTable): CopyTable {
  const { timeZone } = digest;
  const rows = digest
    .latest(table.table)
    .slice(-MAX_ENTRIES)
    .map((row) => toLines(row, columnsOf(table), { timeZone, providers }));
  const total = digest.counts.get(table.table) ?? 0;
  const holding = holdings.find(({ name }) => name === TABLES[table.table].holding);
  const caption = CAPTIONS[table.table] ?? holding?.title ?? '';
  const [only] = rows;
  if (only && rows.length === 1)
    return {
      caption,
      columns: [
        { name: '', width: 2 },
        { name: '', width: 5 },
      ],
      rows: only,
    };
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))].slice(0, MAX_COLUMNS);
  return {
    caption,
    columns: names.map((name) => ({ name, width: 1 })),
    rows: rows.map((row) => names.map((name) => row.find(([column]) => column === name)?.[1] ?? '')),
    note: restOf(rows.length, total, 'entry', table.table),
  };
}

/** Each kind of data: why it is stored, who receives it, for how long, and in which file. */
export function purposeSection({ digest, tables, holdings, product }: CopyContent): CopySection[] {
  const byHolding = Map.groupBy(
    tables.filter(({ table }) => digest.counts.has(table)),
    ({ table }) => TABLES[table].holding,
  );
  const rows = [...byHolding].flatMap(([name, copied]) => {
    const holding = holdings.find((described) => described.name === name);
    if (!holding) return [];
    const entries = copied.reduce((sum, { table }) => sum + (digest.counts.get(table) ?? 0), 0);
    return [
      [
        `${holding.title}: ${formatNumber(entries)} in ${copied.map(({ table }) => `${table}.csv`).join(', ')}`,
        holding.purpose,
        holding.recipients.replace(/\bour\b/gi, `${product}’s`),
        holding.kept,
      ],
    ];
  });
  return sectionOf('Why each kind of data is stored', {
    sentences: ['Every entry is in the folder data: as tables (CSV), and for other programs (JSON).'],
    tables: [
      {
        columns: [
          { name: 'Data, and number of entries', width: 3 },
          { name: 'Why', width: 2.6 },
          { name: 'Who receives it', width: 2.4 },
          { name: 'How long it is kept', width: 2.6 },
        ],
        rows,
      },
    ],
  });
}
