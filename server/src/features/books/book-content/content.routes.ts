import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import type { Services } from '../../../context.ts';
import {
  ContentFiles,
  type ContentFile,
  type CoverFormat,
  coverSize,
  createCoverCache,
} from './content-files.service.ts';

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

const ONE_YEAR = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';

/** WebP, which every current browser accepts, unless the client accepts other types alone. */
const formatFor = (accept = '*/*'): CoverFormat => (/image\/webp|\*\/\*|image\/\*/.test(accept) ? 'webp' : 'png');

/** Files of books contain nothing of a school, so any origin may show them. */
const send = (reply: FastifyReply, type: string, bytes: Buffer, isCurrent: boolean): FastifyReply =>
  reply
    .header('cache-control', isCurrent ? ONE_YEAR : ONE_HOUR)
    .header('cross-origin-resource-policy', 'cross-origin')
    .type(type)
    .send(bytes);

function assertFound(file: ContentFile | undefined): ContentFile {
  if (!file) throw new AppError('not_found');
  return file;
}

/**
 * The content host: `/content/covers/{id}` in a height or width of pixels, `/content/previews/{id}.pdf`. Public, as
 * the same files are at another `CONTENT_URL`. Browsers cache a URL with the current version for a year.
 */
export async function serveContent(app: FastifyInstance, services: Services): Promise<void> {
  const files = new ContentFiles(services);
  const cache = createCoverCache();

  app.get<{ Params: { id: string } }>('/content/covers/:id', async (request, reply) => {
    const id = bookId.safeParse(request.params.id);
    if (!id.success) throw new AppError('not_found');
    const { v, height, width } = coverQuery.parse(request.query);
    const size = coverSize({ ...(height !== undefined && { height }), ...(width !== undefined && { width }) });
    const format = formatFor(request.headers.accept);
    reply.header('vary', 'accept');
    // Contains only what selects the picture, because a client can send any number of other parameters.
    const key = `${id.data} ${v} ${size.side}${size.pixels} ${format}`;
    const cached = cache.get(key);
    if (cached) return send(reply, `image/${format}`, cached, true);
    const cover = assertFound(await files.findCover(id.data, v, size, format));
    if (v === cover.version) cache.set(key, cover.bytes);
    return send(reply, `image/${format}`, cover.bytes, v === cover.version);
  });

  app.get<{ Params: { file: string } }>('/content/previews/:file', async (request, reply) => {
    const id = bookId.safeParse(request.params.file.replace(/\.pdf$/, ''));
    if (!id.success || !request.params.file.endsWith('.pdf')) throw new AppError('not_found');
    const { v } = coverQuery.parse(request.query);
    const file = assertFound(await files.findPreview(id.data, v));
    return send(reply, 'application/pdf', file.bytes, v === file.version);
  });
}
