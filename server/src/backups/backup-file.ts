import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { Encrypter } from 'age-encryption';
import { z } from 'zod';

/*
 * A backup is the output of pg_dump followed by a line of JSON with its description and hash. pg_restore reads the file
 * as it is. A truncated file has no such line.
 */

const manifestSchema = z.object({
  format: z.literal('school-portal-backup'),
  version: z.number(),
  kind: z.literal('server'),
  /** The major version of PostgreSQL that wrote the dump. */
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

/** What writing a backup may do besides. */
export interface BackupOptions {
  /** Public keys (`age1…`), for whose owners the file is encrypted. */
  recipients?: readonly string[];
  /**
   * Receives the content, without the line and never encrypted, and is ended after the last of it. If it fails, the
   * backup is completed without it: only its owner learns of the failure. If the backup fails, it is destroyed.
   */
  copyTo?: Writable | undefined;
  /** A copy that accepts nothing for this long is destroyed. */
  copyTimeoutMs?: number;
  /** An exported snapshot, as of which the content is read. */
  snapshot?: string;
  /** Interrupts the backup. */
  signal?: AbortSignal | undefined;
}

/** Longer than a restore waits for one statement. */
const COPY_TIMEOUT_MS = 600_000;

/** Waits until a stream accepts more or has failed, or the signal fires. */
async function waitForDrain(copy: Writable, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const settled = new AbortController();
  const timer = setTimeout(
    () => copy.destroy(new Error(`The copy of the backup accepted nothing for ${timeoutMs / 1000} seconds.`)),
    timeoutMs,
  );
  try {
    const either = AbortSignal.any([signal, settled.signal]);
    await Promise.race(['drain', 'close'].map((event) => once(copy, event, { signal: either })));
  } catch {
    // The owner of the copy reports that it failed.
  } finally {
    clearTimeout(timer);
    settled.abort();
  }
}

/** Passes the content on to the copy, at the speed of the slower of the two. */
async function* copyContent(
  content: AsyncIterable<Uint8Array>,
  copy: Writable,
  timeoutMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    if (copy.writable && !copy.write(part)) await waitForDrain(copy, timeoutMs, signal);
    yield part;
  }
  if (copy.writable) copy.end();
}

type Description = Pick<Manifest, 'kind' | 'postgres' | 'schema' | 'created_at'>;

/** Yields the content and then the line that describes it. */
async function* seal(
  content: AsyncIterable<Uint8Array>,
  about: Description,
  onSealed: (manifest: Manifest) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of content) {
    hash.update(part);
    bytes += part.length;
    yield part;
  }
  const manifest: Manifest = {
    format: 'school-portal-backup',
    version: VERSION,
    ...about,
    bytes,
    sha256: hash.digest('hex'),
  };
  onSealed(manifest);
  yield Buffer.from(`\n${JSON.stringify(manifest)}\n`);
}

/** Encrypts a stream for the owners of these public keys (`age1…`), 64 kB at a time. Debian's `age` opens the result. */
async function* encrypt(content: AsyncIterable<Uint8Array>, recipients: readonly string[]): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  yield* await encrypter.encrypt(ReadableStream.from(content) as ReadableStream<Uint8Array<ArrayBuffer>>);
}

/**
 * Writes a complete backup to a file that exists, as its content arrives, and syncs it. Only some parts of it are in
 * memory at a time.
 * @param readContent its signal fires when the file cannot be written: what produces the content then ends
 */
export async function writeBackupFile(
  path: string,
  readContent: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  about: Description,
  { recipients = [], copyTo, copyTimeoutMs = COPY_TIMEOUT_MS, signal }: BackupOptions = {},
): Promise<Manifest> {
  let manifest: Manifest | undefined;
  const file = createWriteStream(path, { flush: true });
  const closed = new AbortController();
  file.once('close', () => closed.abort());
  const content = readContent(closed.signal);
  const copied = copyTo ? copyContent(content, copyTo, copyTimeoutMs, closed.signal) : content;
  const sealed = seal(copied, about, (complete) => (manifest = complete));
  const encrypted = recipients.length > 0 ? encrypt(sealed, recipients) : sealed;
  await (signal ? pipeline(encrypted, file, { signal }) : pipeline(encrypted, file));
  if (!manifest) throw new Error('The content of the backup has no end.');
  return manifest;
}

const AGE_HEADER = 'age-encryption.org/';

/** The last line of a file, and whether `age` has encrypted it. */
async function readEnds(path: string): Promise<{ lastLine: string; isEncrypted: boolean }> {
  const file = await open(path, 'r').catch(() => {
    throw new Error(`The file ${path} does not exist.`);
  });
  try {
    const { size } = await file.stat();
    const read = async (length: number, from: number) =>
      (await file.read(Buffer.alloc(length), 0, length, from)).buffer.toString('latin1');
    const isEncrypted = (await read(AGE_HEADER.length, 0)) === AGE_HEADER;
    const length = Math.min(size, MAX_LINE_LENGTH);
    const text = await read(length, size - length);
    return { isEncrypted, lastLine: text.endsWith('\n') ? (text.trimEnd().split('\n').at(-1) ?? '') : '' };
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

/** What a file in the folder of the backups is, by its two ends: its content is not verified. */
export async function peekAtBackup(
  path: string,
): Promise<{ createdAt: number | undefined; isComplete: boolean; isEncrypted: boolean }> {
  const { lastLine, isEncrypted } = await readEnds(path);
  const manifest = parseManifest(lastLine);
  // An encrypted file gets its final name once it is complete.
  return { createdAt: manifest && Date.parse(manifest.created_at), isComplete: isEncrypted || !!manifest, isEncrypted };
}

/**
 * Verifies a backup and returns its manifest. Throws, with a text for the user, if it is not a backup of the portal, or is
 * truncated, damaged or of a later version.
 */
export async function readBackup(path: string): Promise<Manifest> {
  const { lastLine, isEncrypted } = await readEnds(path);
  if (isEncrypted) {
    const opened = path.endsWith('.age') ? path.slice(0, -'.age'.length) : `${path}.opened`;
    throw new Error(
      `${path} is encrypted. Open it first, with the private key: age -d -i KEY.txt ${path} > ${opened}. Nothing has changed.`,
    );
  }
  const manifest = parseManifest(lastLine);
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
