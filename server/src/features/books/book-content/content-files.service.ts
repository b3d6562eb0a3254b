import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { readInPlatform } from '../../../database/platform.ts';
import type { Services } from '../../../context.ts';
import { runInWorker } from '../../../workers/worker-pool.ts';
import { type ContentRow, FIRST_IMPORTED_ID, findContent } from './content-files.queries.ts';
import { originalPath } from './originals.service.ts';
import { renderCover } from './covers.document.ts';

/** Heights and widths of covers in pixels. A request for another size gets the next larger one. */
const HEIGHTS = [200, 300, 400, 800];
const WIDTHS = [100, 200, 400];

export type CoverFormat = 'webp' | 'png';
interface CoverSize {
  side: 'height' | 'width';
  pixels: number;
}
export interface ContentFile {
  version: string;
  bytes: Buffer;
}

/** The size of cover to return for the requested size; 400 pixels high, as in lists, by default. */
export function coverSize({ height, width }: { height?: number; width?: number }): CoverSize {
  const roundUp = (sizes: number[], requested: number) =>
    sizes.find((size) => size >= requested) ?? sizes.at(-1) ?? requested;
  if (width !== undefined) return { side: 'width', pixels: roundUp(WIDTHS, width) };
  return { side: 'height', pixels: roundUp(HEIGHTS, height ?? 400) };
}

const PREVIEW_LIMITS = { cpuMs: 20_000 };
/** Larger pictures are rejected. */
const MAX_PIXELS = 40_000_000;

/** Resizes a cover, as WebP or PNG. Throws for a file that is not a picture. */
export async function resizeCover(picture: Buffer, { side, pixels }: CoverSize, format: CoverFormat): Promise<Buffer> {
  // Loaded on demand: most processes find all pictures on disk.
  const { default: sharp } = await import('sharp');
  // The density applies to SVG, which has no size in pixels.
  const resized = sharp(picture, { limitInputPixels: MAX_PIXELS, density: 144 })
    .rotate()
    .resize({ [side]: pixels });
  return format === 'webp' ? resized.webp({ quality: 82 }).toBuffer() : resized.png({ palette: true }).toBuffer();
}

/** Covers and previews of books, made at the first request and cached in `DATA_DIR/content`. */
export class ContentFiles {
  readonly #services: Services;
  /** Files being made, by path, so that concurrent requests share one. */
  readonly #pending = new Map<string, Promise<Buffer>>();

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * A cover; undefined for a book without one.
   * @param version the version in the URL; a file made for it is found without the database
   */
  async findCover(
    bookId: number,
    version: string | undefined,
    size: CoverSize,
    format: CoverFormat,
  ): Promise<ContentFile | undefined> {
    const nameFor = (current: string) => `covers/${bookId}-${current}-${size.side}${size.pixels}.${format}`;
    return this.#find(nameFor, version, bookId, 'cover_version', async (book, current) =>
      resizeCover(await this.#coverOf(book, current), size, format),
    );
  }

  /** The preview of a book, a PDF; undefined for a book without one. */
  async findPreview(bookId: number, version: string | undefined): Promise<ContentFile | undefined> {
    const nameFor = (current: string) => `previews/${bookId}-${current}.pdf`;
    return this.#find(nameFor, version, bookId, 'preview_version', (book, current) => this.#previewOf(book, current));
  }

  async #find(
    nameFor: (version: string) => string,
    version: string | undefined,
    bookId: number,
    column: 'cover_version' | 'preview_version',
    make: (book: ContentRow, version: string) => Promise<Buffer>,
  ): Promise<ContentFile | undefined> {
    if (version !== undefined) {
      const bytes = await readIfExists(this.#pathOf(nameFor(version)));
      if (bytes) return { version, bytes };
    }
    const book = await readInPlatform(this.#services.database, (db) => findContent(db, bookId));
    const current = book?.[column];
    if (!book || current == null) return undefined;
    const path = this.#pathOf(nameFor(current));
    const pending = this.#pending.get(path);
    if (pending) return { version: current, bytes: await pending };
    const file = (async () => (await readIfExists(path)) ?? writeFileAtomically(path, await make(book, current)))();
    this.#pending.set(path, file);
    try {
      return { version: current, bytes: await file };
    } finally {
      this.#pending.delete(path);
    }
  }

  #pathOf(name: string): string {
    return join(this.#services.config.dataDir, 'content', 'made', name);
  }

  #coverOf(book: ContentRow, version: string): Promise<Buffer> {
    if (book.id < FIRST_IMPORTED_ID) return Promise.resolve(Buffer.from(renderCover(book)));
    return readFile(originalPath(this.#services.config.dataDir, 'covers', book.id, version));
  }

  async #previewOf(book: ContentRow, version: string): Promise<Buffer> {
    if (book.id >= FIRST_IMPORTED_ID)
      return readFile(originalPath(this.#services.config.dataDir, 'previews', book.id, version));
    const { id, title, reading_level: level, pages } = book;
    return Buffer.from(await runInWorker('renderPreview', { id, title, level, pages }, PREVIEW_LIMITS));
  }
}

const MAX_CACHED_BYTES = 48 * 1024 * 1024;

/** The most recently requested covers. Keys count towards the size, so that it limits the memory used. */
export const createCoverCache = (maxBytes = MAX_CACHED_BYTES): LRUCache<string, Buffer> =>
  new LRUCache({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 16,
    sizeCalculation: (bytes, key) => bytes.length + key.length,
  });

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Writes a file that is never read half written, and returns its content. On a full disk nothing is written, and the
 * file is made again at the next request.
 */
async function writeFileAtomically(path: string, bytes: Buffer): Promise<Buffer> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, bytes);
    await rename(draft, path);
  } catch {
    // The content is returned all the same.
  }
  return bytes;
}
