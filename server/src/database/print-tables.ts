import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabase } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { printTableTypes } from './table-types.queries.ts';

// `npm run -s tables` prints the types of the tables that the migrations create; `npm run tables -- --write` updates generated-tables.ts.
const database = await openEmbedded();
await prepareDatabase(database, async () => undefined);
const text = await printTableTypes(database.kysely);
if (process.argv.includes('--write')) writeFileSync(join(import.meta.dirname, 'generated-tables.ts'), text);
else process.stdout.write(text);
await database.close();
