import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { readInPlatform } from '../../database/platform.ts';
import type { Services } from '../../http/pipeline.ts';
import { runInWorker } from '../../workers/worker-pool.ts';
import { type ContentRow, FIRST_IMPORTED_ID, findContent } from './content-files.queries.ts';
import { originalPath } from './originals.service.ts';
import { drawCover } from './covers.document.ts';

/** Heights and widths in pixels that covers are made in; others are answered with the next larger one. */
const HEIGHTS = [200, 400, 800];
const WIDTHS = [100, 200, 400];

export type CoverFormat = 'webp' | 'png';
export interface CoverSize {
  side: 'height' | 'width';
  pixels: number;
}
export interface ContentFile {
  version: string;
  bytes: Buffer;
}

/** The size that a cover is made in for what was asked; the lists' 400 pixels of height where nothing was. */
export function coverSize({ height, width }: { height?: number; width?: number }): CoverSize {
  const next = (sizes: number[], asked: number) => sizes.find((size) => size >= asked) ?? sizes.at(-1) ?? asked;
  if (width !== undefined) return { side: 'width', pixels: next(WIDTHS, width) };
  return { side: 'height', pixels: next(HEIGHTS, height ?? 400) };
}

const PREVIEW_LIMITS = { cpuMs: 20_000, heapMb: 128, keepAliveMs: 5000 };
/** Covers larger than this many pixels are none. */
const MAX_PIXELS = 40_000_000;

/** A cover in a size, as WebP or PNG. Throws for a picture that is none. */
export async function resizeCover(picture: Buffer, { side, pixels }: CoverSize, format: CoverFormat): Promise<Buffer> {
  // Loaded when the first picture is made: most processes that start have all of them already.
  const { default: sharp } = await import('sharp');
  // An SVG is drawn as large as it is needed.
  const resized = sharp(picture, { limitInputPixels: MAX_PIXELS, density: 144 })
    .rotate()
    .resize({ [side]: pixels });
  return format === 'webp' ? resized.webp({ quality: 82 }).toBuffer() : resized.png({ palette: true }).toBuffer();
}

/** Covers and previews by book: made when they are first asked for, and kept in `DATA_DIR/content`. */
export class ContentFiles {
  readonly #services: Services;
  /** What is being made, by its path: two who ask at once get one file. */
  readonly #making = new Map<string, Promise<Buffer>>();

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * A cover, or undefined for a book that has none.
   * @param version what the address names; one that was made for it is there without asking the database
   */
  async findCover(
    bookId: number,
    version: string | undefined,
    size: CoverSize,
    format: CoverFormat,
  ): Promise<ContentFile | undefined> {
    const name = (one: string) => `covers/${bookId}-${one}-${size.side}${size.pixels}.${format}`;
    return this.#find(name, version, bookId, 'cover_version', async (book, current) =>
      resizeCover(await this.#coverOf(book, current), size, format),
    );
  }

  /** The preview of a book, a PDF; undefined for a book that has none. */
  async findPreview(bookId: number, version: string | undefined): Promise<ContentFile | undefined> {
    const name = (one: string) => `previews/${bookId}-${one}.pdf`;
    return this.#find(name, version, bookId, 'preview_version', (book, current) => this.#previewOf(book, current));
  }

  async #find(
    name: (version: string) => string,
    version: string | undefined,
    bookId: number,
    column: 'cover_version' | 'preview_version',
    make: (book: ContentRow, version: string) => Promise<Buffer>,
  ): Promise<ContentFile | undefined> {
    if (version !== undefined) {
      const bytes = await readIfThere(this.#pathOf(name(version)));
      if (bytes) return { version, bytes };
    }
    const book = await readInPlatform(this.#services.database, (db) => findContent(db, bookId));
    const current = book?.[column];
    if (!book || current == null) return undefined;
    const path = this.#pathOf(name(current));
    const waiting = this.#making.get(path);
    if (waiting) return { version: current, bytes: await waiting };
    const making = (async () => (await readIfThere(path)) ?? keep(path, await make(book, current)))();
    this.#making.set(path, making);
    try {
      return { version: current, bytes: await making };
    } finally {
      this.#making.delete(path);
    }
  }

  #pathOf(name: string): string {
    return join(this.#services.config.dataDir, 'content', 'made', name);
  }

  #coverOf(book: ContentRow, version: string): Promise<Buffer> {
    if (book.id < FIRST_IMPORTED_ID) return Promise.resolve(Buffer.from(drawCover(book)));
    return readFile(originalPath(this.#services.config.dataDir, 'covers', book.id, version));
  }

  async #previewOf(book: ContentRow, version: string): Promise<Buffer> {
    if (book.id >= FIRST_IMPORTED_ID)
      return readFile(originalPath(this.#services.config.dataDir, 'previews', book.id, version));
    const { id, title, reading_level: level, pages } = book;
    return Buffer.from(await runInWorker('drawPreview', { id, title, level, pages }, PREVIEW_LIMITS));
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Writes a file so that nobody ever reads a part of it. What cannot be kept, on a full disk, is made anew each time. */
async function keep(path: string, bytes: Buffer): Promise<Buffer> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, bytes);
    await rename(draft, path);
  } catch {
    // Served from memory this once.
  }
  return bytes;
}
