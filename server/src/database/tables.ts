import type { CatalogueTables } from './tables/catalogue-tables.ts';
import type { PlatformTables } from './tables/platform-tables.ts';
import type { SchoolTables } from './tables/school-tables.ts';

/** Every table. Row-level security decides which rows of it a connection sees. */
export interface Tables extends CatalogueTables, PlatformTables, SchoolTables {}
