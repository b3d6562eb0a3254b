import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabase } from '../database/database.ts';
import { openEmbedded } from '../database/embedded.ts';
import { printTableTypes } from '../database/table-types.queries.ts';

// `npm run -s tables` prints the types of the tables that the migrations create; `npm run tables -- --write` updates generated-tables.ts.
const database = await openEmbedded();
await prepareDatabase(database, async () => undefined);
const text = await printTableTypes(database.kysely);
if (process.argv.includes('--write')) writeFileSync(join(import.meta.dirname, '../database/generated-tables.ts'), text);
else process.stdout.write(text);
await database.close();
