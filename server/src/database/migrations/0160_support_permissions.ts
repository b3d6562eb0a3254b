import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';

/** Permission of a school that lets support see data about children. */
export const up = (db: Kysely<unknown>) =>
  createSchoolTable(db, {
    name: 'support_permissions',
    columns: ['allowed_by bigint not null', 'expires_at timestamptz not null'],
    key: [],
  });
