import { crc32, inflateRawSync } from 'node:zlib';

/** A file in a zip archive. Sizes are those that the archive claims. */
export interface ZipEntry {
  name: string;
  size: number;
  packed: number;
  method: number;
  /** The checksum of the content. */
  checksum: number;
  encrypted: boolean;
  /** The offset of its local header. */
  at: number;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_LENGTH = 22;
const MAX_COMMENT_LENGTH = 65_535;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const LOCATOR_LENGTH = 20;
/** In place of a number that does not fit. */
const TOO_LARGE_32 = 0xffffffff;
const TOO_LARGE_16 = 0xffff;
/** The extra field with the numbers that do not fit. */
const EXTRA_64 = 1;

/**
 * Reads the directory of an archive without unpacking anything; undefined when it is cut off or not an archive. Also
 * reads ZIP64, which programs that write as they go use for small files too. Source: PKWARE's APPNOTE 6.3.10.
 */
export function listZip(content: Buffer): ZipEntry[] | undefined {
  const directory = findDirectory(content);
  if (!directory) return undefined;
  let { at } = directory;
  const entries: ZipEntry[] = [];
  for (let index = 0; index < directory.count; index += 1) {
    if (at + 46 > content.length || content.readUInt32LE(at) !== ENTRY) return undefined;
    const [name, extra, comment] = [28, 30, 32].map((offset) => content.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const numbers = [24, 20, 42].map((offset) => content.readUInt32LE(at + offset));
    const extraAt = at + 46 + name;
    const [size, packed, local] = withLargeNumbers(numbers, content.subarray(extraAt, extraAt + extra));
    if (size === undefined || packed === undefined || local === undefined) return undefined;
    entries.push({
      name: content.toString('utf8', at + 46, at + 46 + name),
      size,
      packed,
      method: content.readUInt16LE(at + 10),
      checksum: content.readUInt32LE(at + 16),
      encrypted: (content.readUInt16LE(at + 8) & 1) === 1,
      at: local,
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}

/** Where the directory begins and how many entries it has. */
function findDirectory(content: Buffer): { at: number; count: number } | undefined {
  let end = content.length - END_LENGTH;
  const first = Math.max(0, end - MAX_COMMENT_LENGTH);
  while (end >= first && content.readUInt32LE(end) !== END) end -= 1;
  if (end < first) return undefined;
  const directory = { count: content.readUInt16LE(end + 10), at: content.readUInt32LE(end + 16) };
  if (directory.count !== TOO_LARGE_16 && directory.at !== TOO_LARGE_32) return directory;
  const locator = end - LOCATOR_LENGTH;
  if (locator < 0 || content.readUInt32LE(locator) !== END_64_LOCATOR) return directory;
  const at = readLarge(content, locator + 8);
  if (at === undefined || at + 56 > content.length || content.readUInt32LE(at) !== END_64) return undefined;
  const [count, start] = [readLarge(content, at + 32), readLarge(content, at + 48)];
  return count === undefined || start === undefined ? undefined : { count, at: start };
}

/** A number of 8 bytes; undefined if it is beyond the archive, as no number of a real one is. */
function readLarge(content: Buffer, at: number): number | undefined {
  if (at + 8 > content.length) return undefined;
  const number = content.readBigUInt64LE(at);
  return number > BigInt(TOO_LARGE_32) ? undefined : Number(number);
}

/** Replaces numbers that do not fit by those in the extra field, where they follow each other. */
function withLargeNumbers(numbers: readonly number[], extra: Buffer): (number | undefined)[] {
  if (!numbers.includes(TOO_LARGE_32)) return [...numbers];
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== EXTRA_64) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return numbers.map((number) => {
    if (number !== TOO_LARGE_32) return number;
    at += 8;
    return readLarge(extra, at - 8);
  });
}

/**
 * Unpacks an entry, whose claimed size the caller has bounded. Undefined when it is damaged, larger than the archive
 * claims, or has another checksum.
 */
export function unzip(content: Buffer, entry: ZipEntry): Buffer | undefined {
  if (entry.at + 30 > content.length || content.readUInt32LE(entry.at) !== LOCAL) return undefined;
  const from = entry.at + 30 + content.readUInt16LE(entry.at + 26) + content.readUInt16LE(entry.at + 28);
  const packed = content.subarray(from, from + entry.packed);
  if (packed.length < entry.packed) return undefined;
  const unpacked = entry.method === 0 ? packed : entry.method === 8 ? inflate(packed, entry.size) : undefined;
  return unpacked?.length === entry.size && crc32(unpacked) === entry.checksum ? unpacked : undefined;
}

function inflate(packed: Buffer, size: number): Buffer | undefined {
  try {
    // In one piece, which is not copied again.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size + 1) });
  } catch {
    return undefined;
  }
}
