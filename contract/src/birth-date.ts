const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** No pupil of a primary school is older. */
const MAX_AGE_YEARS = 25;
/** Days from the first day of spreadsheet programs to 1 January 1970. */
const SERIAL_EPOCH = 25_569;
const DAY_MS = 86_400_000;
const TIME = /([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * The date of birth in a cell as YYYY-MM-DD; null if it is not one. Days come before months, as in Britain. Also reads
 * ISO dates, names of months, two-digit years, and the day numbers that spreadsheet programs store.
 * @param today YYYY-MM-DD
 */
export function parseBirthDate(text: string, today: string): string | null {
  const cell = text.trim().replace(TIME, '');
  const date = fromIso(cell) ?? fromBritish(cell, today) ?? fromSerial(cell);
  if (date === undefined) return null;
  const oldest = `${Number(today.slice(0, 4)) - MAX_AGE_YEARS}${today.slice(4)}`;
  return date <= today && date >= oldest ? date : null;
}

/** A date that exists. */
function toDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  // A day or month that does not exist is one of another month.
  return date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : undefined;
}

function fromIso(cell: string): string | undefined {
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(cell) ?? [];
  return year ? toDate(Number(year), Number(month), Number(day)) : undefined;
}

function fromBritish(cell: string, today: string): string | undefined {
  const [, day, month = '', year = ''] =
    /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]+(\d{1,2}|[a-z]{3,9})\.?,?[-/. ]+(\d{4}|\d{2})$/i.exec(cell) ?? [];
  if (!day) return undefined;
  const monthNumber = /\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  // No pupil was born in another century.
  const wholeYear = year.length === 4 ? year : `${today.slice(0, 2)}${year}`;
  return toDate(Number(wholeYear), monthNumber, Number(day));
}

const fromSerial = (cell: string): string | undefined =>
  /^\d{5}(\.0+)?$/.test(cell)
    ? new Date((Number.parseInt(cell, 10) - SERIAL_EPOCH) * DAY_MS).toISOString().slice(0, 10)
    : undefined;
