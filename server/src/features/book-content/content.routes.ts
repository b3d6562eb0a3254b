import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../http/errors.ts';
import type { Services } from '../../http/pipeline.ts';
import { ContentFiles, type ContentFile, type CoverFormat, coverSize } from './content-files.service.ts';

const bookId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);
const version = z
  .string()
  .regex(/^[0-9a-f]{1,64}$/)
  .optional()
  .catch(undefined);
const pixels = z
  .string()
  .regex(/^[1-9]\d{0,3}$/)
  .transform(Number)
  .optional()
  .catch(undefined);
const coverQuery = z.object({ v: version, height: pixels, width: pixels });

const FOR_GOOD = 'public, max-age=31536000, immutable';
const FOR_AN_HOUR = 'public, max-age=3600';
/** Bytes of covers that a process keeps in memory, those asked for last. */
const MEMORY = 48 * 1024 * 1024;

/** What was asked for last, by its address, up to a number of bytes. */
class RecentFiles {
  readonly #files = new Map<string, Buffer>();
  #size = 0;

  get(key: string): Buffer | undefined {
    const file = this.#files.get(key);
    if (!file) return undefined;
    this.#files.delete(key);
    this.#files.set(key, file);
    return file;
  }

  set(key: string, file: Buffer): void {
    if (this.#files.has(key) || file.length > MEMORY / 16) return;
    this.#files.set(key, file);
    this.#size += file.length;
    for (const [oldest, { length }] of this.#files) {
      if (this.#size <= MEMORY) break;
      this.#files.delete(oldest);
      this.#size -= length;
    }
  }
}

/** WebP, which every browser of today takes, unless a client says that it takes other pictures alone. */
const formatFor = (accept = '*/*'): CoverFormat => (/image\/webp|\*\/\*|image\/\*/.test(accept) ? 'webp' : 'png');

/** Files of books hold nothing of a school: any page may show them, as it may those of another content host. */
const send = (reply: FastifyReply, type: string, bytes: Buffer, isCurrent: boolean): FastifyReply =>
  reply
    .header('cache-control', isCurrent ? FOR_GOOD : FOR_AN_HOUR)
    .header('cross-origin-resource-policy', 'cross-origin')
    .type(type)
    .send(bytes);

function found(file: ContentFile | undefined): ContentFile {
  if (!file) throw new AppError('not_found');
  return file;
}

/**
 * The content host: `/content/covers/{id}` in a height or width of pixels, `/content/previews/{id}.pdf`. Public, as
 * the same files are at another `CONTENT_URL`. An address with the present version is kept for good.
 */
export async function serveContent(app: FastifyInstance, services: Services): Promise<void> {
  const files = new ContentFiles(services);
  const recent = new RecentFiles();

  app.get<{ Params: { id: string } }>('/content/covers/:id', async (request, reply) => {
    const { accept } = request.headers;
    const format = formatFor(accept);
    const key = `${format} ${request.url}`;
    reply.header('vary', 'accept');
    const known = recent.get(key);
    if (known) return send(reply, `image/${format}`, known, true);
    const id = bookId.safeParse(request.params.id);
    if (!id.success) throw new AppError('not_found');
    const { v, height, width } = coverQuery.parse(request.query);
    const size = coverSize({ ...(height !== undefined && { height }), ...(width !== undefined && { width }) });
    const file = found(await files.findCover(id.data, v, size, format));
    if (v === file.version) recent.set(key, file.bytes);
    return send(reply, `image/${format}`, file.bytes, v === file.version);
  });

  app.get<{ Params: { file: string } }>('/content/previews/:file', async (request, reply) => {
    const id = bookId.safeParse(request.params.file.replace(/\.pdf$/, ''));
    if (!id.success || !request.params.file.endsWith('.pdf')) throw new AppError('not_found');
    const { v } = coverQuery.parse(request.query);
    const file = found(await files.findPreview(id.data, v));
    return send(reply, 'application/pdf', file.bytes, v === file.version);
  });
}
