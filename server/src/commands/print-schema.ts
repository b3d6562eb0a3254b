import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabase } from '../database/database.ts';
import { openEmbedded } from '../database/embedded.ts';
import { dumpSchema } from '../database/dump-schema.queries.ts';

// `npm run -s schema` prints the schema that the migrations create; `npm run schema -- --write` updates schema.sql.
const database = await openEmbedded();
await prepareDatabase(database, async () => undefined);
const text = await dumpSchema(database.kysely);
if (process.argv.includes('--write')) writeFileSync(join(import.meta.dirname, '../database/schema.sql'), text);
else process.stdout.write(text);
await database.close();
