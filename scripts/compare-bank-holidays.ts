import { compareBankHolidays, type PublishedDocument } from '../checks/bank-holidays.ts';

const URL_OF_LISTS = 'https://www.gov.uk/bank-holidays.json';
const response = await fetch(URL_OF_LISTS, { signal: AbortSignal.timeout(30_000) });
if (!response.ok) throw new Error(`${URL_OF_LISTS} answered ${String(response.status)}.`);
const differences = compareBankHolidays(
  (await response.json()) as PublishedDocument,
  new Date().toISOString().slice(0, 10),
);
for (const difference of differences) console.error(difference);
if (differences.length > 0) process.exitCode = 1;
else console.log('The bank holidays are those that the government lists, until the end of next year.');
