import { openEmbedded, prepareDatabase } from './database.ts';
import { printTableTypes } from './table-types.queries.ts';

// `npm run -s tables > server/src/database/generated-tables.ts`: the types of what the migrations make.
const database = await openEmbedded();
await prepareDatabase(database, async () => undefined);
process.stdout.write(await printTableTypes(database.kysely));
await database.close();
