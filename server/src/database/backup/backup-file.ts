import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, open, stat } from 'node:fs/promises';
import { z } from 'zod';

/*
 * A backup is the output of pg_dump (or the embedded database's folder as a tar.gz) followed by a line of JSON with its
 * description and hash. pg_restore reads the file as it is. A truncated file has no such line.
 */

const manifestSchema = z.object({
  format: z.literal('school-portal-backup'),
  version: z.number(),
  kind: z.enum(['server', 'embedded']),
  /** The major version of PostgreSQL that wrote the files or dump. */
  postgres: z.number(),
  /** The last migration applied. */
  schema: z.string(),
  created_at: z.string(),
  /** The size of the content before the line. */
  bytes: z.number(),
  sha256: z.string(),
});

/** The description of a backup. */
export type Manifest = z.infer<typeof manifestSchema>;

/** The version of the format. Later versions are rejected. */
const VERSION = 1;
const MAX_LINE_LENGTH = 4096;

async function hashFile(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  if (bytes > 0) for await (const part of createReadStream(path, { end: bytes - 1 })) hash.update(part as Buffer);
  return hash.digest('hex');
}

/** Completes a backup whose content is written, and returns its manifest. */
export async function sealBackup(
  path: string,
  about: Pick<Manifest, 'kind' | 'postgres' | 'schema' | 'created_at'>,
): Promise<Manifest> {
  const { size: bytes } = await stat(path);
  const manifest: Manifest = {
    format: 'school-portal-backup',
    version: VERSION,
    ...about,
    bytes,
    sha256: await hashFile(path, bytes),
  };
  await appendFile(path, `\n${JSON.stringify(manifest)}\n`);
  const file = await open(path, 'r+');
  await file.sync();
  await file.close();
  return manifest;
}

async function readLastLine(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => {
    throw new Error(`The file ${path} does not exist.`);
  });
  try {
    const { size } = await file.stat();
    const length = Math.min(size, MAX_LINE_LENGTH);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString('latin1');
    return text.endsWith('\n') ? (text.trimEnd().split('\n').at(-1) ?? '') : '';
  } finally {
    await file.close();
  }
}

function parseManifest(line: string): Manifest | undefined {
  try {
    const { success, data } = manifestSchema.safeParse(JSON.parse(line));
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies a backup and returns its manifest. Throws, with a text for the user, if it is not a backup of the portal, or is
 * truncated, damaged or of a later version.
 */
export async function readBackup(path: string): Promise<Manifest> {
  const manifest = parseManifest(await readLastLine(path));
  if (!manifest) throw new Error(`${path} is not a backup of the portal, or its end is missing. Nothing has changed.`);
  if (manifest.version !== VERSION)
    throw new Error(`${path} was made by a newer version of the portal. Restore it with that version.`);
  const { size } = await stat(path);
  const isWhole = size === manifest.bytes + Buffer.byteLength(`\n${JSON.stringify(manifest)}\n`);
  if (!isWhole || (await hashFile(path, manifest.bytes)) !== manifest.sha256)
    throw new Error(
      `${path} is damaged: its content has changed since it was written. Nothing has changed in the database.`,
    );
  return manifest;
}
