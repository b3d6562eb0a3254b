/**
 * Every table. Row-level security decides which rows a connection sees: a `PlatformDb` all of them, a `SchoolDb` those
 * of its school and the catalogue.
 */
export type { Tables } from './schema/generated-tables.ts';
