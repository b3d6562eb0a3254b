import { openEmbedded, prepareDatabase } from './database.ts';
import { dumpSchema } from './dump-schema.queries.ts';

// `npm run -s schema > server/src/database/schema.sql`: what the migrations make of an empty database.
const database = await openEmbedded();
await prepareDatabase(database, async () => undefined);
process.stdout.write(await dumpSchema(database.kysely));
await database.close();
