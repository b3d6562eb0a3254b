// npm run catalogue -- import FILE: imports a publisher's list of books into the catalogue, with covers and previews.
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readConfig } from '../config.ts';
import { prepareDatabase } from '../database/database.ts';
import { openExistingDatabase } from '../database/open-database.ts';
import { importCatalogue } from '../features/books/catalogue/catalogue.public.ts';

const USAGE = `Usage:
  npm run catalogue -- import FILE   imports a list of books (CSV or XLSX) into the library of every school

One of the first five rows names the columns: title, description, level, collection, tags, pages, cover, preview.
Separate tags with commas; cover (an image) and preview (a PDF) are names of files in the folder of the list. If a row is invalid, nothing
is imported. Collection and title identify a book, so importing the same list again changes nothing.`;

/** Errors beyond this number are counted, not listed. */
const MAX_LISTED_ERRORS = 50;

async function run(): Promise<void> {
  const [command, file] = process.argv.slice(2);
  if (command !== 'import' || !file) throw new Error(USAGE);
  const content = await readFile(file);
  const config = readConfig(process.env);
  const { database, release } = await openExistingDatabase(config, (line) => process.stderr.write(`${line}\n`));
  try {
    const report = await prepareDatabase(database, () =>
      importCatalogue({ database, config }, basename(file), content, dirname(file)),
    );
    const { faults, created, changed, unchanged } = report;
    if (faults.length > 0) {
      const lines = faults
        .slice(0, MAX_LISTED_ERRORS)
        .map(({ row, text }) => (row > 0 ? `  row ${row}: ${text}` : `  ${text}`));
      const more = faults.length > MAX_LISTED_ERRORS ? [`  and ${faults.length - MAX_LISTED_ERRORS} more`] : [];
      throw new Error(['Nothing was imported. Correct these rows:', ...lines, ...more].join('\n'));
    }
    process.stdout.write(`${created} books were added, ${changed} updated and ${unchanged} unchanged.\n`);
  } finally {
    await database.close();
    await release();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
