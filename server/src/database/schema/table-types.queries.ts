import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** The TypeScript types that the parsers of `database.ts` return for SQL types. */
const TYPES: Record<string, string> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  numeric: 'number',
  boolean: 'boolean',
  text: 'string',
  uuid: 'string',
  bytea: 'Buffer',
  date: 'Day',
  'timestamp with time zone': 'Timestamp',
  'bigint[]': 'number[]',
  'integer[]': 'number[]',
  'text[]': 'string[]',
};

/** The types of JSON columns, which SQL does not state. */
const JSON_TYPES: Record<string, string> = {
  'audit_log.details': 'object',
  'deleted_classes.record': 'DeletedClassRecord',
  'erasures.counts': 'Record<string, number>',
  'invoices.content': 'InvoiceContent',
  'outbox.attachments': 'MailAttachment[]',
  'outbox.headers': 'Record<string, string>',
  'outbox.link': 'MailLink',
  'run_rows.content': 'RunRowContent',
  'runs.counts': 'RunCounts',
  'runs.records': 'StagedSchoolRecords',
  'school_records_connections.classes': 'SourceSelection[]',
  'school_records_connections.result': 'SchoolRecordsCheckResult',
  'school_records_connections.school': 'SourceSelection',
  'school_records_connections.school_years': 'number[]',
  'school_records_sources.school': 'SourceSelection',
  'school_closings.erased_counts': 'Record<string, number>',
  'subscriptions.next_period': 'NextPeriod',
};

const HEADER = `// Generated from the migrated database: \`npm run tables -- --write\`. Do not edit.
// The descriptions are the comments in the migrations.
import type { JSONColumnType } from 'kysely';
import type { InvoiceContent } from '#contract/calls/hosted-invoices.ts';
import type {
  Day,
  DeletedClassRecord,
  Generated,
  MailAttachment,
  MailLink,
  NextPeriod,
  RunCounts,
  RunRowContent,
  SchoolRecordsCheckResult,
  SourceSelection,
  StagedSchoolRecords,
  Timestamp,
} from '../column-types.ts';
`;

interface Column {
  table: string;
  name: string;
  type: string;
  required: boolean;
  given: boolean;
  checks: string[];
  tableDescription: string | null;
  description: string | null;
}

/** The values that a constraint such as `check (role in ('admin', 'teacher'))` allows for its column. */
function allowedTexts(checks: string[]): string[] | undefined {
  const list = checks
    .map((check) => /^CHECK \(\(\w+ = ANY \(ARRAY\[((?:'\w+'::text(?:, )?)+)\]\)\)\)$/.exec(check)?.[1])
    .find(Boolean);
  return list?.match(/'\w+'/g) ?? undefined;
}

function typeOf({ table, name, type, required, given, checks }: Column): string {
  const json = JSON_TYPES[`${table}.${name}`];
  const base =
    type === 'jsonb'
      ? json && `JSONColumnType<${json}>`
      : (type === 'text' && allowedTexts(checks)?.join(' | ')) || TYPES[type];
  if (!base) throw new Error(`There is no TypeScript type for ${table}.${name}, which is ${type}.`);
  return (given ? `Generated<${base}>` : base) + (required ? '' : ' | null');
}

/** The lines that declare a column, formatted as oxfmt formats them. */
function printColumn(name: string, type: string): string[] {
  const line = `    ${name}: ${type};`;
  if (line.length <= 120) return [line];
  return [`    ${name}:`, ...`${type};`.split(' | ').map((value) => `      | ${value}`)];
}

const printComment = (text: string | null | undefined, indent: string): string[] =>
  text ? [`${indent}/** ${text} */`] : [];

/** The TypeScript source that declares all tables of the database. Throws for a column of an unknown type. */
export async function printTableTypes(db: Kysely<Tables>): Promise<string> {
  const { rows: columns } = await sql<Column>`
    select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, null) as type,
      a.attnotnull as required, a.atthasdef or a.attidentity <> '' as given,
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] order by k.conname) as checks,
      obj_description(c.oid, 'pg_class') as "tableDescription", col_description(c.oid, a.attnum) as description
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely\\_%'
    order by c.relname collate "C", a.attnum`.execute(db);
  const names = columns.map(({ table, name }) => `${table}.${name}`);
  const unused = Object.keys(JSON_TYPES).filter((name) => !names.includes(name));
  if (unused.length > 0) throw new Error(`The database has no ${unused.join(', ')}.`);
  const lines = [...Map.groupBy(columns, ({ table }) => table)].flatMap(([table, ownColumns]) => [
    ...printComment(ownColumns[0]?.tableDescription, '  '),
    `  ${table}: {`,
    ...ownColumns.flatMap((column) => [
      ...printComment(column.description, '    '),
      ...printColumn(column.name, typeOf(column)),
    ]),
    '  };',
  ]);
  return `${HEADER}\nexport interface Tables {\n${lines.join('\n')}\n}\n`;
}
