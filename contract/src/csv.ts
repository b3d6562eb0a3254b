/** Text that spreadsheet programs would treat as a formula, with any apostrophes before it. An import removes the one added here. */
const FORMULA = /^'*[=+\-@\t\r]/;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const inert = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Rows as CSV in UTF-8 with a byte order mark, so that Excel reads accents; an apostrophe is put before texts that look like formulas. */
export const writeCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
