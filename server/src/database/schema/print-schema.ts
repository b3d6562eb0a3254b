import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabase } from '../database.ts';
import { openEmbedded } from '../embedded.ts';
import { dumpSchema } from './dump-schema.queries.ts';
import { printTableTypes } from './table-types.queries.ts';

// Prints the schema that the migrations create (`npm run -s schema`), or the types of its tables (`npm run -s tables`).
// With `-- --write` the command updates the file beside this one instead.
const [file, print] = process.argv.includes('--tables')
  ? (['generated-tables.ts', printTableTypes] as const)
  : (['schema.sql', dumpSchema] as const);
const database = await openEmbedded();
await prepareDatabase(database, async () => undefined);
const text = await print(database.kysely);
if (process.argv.includes('--write')) writeFileSync(join(import.meta.dirname, file), text);
else process.stdout.write(text);
await database.close();
