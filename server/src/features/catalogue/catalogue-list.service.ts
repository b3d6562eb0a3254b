import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { readWorkbook } from '../../spreadsheets/workbook.ts';
import { coverSize, resizeCover } from '../book-content/book-content.public.ts';
import { titleKey } from './catalogue.queries.ts';

/** A book of a publisher's list, with the files that belong to it. */
export interface ListedBook {
  title: string;
  title_key: string;
  description: string;
  reading_level: number;
  collection_key: string;
  tags: string[];
  pages_count: number;
  cover: ListedFile | null;
  preview: ListedFile | null;
}
interface ListedFile {
  /** Of its content. */
  version: string;
  bytes: Buffer;
}

const COLUMNS = ['title', 'description', 'level', 'collection', 'tags', 'pages', 'cover', 'preview'] as const;
type ColumnName = (typeof COLUMNS)[number];
const REQUIRED: readonly ColumnName[] = ['title', 'description', 'level', 'collection'];

const LONGEST = { title: 200, description: 1000, tag: 40 };
const MOST_TAGS = 10;
const MOST_PAGES = 2000;
const MOST_BYTES = { cover: 10 * 1024 * 1024, preview: 50 * 1024 * 1024 };

/** What is wrong in a row of the list; row 1 has the names of the columns. */
export interface ListFault {
  row: number;
  text: string;
}
interface Row {
  row: number;
  cells: Record<ColumnName, string>;
}

/** The rows under the line that names the columns. Throws an Error in words for a list without such a line. */
function readRows(name: string, content: Uint8Array): Row[] {
  const sheet = readWorkbook({ name, content }).sheets.find(({ hidden, rows }) => !hidden && rows.length > 0);
  const [head, ...rows] = sheet?.rows ?? [];
  const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const missing = REQUIRED.filter((column) => !names.includes(column));
  if (missing.length > 0)
    throw new Error(
      `The first line of ${name} has to name its columns: ${COLUMNS.join(', ')}. Missing: ${missing.join(', ')}.`,
    );
  return rows.map(({ row, cells }) => ({
    row,
    cells: Object.fromEntries(
      COLUMNS.map((column) => [column, (cells[names.indexOf(column)] ?? '').trim()]),
    ) as Row['cells'],
  }));
}

const versionOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** A file of the list's folder. Throws an Error in words. */
async function readListed(folder: string, name: string, kind: 'cover' | 'preview'): Promise<ListedFile> {
  if (isAbsolute(name) || normalize(name).startsWith('..'))
    throw new Error(`The ${kind} ${name} is not beside the list.`);
  const bytes = await readFile(join(folder, name)).catch(() => undefined);
  if (!bytes) throw new Error(`There is no ${kind} ${name}.`);
  if (bytes.length > MOST_BYTES[kind])
    throw new Error(`The ${kind} ${name} is larger than ${MOST_BYTES[kind] / 1024 / 1024} MB.`);
  return { version: versionOf(bytes), bytes };
}

async function readCover(folder: string, name: string): Promise<ListedFile> {
  const file = await readListed(folder, name, 'cover');
  await resizeCover(file.bytes, coverSize({ width: 100 }), 'webp').catch(() => {
    throw new Error(`The cover ${name} is no picture that can be shown: take a JPEG, PNG or WebP.`);
  });
  return file;
}

/** A preview with the number of its pages. */
async function readPreview(folder: string, name: string): Promise<ListedFile & { pages: number }> {
  const file = await readListed(folder, name, 'preview');
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const loading = getDocument({ data: new Uint8Array(file.bytes), verbosity: VerbosityLevel.ERRORS });
  try {
    return { ...file, pages: (await loading.promise).numPages };
  } catch {
    throw new Error(`The preview ${name} is no PDF that can be shown.`);
  } finally {
    await loading.destroy();
  }
}

/**
 * Reads a publisher's list (csv or xlsx) with the covers and previews that it names, which lie beside it.
 * @param collections what a row may name, by key or title
 * @returns the books, or everything that is wrong
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
    const wrong = (text: string) => faults.push({ row, text });
    const attempt = async <File>(read: () => Promise<File>): Promise<File | null> => {
      try {
        return await read();
      } catch (error) {
        wrong((error as Error).message);
        return null;
      }
    };
    const { title, description } = cells;
    if (!title || title.length > LONGEST.title) wrong(`A title has 1 to ${LONGEST.title} characters.`);
    if (!description) wrong('The description is missing.');
    const level = /^(?:level )?([1-6])$/i.exec(cells.level)?.[1];
    if (!level) wrong(`Reading levels run from 1 to 6; this is ${cells.level || 'empty'}.`);
    const wanted = cells.collection.toLowerCase();
    const collection = collections.find(({ key, title: shown }) => [key, shown.toLowerCase()].includes(wanted));
    if (!collection) wrong(`There is no collection ${cells.collection || 'without a name'}.`);
    const tags = [...new Set(cells.tags.split(/[,;]/).map((tag) => tag.trim()))].filter(Boolean);
    if (tags.length > MOST_TAGS || tags.some((tag) => tag.length > LONGEST.tag))
      wrong(`A book has at most ${MOST_TAGS} tags of ${LONGEST.tag} characters.`);
    const cover = cells.cover ? await attempt(() => readCover(folder, cells.cover)) : null;
    const preview = cells.preview ? await attempt(() => readPreview(folder, cells.preview)) : null;
    const pages = cells.pages === '' ? (preview?.pages ?? 0) : Number(cells.pages);
    if (!Number.isInteger(pages) || pages < 0 || pages > MOST_PAGES)
      wrong(`The number of pages is a whole number up to ${MOST_PAGES}.`);
    const key = `${collection?.key} ${titleKey(title)}`;
    const twin = rowOf.get(key);
    if (twin !== undefined && title) wrong(`“${title}” is in row ${twin} already.`);
    else rowOf.set(key, row);
    books.push({
      title,
      title_key: titleKey(title),
      description: description.slice(0, LONGEST.description),
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
