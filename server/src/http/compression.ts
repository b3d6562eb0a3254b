import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** Smaller answers fit into a packet or two as they are. */
const SMALLEST = 1024;

/**
 * Compresses what is answered to a GET. Call before routes are added. Bodies that come compressed are refused as ever:
 * a few bytes could unpack to gigabytes.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCompress, {
    globalDecompression: false,
    threshold: SMALLEST,
    encodings: ['br', 'gzip'],
    // The best ratio that costs less time than it saves.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
}

/**
 * The answer to a change can hold a token beside what was sent: its compressed length would tell of the one to who
 * chooses the other.
 */
export const compressionOf = (method: string): Pick<RouteOptions, 'compress'> =>
  method === 'GET' ? {} : { compress: false };
