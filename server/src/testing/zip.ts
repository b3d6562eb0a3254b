import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP archive packed with zlib, because the files are too large for a packer in JavaScript. */
export function zip(files: Record<string, string | Buffer>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(text), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(Buffer.byteLength(text), 8);
    const start = Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]);
    const lengths = Buffer.from([name.length, 0, 0, 0]);
    const offset = Buffer.alloc(4);
    offset.writeUInt32LE(at);
    parts.push(Buffer.from('PK\x03\x04'), start, sizes, lengths, Buffer.from(name), packed);
    directory.push(
      Buffer.from('PK\x01\x02\x14\x00'),
      start,
      sizes,
      lengths,
      Buffer.alloc(10),
      offset,
      Buffer.from(name),
    );
    at += 30 + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}
