import { parse } from 'csv-parse/sync';

/** Bytes that are read to guess from. */
const SAMPLE = 4096;

/**
 * The text of a file, whatever wrote it: UTF-8 with or without a byte order mark, UTF-16 of both orders,
 * and where it is none of these Windows-1252, or Mac Roman when its lines end as old Macs end them.
 * @returns undefined for what is no text
 */
export function decodeText(content: Uint8Array): string | undefined {
  const text = new TextDecoder(findEncoding(content)).decode(content);
  // Control characters are what tells a text from something else.
  return /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/.test(text.slice(0, 65_536)) ? undefined : text;
}

function findEncoding(content: Uint8Array): string {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  const sample = content.subarray(0, SAMPLE);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 5 && even === 0) return 'utf-16le';
  if (even > sample.length / 5 && odd === 0) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return 'utf-8';
  } catch {
    return sample.includes(0x0d) && !sample.includes(0x0a) ? 'macintosh' : 'windows-1252';
  }
}

/** The likelier a sign separates columns, the earlier it stands: names hold commas, hardly tabs. */
const DELIMITERS = ['\t', ';', ',', '|'] as const;
type Delimiter = (typeof DELIMITERS)[number];

const records = (text: string, delimiter: Delimiter, most: number, quote: '"' | null = '"'): string[][] =>
  parse(text, {
    delimiter,
    quote,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: false,
    record_delimiter: ['\r\n', '\n', '\r'],
    to: most,
  });

/** The cells of a text with delimiters, a row a record; blank lines are rows too. At most `most` rows. */
export function splitCells(text: string, most: number): string[][] {
  const hint = /^sep=([\t;,|])\r?\n/i.exec(text);
  const body = hint ? text.slice(hint[0].length) : text;
  const delimiter = (hint?.[1] as Delimiter | undefined) ?? findDelimiter(body);
  const rows = safely(body, delimiter, hint ? most - 1 : most);
  // The hint's line is a row to whoever counts lines.
  return hint ? [[], ...rows] : rows;
}

/** A quotation mark that is never closed is a plain sign. */
function safely(text: string, delimiter: Delimiter, most: number): string[][] {
  try {
    return records(text, delimiter, most);
  } catch {
    return records(text, delimiter, most, null);
  }
}

/** The sign that splits most of the first rows into the same number of cells. */
function findDelimiter(text: string): Delimiter {
  const sample = text.slice(0, 20_000);
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    if (!sample.includes(delimiter)) continue;
    const counts = safely(sample, delimiter, 50)
      .map((cells) => cells.length)
      .filter((count) => count > 1);
    const usual = Math.max(0, ...counts.map((count) => counts.filter((other) => other === count).length));
    if (usual > best.score) best = { delimiter, score: usual };
  }
  return best.delimiter;
}
