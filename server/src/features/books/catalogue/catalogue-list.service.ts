import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { readWorkbook } from '../../../spreadsheets/workbook.ts';
import { coverSize, resizeCover } from '../book-content/book-content.public.ts';
import { type CatalogueBook, titleKey } from './catalogue.queries.ts';

/** A book from a publisher's list, with its files. */
export interface ListedBook extends Omit<CatalogueBook, 'cover_version' | 'preview_version'> {
  cover: ListedFile | null;
  preview: ListedFile | null;
}
interface ListedFile {
  /** The start of the content's hash. */
  version: string;
  bytes: Buffer;
}

const COLUMNS = ['title', 'description', 'level', 'collection', 'tags', 'pages', 'cover', 'preview'] as const;
type ColumnName = (typeof COLUMNS)[number];
const REQUIRED: readonly ColumnName[] = ['title', 'description', 'level', 'collection'];

/** What publishers call the columns. */
const OTHER_NAMES: Readonly<Record<string, ColumnName>> = {
  'book title': 'title',
  blurb: 'description',
  summary: 'description',
  'reading level': 'level',
  'book level': 'level',
  series: 'collection',
  'number of pages': 'pages',
};

const MAX_LENGTHS = { title: 200, description: 1000, tag: 40 };
const MAX_TAGS = 10;
const MAX_PAGES = 2000;
const MAX_BYTES = { cover: 10 * 1024 * 1024, preview: 50 * 1024 * 1024 };

/** An error in a row of the list. Row 1 contains the column names. */
export interface ListFault {
  row: number;
  text: string;
}
interface Row {
  row: number;
  cells: Record<ColumnName, string>;
}

/** A list may have titles above the names of its columns. */
const MAX_HEAD_ROWS = 5;

/** Without hard spaces, which look like others. */
const tidy = (cell: string): string => cell.replace(/[\u00A0\u202F]/g, ' ').trim();

/** The name of a column, also as publishers write it: `Book title`, `Reading level`. */
const nameOfColumn = (cell: string): string => {
  const text = tidy(cell).toLowerCase();
  return OTHER_NAMES[text] ?? text;
};

/** The rows below the column names. Throws an Error with a text for the user if the required columns are missing. */
function readRows(name: string, content: Uint8Array): Row[] {
  const sheet = readWorkbook({ name, content }).sheets.find(({ hidden, rows }) => !hidden && rows.length > 0);
  const rows = sheet?.rows ?? [];
  const heads = rows.slice(0, MAX_HEAD_ROWS).map(({ cells }) => cells.map((cell) => nameOfColumn(cell)));
  const lacking = heads.map((names) => REQUIRED.filter((column) => !names.includes(column)));
  const fewest = Math.min(...lacking.map(({ length }) => length));
  const at = lacking.findIndex(({ length }) => length === fewest);
  const names = heads[at] ?? [];
  const missing = lacking[at] ?? REQUIRED;
  if (missing.length > 0)
    throw new Error(
      `Row ${rows[at]?.row ?? 1} of ${name} must name its columns: ${COLUMNS.join(', ')}. Missing: ${missing.join(', ')}.`,
    );
  return rows.slice(at + 1).map(({ row, cells }) => ({
    row,
    cells: Object.fromEntries(
      COLUMNS.map((column) => [column, tidy(cells[names.indexOf(column)] ?? '')]),
    ) as Row['cells'],
  }));
}

const versionOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Reads a file from the list's folder. Throws an Error with a text for the user. */
async function readListed(folder: string, name: string, kind: 'cover' | 'preview'): Promise<ListedFile> {
  if (isAbsolute(name) || normalize(name).startsWith('..'))
    throw new Error(`The ${kind} ${name} is not in the folder of the list.`);
  const bytes = await readFile(join(folder, name)).catch(() => undefined);
  if (!bytes) throw new Error(`There is no ${kind} ${name}.`);
  if (bytes.length > MAX_BYTES[kind])
    throw new Error(`The ${kind} ${name} is larger than ${MAX_BYTES[kind] / 1024 / 1024} MB.`);
  return { version: versionOf(bytes), bytes };
}

async function readCover(folder: string, name: string): Promise<ListedFile> {
  const file = await readListed(folder, name, 'cover');
  await resizeCover(file.bytes, coverSize({ width: 100 }), 'webp').catch(() => {
    throw new Error(`The cover ${name} cannot be read. Use a JPEG, PNG or WebP file.`);
  });
  return file;
}

/** A preview with its number of pages. */
async function readPreview(folder: string, name: string): Promise<ListedFile & { pages: number }> {
  const file = await readListed(folder, name, 'preview');
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const loading = getDocument({ data: new Uint8Array(file.bytes), verbosity: VerbosityLevel.ERRORS });
  try {
    return { ...file, pages: (await loading.promise).numPages };
  } catch {
    throw new Error(`The preview ${name} cannot be read. Use a PDF file.`);
  } finally {
    await loading.destroy();
  }
}

/**
 * Reads a publisher's list (CSV or XLSX) with the covers and previews that it names, which are in the same folder.
 * @param collections the collections that a row can name, by key or title
 * @returns the books, or all errors
 */
export async function readCatalogueList(
  name: string,
  content: Uint8Array,
  folder: string,
  collections: readonly { key: string; title: string }[],
): Promise<{ books: ListedBook[]; faults: ListFault[] }> {
  const books: ListedBook[] = [];
  const faults: ListFault[] = [];
  const rowOf = new Map<string, number>();
  for (const { row, cells } of readRows(name, content)) {
    const addFault = (text: string) => faults.push({ row, text });
    const attempt = async <File>(read: () => Promise<File>): Promise<File | null> => {
      try {
        return await read();
      } catch (error) {
        addFault((error as Error).message);
        return null;
      }
    };
    const { title, description } = cells;
    if (!title || title.length > MAX_LENGTHS.title) addFault(`A title has 1 to ${MAX_LENGTHS.title} characters.`);
    if (!description) addFault('The description is missing.');
    const level = /^(?:level )?([1-6])(?:\.0+)?$/i.exec(cells.level)?.[1];
    if (!level) addFault(`The reading level must be from 1 to 6, and is ${cells.level || 'empty'}.`);
    const requested = cells.collection.toLowerCase();
    const collection = collections.find(({ key, title: shown }) => [key, shown.toLowerCase()].includes(requested));
    if (!collection)
      addFault(cells.collection ? `There is no collection ${cells.collection}.` : 'The collection is missing.');
    const tags = [...new Set(cells.tags.split(/[,;]/).map((tag) => tag.trim()))].filter(Boolean);
    if (tags.length > MAX_TAGS || tags.some((tag) => tag.length > MAX_LENGTHS.tag))
      addFault(`A book has at most ${MAX_TAGS} tags of ${MAX_LENGTHS.tag} characters.`);
    const cover = cells.cover ? await attempt(() => readCover(folder, cells.cover)) : null;
    const preview = cells.preview ? await attempt(() => readPreview(folder, cells.preview)) : null;
    const pages = cells.pages === '' ? (preview?.pages ?? 0) : Number(cells.pages);
    if (!Number.isInteger(pages) || pages < 0 || pages > MAX_PAGES)
      addFault(`The number of pages must be a whole number up to ${MAX_PAGES}.`);
    const key = `${collection?.key} ${titleKey(title)}`;
    const twin = rowOf.get(key);
    if (twin !== undefined && title) addFault(`“${title}” is already in row ${twin}.`);
    else rowOf.set(key, row);
    books.push({
      title,
      title_key: titleKey(title),
      description: description.slice(0, MAX_LENGTHS.description),
      reading_level: Number(level),
      collection_key: collection?.key ?? '',
      tags,
      pages_count: pages,
      cover,
      preview: preview && { version: preview.version, bytes: preview.bytes },
    });
  }
  return { books, faults };
}
