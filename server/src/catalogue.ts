// npm run catalogue -- import FILE: takes a publisher's list of books into the catalogue, with its covers and previews.
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readConfig } from './config.ts';
import { prepareDatabase } from './database/database.ts';
import { openDatabase } from './database/open-database.ts';
import { importCatalogue } from './features/catalogue/catalogue.public.ts';

const USAGE = `Usage:
  npm run catalogue -- import FILE   takes a list of books (csv or xlsx) into the library of every school

The first line names the columns: title, description, level, collection, tags, pages, cover, preview. Tags stand
between commas; cover (a picture) and preview (a PDF) name files beside the list. All is taken, or nothing when a row
is wrong. A book is known by its collection and title: the same list again changes nothing.`;

/** Faults that are listed; nobody reads more. */
const MOST_FAULTS = 50;

async function run(): Promise<void> {
  const [command, file] = process.argv.slice(2);
  if (command !== 'import' || !file) throw new Error(USAGE);
  const content = await readFile(file);
  const config = readConfig(process.env);
  const { database, release } = await openDatabase(
    config,
    () => undefined,
    () => undefined,
  );
  try {
    const report = await prepareDatabase(database, () =>
      importCatalogue({ database, config }, basename(file), content, dirname(file)),
    );
    const { faults, created, changed, unchanged } = report;
    if (faults.length > 0) {
      const lines = faults
        .slice(0, MOST_FAULTS)
        .map(({ row, text }) => (row > 0 ? `  row ${row}: ${text}` : `  ${text}`));
      const more = faults.length > MOST_FAULTS ? [`  and ${faults.length - MOST_FAULTS} more`] : [];
      throw new Error(['Nothing was imported. Mend these rows:', ...lines, ...more].join('\n'));
    }
    process.stdout.write(`${created} books are new, ${changed} were changed, ${unchanged} were as they are.\n`);
  } finally {
    await database.close();
    await release();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
