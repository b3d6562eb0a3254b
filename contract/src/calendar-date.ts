const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Days from the first day of spreadsheet programs to 1 January 1970. */
const SERIAL_EPOCH = 25_569;
const DAY_MS = 86_400_000;
const TIME = /([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:\d{2})?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
const londonDay = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/**
 * The date in a cell as YYYY-MM-DD; undefined if it is not one. Days come before months, as in Britain. Also reads ISO
 * dates, names of months, two-digit years, and the day numbers that spreadsheet programs store. A time of a time zone is
 * the day in London.
 * @param today YYYY-MM-DD; two-digit years are in its century
 */
export function parseDate(text: string, today: string): string | undefined {
  const trimmed = text.trim();
  const instant = INSTANT.test(trimmed) ? new Date(trimmed) : undefined;
  if (instant && !Number.isNaN(instant.getTime())) return londonDay.format(instant);
  const cell = trimmed.replace(TIME, '');
  return fromIso(cell) ?? fromBritish(cell, today) ?? fromSerial(cell);
}

/** A date that exists. Programs store years before 1900 where a date is missing. */
function toDate(year: number, month: number, day: number): string | undefined {
  if (year < 1900) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  // A day or month that does not exist is one of another month.
  return date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : undefined;
}

function fromIso(cell: string): string | undefined {
  const [, year, , month, day] =
    /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(cell) ?? /^((?:19|20)\d{2})()(\d{2})(\d{2})$/.exec(cell) ?? [];
  return year ? toDate(Number(year), Number(month), Number(day)) : undefined;
}

function fromBritish(cell: string, today: string): string | undefined {
  const [, day, month = '', year = ''] =
    /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]+(\d{1,2}|[a-z]{3,9})\.?,?[-/. ]+(\d{4}|\d{2})$/i.exec(cell) ?? [];
  if (!day) return undefined;
  const monthNumber = /\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const wholeYear = year.length === 4 ? year : `${today.slice(0, 2)}${year}`;
  return toDate(Number(wholeYear), monthNumber, Number(day));
}

const fromSerial = (cell: string): string | undefined =>
  /^\d{5}(\.\d+)?$/.test(cell)
    ? new Date((Number.parseInt(cell, 10) - SERIAL_EPOCH) * DAY_MS).toISOString().slice(0, 10)
    : undefined;
