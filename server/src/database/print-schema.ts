import { openEmbedded, prepareDatabase } from './database.ts';
import { describeSchema } from './describe-schema.queries.ts';

// `npm run -s schema > server/src/database/schema.sql`: what the migrations make of an empty database.
const database = await openEmbedded();
await prepareDatabase(database, async () => undefined);
process.stdout.write(await describeSchema(database.kysely));
await database.close();
