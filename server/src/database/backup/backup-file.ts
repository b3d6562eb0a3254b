import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, open, stat } from 'node:fs/promises';
import { z } from 'zod';

/*
 * A backup is what pg_dump writes (or the embedded database's folder as a tar.gz) with a line of JSON behind it, which
 * says what it is and what its bytes add up to. pg_restore reads it as it is; a file that was cut has no such line.
 */

const manifestOf = z.object({
  format: z.literal('school-portal-backup'),
  version: z.number(),
  kind: z.enum(['server', 'embedded']),
  /** The major version of PostgreSQL whose files or dump these are. */
  postgres: z.number(),
  /** The last migration that had run. */
  schema: z.string(),
  created_at: z.string(),
  /** Of what stands before the line. */
  bytes: z.number(),
  sha256: z.string(),
});

/** What a backup says of itself. */
export type Manifest = z.infer<typeof manifestOf>;

/** The shape of these files; a later one is not read. */
const VERSION = 1;
const LONGEST_LINE = 4096;

async function hashFile(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  if (bytes > 0) for await (const part of createReadStream(path, { end: bytes - 1 })) hash.update(part as Buffer);
  return hash.digest('hex');
}

/** Completes a backup whose bytes are written, and returns what it says of itself. */
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
    throw new Error(`There is no file ${path}.`);
  });
  try {
    const { size } = await file.stat();
    const length = Math.min(size, LONGEST_LINE);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString('latin1');
    return text.endsWith('\n') ? (text.trimEnd().split('\n').at(-1) ?? '') : '';
  } finally {
    await file.close();
  }
}

function parseManifest(line: string): Manifest | undefined {
  try {
    const { success, data } = manifestOf.safeParse(JSON.parse(line));
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a whole backup. Throws, in words for a person, when it is none of ours, cut, damaged or of a later shape. */
export async function readBackup(path: string): Promise<Manifest> {
  const manifest = parseManifest(await readLastLine(path));
  if (!manifest) throw new Error(`${path} is no backup of the portal, or its end is missing. Nothing was changed.`);
  if (manifest.version !== VERSION)
    throw new Error(`${path} was made by a newer version of the portal. Restore it with that one.`);
  const { size } = await stat(path);
  const isWhole = size === manifest.bytes + Buffer.byteLength(`\n${JSON.stringify(manifest)}\n`);
  if (!isWhole || (await hashFile(path, manifest.bytes)) !== manifest.sha256)
    throw new Error(`${path} is damaged: its bytes are not the ones that were written. Nothing was changed.`);
  return manifest;
}
