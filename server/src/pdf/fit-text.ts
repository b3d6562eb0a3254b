/** The largest size at which a text fits into a box, and its lines; a word too long for a line is split. */
export function fitText(
  doc: PDFKit.PDFDocument,
  font: string,
  text: string,
  width: number,
  height: number,
  largest: number,
  smallest: number,
  options: PDFKit.Mixins.TextOptions = {},
): { size: number; lines: string[] } {
  doc.font(font).fontSize(100);
  const widths = new Map<string, number>();
  const measure = (word: string) => {
    const wordWidth = widths.get(word) ?? doc.widthOfString(word, options) / 100;
    widths.set(word, wordWidth);
    return wordWidth;
  };
  for (let size = largest; ; size -= 0.5) {
    const lines = wrap(text, width / size, measure);
    const fits = lines.length * size * 1.2 <= height && (size <= 12 || !lines.some((line) => line.broken));
    if (fits || size <= smallest) return { size, lines: lines.map((line) => line.text) };
  }
}

interface Line {
  text: string;
  /** A word was split at the end of the line. */
  broken: boolean;
}

/** Breaks a text into lines; a word too long for a line is split. */
function wrap(text: string, width: number, measure: (text: string) => number): Line[] {
  const lines: Line[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push({ text: line, broken: false });
    line = word;
    while (measure(line) > width && line.length > 1) {
      let end = line.length - 1;
      while (end > 1 && measure(line.slice(0, end)) > width) end -= 1;
      // A double-barrelled name breaks after its hyphen.
      const hyphen = line.lastIndexOf('-', end - 1) + 1;
      const cut = hyphen > end / 3 ? hyphen : end;
      lines.push({ text: line.slice(0, cut), broken: cut !== hyphen });
      line = line.slice(cut);
    }
  }
  if (line !== '') lines.push({ text: line, broken: false });
  return lines;
}
