import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file to pack, whose content is read once, piece by piece. */
export interface StreamedFile {
  /** With its folder and extension, separated by slashes. */
  name: string;
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

/** Names are UTF-8, and sizes follow the content. */
const FLAGS = 0x0808;
const DEFLATE = 8;
const VERSION = 20;

interface PackedFile {
  name: Buffer;
  crc: number;
  size: number;
  packed: number;
  at: number;
}

/** Date and time as MS-DOS stores them, in UTC. */
function dosTime(moment: Date): { date: number; time: number } {
  const date = ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  return { date, time };
}

/** The fields that the header of a file and its entry in the directory have in common. */
function commonFields({ name, crc, packed, size }: Omit<PackedFile, 'at'>, moment: Date): Buffer {
  const { date, time } = dosTime(moment);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(FLAGS, 2);
  fields.writeUInt16LE(DEFLATE, 4);
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

function directoryEntry(entry: PackedFile, moment: Date): Buffer {
  const madeBy = Buffer.alloc(2);
  madeBy.writeUInt16LE(VERSION);
  const place = Buffer.alloc(14);
  place.writeUInt32LE(entry.at, 10);
  return Buffer.concat([signature(0x02014b50), madeBy, commonFields(entry, moment), place, entry.name]);
}

/**
 * Packs files into a ZIP archive as a stream. Memory is bounded by the pieces of the content: the archive and its files
 * may be larger, up to 4 GB. Source: PKWARE's APPNOTE 6.3.10.
 */
export async function* streamZip(
  files: AsyncIterable<StreamedFile> | Iterable<StreamedFile>,
  moment: Date,
): AsyncGenerator<Buffer> {
  const entries: PackedFile[] = [];
  let at = 0;
  for await (const { name, content } of files) {
    const entry: PackedFile = { name: Buffer.from(name, 'utf8'), crc: 0, size: 0, packed: 0, at };
    const header = Buffer.concat([signature(0x04034b50), commonFields(entry, moment), entry.name]);
    yield header;
    const measure = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of content) {
        const bytes = Buffer.from(piece as string);
        entry.crc = crc32(bytes, entry.crc);
        entry.size += bytes.length;
        yield bytes;
      }
    };
    // An error of the content reaches the loop, so the callback has nothing to do.
    for await (const bytes of pipeline(measure(), createDeflateRaw(), () => undefined)) {
      entry.packed += (bytes as Buffer).length;
      yield bytes as Buffer;
    }
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(0x08074b50, 0);
    sizes.writeUInt32LE(entry.crc, 4);
    sizes.writeUInt32LE(entry.packed, 8);
    sizes.writeUInt32LE(entry.size, 12);
    yield sizes;
    at += header.length + entry.packed + sizes.length;
    entries.push(entry);
  }
  const directory = Buffer.concat(entries.map((entry) => directoryEntry(entry, moment)));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  yield directory;
  yield end;
}
