/** Text that spreadsheet programs would treat as a formula, with any apostrophes before it. An import removes the one added here. */
const FORMULA = /^'*[=+\-@\t\r]/;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const inert = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** A row as a line of CSV, with its end; an apostrophe is put before texts that look like formulas. */
export const writeCsvRow = (row: readonly (string | number | null)[]): string => `${row.map(cell).join(',')}\r\n`;

/** What a CSV file in UTF-8 begins with, so that Excel reads accents. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Rows as CSV in UTF-8. */
export const writeCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  BYTE_ORDER_MARK + rows.map(writeCsvRow).join('');
