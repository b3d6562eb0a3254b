import { inflateRawSync } from 'node:zlib';

/** A file in a zip archive. Sizes are those that the archive claims. */
export interface ZipEntry {
  name: string;
  size: number;
  packed: number;
  method: number;
  encrypted: boolean;
  /** The offset of its local header. */
  at: number;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_LENGTH = 22;
const MAX_COMMENT_LENGTH = 65_535;

/** Reads the directory of an archive without unpacking anything; undefined when it is cut off or not an archive. */
export function listZip(content: Buffer): ZipEntry[] | undefined {
  let end = -1;
  for (
    let at = content.length - END_LENGTH;
    at >= Math.max(0, content.length - END_LENGTH - MAX_COMMENT_LENGTH);
    at -= 1
  )
    if (content.readUInt32LE(at) === END) {
      end = at;
      break;
    }
  if (end < 0) return undefined;
  const count = content.readUInt16LE(end + 10);
  let at = content.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > content.length || content.readUInt32LE(at) !== ENTRY) return undefined;
    const lengths = [28, 30, 32].map((offset) => content.readUInt16LE(at + offset)) as [number, number, number];
    entries.push({
      name: content.toString('utf8', at + 46, at + 46 + lengths[0]),
      size: content.readUInt32LE(at + 24),
      packed: content.readUInt32LE(at + 20),
      method: content.readUInt16LE(at + 10),
      encrypted: (content.readUInt16LE(at + 8) & 1) === 1,
      at: content.readUInt32LE(at + 42),
    });
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return entries;
}

/**
 * Unpacks an entry, whose claimed size the caller has bounded. Undefined when it is damaged or larger than the archive
 * claims.
 */
export function unzip(content: Buffer, entry: ZipEntry): Buffer | undefined {
  if (entry.at + 30 > content.length || content.readUInt32LE(entry.at) !== LOCAL) return undefined;
  const from = entry.at + 30 + content.readUInt16LE(entry.at + 26) + content.readUInt16LE(entry.at + 28);
  const packed = content.subarray(from, from + entry.packed);
  if (packed.length < entry.packed) return undefined;
  if (entry.method === 0) return entry.size === entry.packed ? packed : undefined;
  if (entry.method !== 8) return undefined;
  try {
    // In one piece, which is not copied again.
    const options = { maxOutputLength: Math.max(1, entry.size), chunkSize: Math.max(64, entry.size + 1) };
    const unpacked = inflateRawSync(packed, options);
    return unpacked.length === entry.size ? unpacked : undefined;
  } catch {
    return undefined;
  }
}
