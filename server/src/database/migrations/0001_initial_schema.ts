import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';
import { ACCOUNTS } from './initial-schema/accounts.ts';
import { BILLING } from './initial-schema/billing.ts';
import { PLATFORM } from './initial-schema/platform.ts';
import { PRIVACY } from './initial-schema/privacy.ts';
import { READING } from './initial-schema/reading.ts';
import { RECORDS } from './initial-schema/records.ts';
import { SCHOOLS } from './initial-schema/schools.ts';

const FIRST_ROWS = `
insert into document_numbers (kind, last) values ('invoice', 0), ('credit_note', 0)

insert into reading_levels (level, book_band)
values (1, 'Yellow'), (2, 'Green'), (3, 'Orange'), (4, 'Purple'), (5, 'White'), (6, 'Brown')

insert into database_generation (generation) values (0)
`;

/*
 * Three kinds of table, see docs/decisions/school-isolation.md:
 * - the catalogue (books, packages …): shared by all schools, without a school_id;
 * - platform tables: values that must be unique across schools, each with its school;
 * - school tables: school_id is the first column of the primary key and part of every foreign key between them.
 */
export const INITIAL_SCHEMA = [SCHOOLS, ACCOUNTS, READING, RECORDS, BILLING, PRIVACY, PLATFORM, FIRST_ROWS].join('\n');

export const up = (db: Kysely<unknown>) => runStatements(db, INITIAL_SCHEMA);
