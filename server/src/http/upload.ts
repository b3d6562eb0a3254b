import { basename } from 'node:path';
import multipart from '@fastify/multipart';
import type { Upload } from '#contract/call.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** An uploaded file, whole in memory: calls limit its size. */
export interface UploadedFile {
  /** The sender's name for it, without folders. */
  name: string;
  content: Buffer;
}

/** Enables multipart bodies; each call declares what it accepts. */
export async function acceptUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: true,
    limits: { files: 1, fields: 50, parts: 51, fieldSize: 256 * 1024 },
  });
}

const tooLarge = (upload: Upload): AppError => {
  const text = `The file is too large. The limit is ${Math.floor(upload.maxBytes / 1024 / 1024)} MB.`;
  return new AppError('body_too_large', { text, fields: { [upload.field]: [text] } });
};

/**
 * Reads a multipart request: the file in the call's field, and the other fields as texts. A field sent several times,
 * or named `name[]`, becomes a list. Throws `unsupported_type` when the call accepts no file, `body_too_large`,
 * `malformed_body`.
 */
export async function readUpload(
  request: FastifyRequest,
  upload: Upload | undefined,
): Promise<{ file: UploadedFile | undefined; fields: Record<string, unknown> }> {
  if (!upload) throw new AppError('unsupported_type');
  // Rejected before it is read; the extra size is for the other fields.
  if (Number(request.headers['content-length'] ?? 0) > upload.maxBytes + 512 * 1024) throw tooLarge(upload);
  const fields: Record<string, unknown> = {};
  let file: UploadedFile | undefined;
  try {
    for await (const part of request.parts({ limits: { fileSize: upload.maxBytes } })) {
      if (part.type === 'field') {
        const name = part.fieldname.replace(/\[\]$/, '');
        const known = fields[name];
        const isList = name !== part.fieldname || known !== undefined;
        fields[name] = isList
          ? [...(Array.isArray(known) ? known : known === undefined ? [] : [known]), part.value]
          : part.value;
      } else if (part.fieldname === upload.field)
        file = { name: basename(part.filename ?? ''), content: await part.toBuffer() };
      else part.file.resume();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge(upload);
    throw new AppError('malformed_body', { text: 'The upload was incomplete. Send the file again.' });
  }
  return { file, fields };
}
