import { CFB } from '@e965/xlsx';
import { type SheetToWrite, writeXlsx } from './xlsx.ts';

declare module '../workers/worker-pool.ts' {
  interface WorkerTasks {
    writeZip: typeof writeZip;
  }
}

/** A file in an archive: a text or a spreadsheet. */
export interface FileToPack {
  /** With its extension. */
  name: string;
  content: string | SheetToWrite;
}

/** Packs files into a zip archive. Run it in a worker. */
export function writeZip(files: readonly FileToPack[]): Uint8Array {
  const archive = CFB.utils.cfb_new();
  for (const { name, content } of files)
    CFB.utils.cfb_add(
      archive,
      `/${name}`,
      typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(writeXlsx(content)),
    );
  return new Uint8Array(CFB.write(archive, { fileType: 'zip', compression: true, type: 'buffer' }) as Buffer);
}
