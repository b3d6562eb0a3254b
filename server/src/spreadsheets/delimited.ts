import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';

/** The number of bytes used to guess the encoding. */
const SAMPLE_BYTES = 4096;

/**
 * Decodes a text file: UTF-8 with or without a byte order mark, UTF-16 of both byte orders, otherwise Windows-1252, or
 * Mac Roman when its lines end with a carriage return.
 * @returns undefined for binary content
 */
export function decodeText(content: Uint8Array): string | undefined {
  const text = new TextDecoder(findEncoding(content)).decode(content);
  // Only binary content contains control characters.
  return /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/.test(text.slice(0, 65_536)) ? undefined : text;
}

function findEncoding(content: Uint8Array): string {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  const sample = content.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 5 && even === 0) return 'utf-16le';
  if (even > sample.length / 5 && odd === 0) return 'utf-16be';
  if (isUtf8(content)) return 'utf-8';
  return sample.includes(0x0d) && !sample.includes(0x0a) ? 'macintosh' : 'windows-1252';
}

/** Ordered by how likely a character separates columns: names contain commas, but hardly ever tabs. */
const DELIMITERS = ['\t', ';', ',', '|'] as const;
type Delimiter = (typeof DELIMITERS)[number];

const parseRecords = (text: string, delimiter: Delimiter, maxRows: number, quote: '"' | null = '"'): string[][] =>
  parse(text, {
    delimiter,
    quote,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: false,
    record_delimiter: ['\r\n', '\n', '\r'],
    to: maxRows,
  });

/** The cells of a delimited text, one row per record, including blank lines. At most `maxRows` rows. */
export function splitCells(text: string, maxRows: number): string[][] {
  const hint = /^sep=([\t;,|])\r?\n/i.exec(text);
  const body = hint ? text.slice(hint[0].length) : text;
  const delimiter = (hint?.[1] as Delimiter | undefined) ?? findDelimiter(body);
  const rows = parseLeniently(body, delimiter, hint ? maxRows - 1 : maxRows);
  // The separator hint counts as a line.
  return hint ? [[], ...rows] : rows;
}

/** A quotation mark that is never closed is an ordinary character. */
function parseLeniently(text: string, delimiter: Delimiter, maxRows: number): string[][] {
  try {
    return parseRecords(text, delimiter, maxRows);
  } catch {
    return parseRecords(text, delimiter, maxRows, null);
  }
}

/** The delimiter that splits most of the first rows into the same number of cells. */
function findDelimiter(text: string): Delimiter {
  const sample = text.slice(0, 20_000);
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    if (!sample.includes(delimiter)) continue;
    const counts = parseLeniently(sample, delimiter, 50)
      .map((cells) => cells.length)
      .filter((count) => count > 1);
    const usual = Math.max(0, ...counts.map((count) => counts.filter((cells) => cells === count).length));
    if (usual > best.score) best = { delimiter, score: usual };
  }
  return best.delimiter;
}
