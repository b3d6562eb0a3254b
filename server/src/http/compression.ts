import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** Smaller replies fit into one or two packets uncompressed. */
const MIN_COMPRESSED_BYTES = 1024;

/**
 * Compresses replies to GET. Call before routes are added. Compressed request bodies are rejected: a few bytes could
 * unpack to gigabytes.
 */
export async function compressReplies(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCompress, {
    globalDecompression: false,
    threshold: MIN_COMPRESSED_BYTES,
    encodings: ['br', 'gzip'],
    // The best ratio that costs less time than it saves.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
}

/**
 * A reply to a change can contain a token next to text that the caller chose: its compressed length would reveal the
 * token.
 */
export const compressionOf = (method: string): Pick<RouteOptions, 'compress'> =>
  method === 'GET' ? {} : { compress: false };
