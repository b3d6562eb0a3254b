import { randomUUID } from 'node:crypto';
import { BYTE_ORDER_MARK } from '#contract/csv.ts';
import { SUBJECT_FILE_DAYS } from '#contract/calls/subject-requests.ts';
import { subjectFilePurpose } from '../../auth/keyed-columns.ts';
import { sealSecret, unsealSecret } from '../../auth/secrets-key.ts';
import { DAY_MS, dayIn, formatLongDay } from '../../clock.ts';
import {
  type CopiedRow,
  type CopiedTable,
  describeCopiedTables,
  findCurrentOrFormerMember,
  type Names,
  nameReferences,
  readCopiedRows,
} from '../../database/copies.ts';
import { freeTextOf, type Person } from '../../database/copy-registry.ts';
import { inSchool, readInSchool, type SchoolDb } from '../../database/school.ts';
import { type TableName, TABLES } from '../../database/table-registry.ts';
import type { Services } from '../../http/pipeline.ts';
import { type StreamedFile, streamZip } from '../../spreadsheets/zip-stream.ts';
import { runInWorker } from '../../workers/worker-pool.ts';
import { describeHoldings, listPeriodsOfSchool } from '../privacy/privacy.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import { type CopyPage, type CopySection, csvLine, htmlPage, toLines } from './subject-file.document.ts';
import { arePassagesOf, blackOut } from './black-out.service.ts';
import { claimFile, findPart, finishFile, insertPart, type PartName } from './subject-file.queries.ts';
import { findPupils, type StoredRequest } from './subject-requests.queries.ts';
import { type SubjectFileJob, subjectOf } from './subject-requests.service.ts';
import { findDecisions } from './subject-texts.queries.ts';

/** Rows read at once: a pupil may have 100,000 reading sessions. */
export const ROWS_AT_ONCE = 1000;
/** The rows of a table on the readable page: the last ones. */
export const ROWS_ON_PAGE = 200;
/** Bytes of a stored part. */
const PART_BYTES = 1 << 20;
/** The limits for writing a PDF with up to 200 rows of each table. */
const PDF_LIMITS = { cpuMs: 120_000, heapMb: 256 };

const LEFT_OUT = 'Left out by the school, because it is about other people too.';

/** The file cannot be made, and trying again does not help. */
class UnusableRequest extends Error {}
/** The request was closed, or another run makes the file. */
class Superseded extends Error {}

/** Makes the file of a request, and stores it in sealed parts. Does nothing if the request waits for no file. */
export async function makeFile(
  services: Services,
  { schoolId, requestId }: SubjectFileJob,
  signal?: AbortSignal,
): Promise<void> {
  const { database, config, clock } = services;
  const version = randomUUID();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + SUBJECT_FILE_DAYS * DAY_MS);
  const request = await inSchool(database, schoolId, (db) => claimFile(db, requestId, version));
  if (!request) return;
  const finish = (result: Parameters<typeof finishFile>[3]) =>
    inSchool(database, schoolId, (db) => finishFile(db, requestId, version, result));
  let part = 0;
  let size = 0;
  const store = async (content: Buffer): Promise<void> => {
    signal?.throwIfAborted();
    const sealed = sealSecret(config, subjectFilePurpose(schoolId, { requestId, version, part }), content);
    const isStored = await inSchool(database, schoolId, (db) =>
      insertPart(db, { requestId, version, part }, sealed, expiresAt),
    );
    if (!isStored) throw new Superseded();
    part += 1;
    size += content.length;
  };
  try {
    const subject = await readInSchool(database, schoolId, (db) => describeSubject(db, request));
    let waiting: Buffer[] = [];
    let bytes = 0;
    for await (const piece of streamZip(listFiles(services, schoolId, request, subject), now)) {
      waiting.push(piece);
      bytes += piece.length;
      if (bytes < PART_BYTES) continue;
      await store(Buffer.concat(waiting));
      waiting = [];
      bytes = 0;
    }
    await store(Buffer.concat(waiting));
    await finish({ file_state: 'ready', file_size: size, file_made_at: now, file_expires_at: expiresAt });
  } catch (error) {
    if (error instanceof Superseded) return;
    // A run that was stopped is done again.
    if (signal?.aborted) throw error;
    await finish({ file_state: 'failed' });
    if (!(error instanceof UnusableRequest)) throw error;
  }
}

/** Reads a file part by part, each in a transaction of its own. Throws if it is deleted meanwhile. */
export async function* readParts(
  { database, config }: Pick<Services, 'database' | 'config'>,
  schoolId: number,
  { requestId, version }: Omit<PartName, 'part'>,
): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const name = { requestId, version, part };
    const sealed = await readInSchool(database, schoolId, (db) => findPart(db, name));
    if (!sealed && part === 0) throw new Error('The file was deleted while it was being sent.');
    if (!sealed) return;
    yield unsealSecret(config, subjectFilePurpose(schoolId, name), sealed);
  }
}

/** The person whose data is copied, and the school. */
interface Subject {
  person: Person;
  name: string;
  school: string;
  tables: readonly CopiedTable[];
}

/** Finds the person. Throws `UnusableRequest` if they have been erased, or left for another school. */
async function describeSubject(db: SchoolDb, request: StoredRequest): Promise<Subject> {
  const { kind, id } = subjectOf(request);
  const school = (await getSchoolRow(db)).name;
  const tables = await describeCopiedTables(db, kind);
  if (kind === 'pupil') {
    const [pupil] = await findPupils(db, [id]);
    if (!pupil) throw new UnusableRequest();
    return { person: { kind, id, email: null, emailKey: null }, name: pupil.name, school, tables };
  }
  const member = await findCurrentOrFormerMember(db, id, { locks: false });
  if (!member) throw new UnusableRequest();
  const { name, email, emailKey } = member;
  return { person: { kind, id, email, emailKey }, name, school, tables };
}

/** The files of the archive: two for each table with rows, then the page that explains them. */
async function* listFiles(
  services: Services,
  schoolId: number,
  request: StoredRequest,
  subject: Subject,
): AsyncGenerator<StreamedFile> {
  const shown = new Map<TableName, { rows: CopiedRow[]; total: number }>();
  for (const table of subject.tables) {
    const read = () => readRows(services, schoolId, request, subject.person, table);
    const last = { rows: [] as CopiedRow[], total: 0 };
    // The first rows decide whether there is a file at all.
    const isEmpty = (await read().next()).done;
    if (isEmpty) continue;
    yield { name: `data/${table.table}.json`, content: writeJson(read(), last) };
    yield { name: `data/${table.table}.csv`, content: writeCsv(read(), table) };
    shown.set(table.table, last);
  }
  const page = await readInSchool(services.database, schoolId, (db) =>
    describePage(db, services, request, subject, shown),
  );
  yield { name: 'read-me-first.html', content: [htmlPage(page)] };
  yield { name: 'read-me-first.pdf', content: [await runInWorker('renderCopy', page, PDF_LIMITS)] };
}

/** The rows of a table about a person, in pieces, with the names that their numbers stand for. */
async function* readRows(
  { database }: Services,
  schoolId: number,
  { id: requestId }: StoredRequest,
  person: Person,
  table: CopiedTable,
): AsyncGenerator<CopiedRow[]> {
  let after: readonly string[] | undefined;
  do {
    const { rows, next } = await readInSchool(database, schoolId, async (db) => {
      const found = await readCopiedRows(db, table, person, after, ROWS_AT_ONCE);
      if (person.kind === 'pupil') await applyDecisions(db, requestId, table.table, found.rows);
      await addNames(db, table, found.rows);
      return found;
    });
    if (rows.length > 0) yield rows;
    after = next;
  } while (after);
}

/** Replaces texts that are left out, and passages that are blacked out. Throws `UnusableRequest` at a text that was written since an admin decided. */
async function applyDecisions(db: SchoolDb, requestId: number, table: TableName, rows: CopiedRow[]): Promise<void> {
  const text = freeTextOf(table);
  if (!text || rows.length === 0) return;
  const decisions = await findDecisions(
    db,
    requestId,
    table,
    rows.map(({ id }) => Number(id)),
  );
  for (const row of rows) {
    if (row[text.column] === null) continue;
    const decision = decisions.get(Number(row.id));
    const content = String(row[text.column]);
    if (!decision || !arePassagesOf(content, decision.passages)) throw new UnusableRequest();
    row[text.column] = decision.isIncluded ? blackOut(content, decision.passages) : LEFT_OUT;
  }
}

const REFERENCES: Readonly<Record<string, keyof Names>> = {
  book_id: 'books',
  class_id: 'classes',
  archived_from: 'classes',
  tag_id: 'tags',
};

/** What a column's numbers refer to; undefined for other columns. */
function referenceOf(table: TableName, column: string): keyof Names | undefined {
  const { people = [], user } = TABLES[table] as { people?: readonly string[]; user?: string };
  if (column in REFERENCES) return REFERENCES[column];
  return (people.includes(column) || column === user) && !/pupil|^id$/.test(column) ? 'users' : undefined;
}

const nameColumn = (column: string): string => `${column.replace(/_id$/, '')}_name`;

/** The columns of a table in the file: those that are copied, and the names that numbers stand for. */
const columnsOf = ({ table, columns }: CopiedTable): string[] => [
  ...columns,
  ...columns.filter((column) => referenceOf(table, column)).map(nameColumn),
];

/** Adds the names that numbers stand for. Other pupils are not even listed by number. */
async function addNames(db: SchoolDb, { table, columns }: CopiedTable, rows: CopiedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ids: Record<keyof Names, number[]> = { users: [], books: [], classes: [], tags: [] };
  const references = columns.flatMap((column) => {
    const kind = referenceOf(table, column);
    return kind ? { column, kind } : [];
  });
  for (const { column, kind } of references)
    ids[kind].push(...new Set(rows.flatMap((row) => (typeof row[column] === 'number' ? row[column] : []))));
  const names = await nameReferences(db, ids);
  for (const row of rows) {
    for (const { column, kind } of references) row[nameColumn(column)] = names[kind].get(Number(row[column])) ?? null;
    if (typeof row.details === 'object' && row.details !== null) delete (row.details as CopiedRow).pupils;
  }
}

/** Rows as a JSON array, a row on each line. @param last receives the last rows and their number */
async function* writeJson(
  pieces: AsyncIterable<CopiedRow[]>,
  last: { rows: CopiedRow[]; total: number },
): AsyncGenerator<string> {
  yield '[';
  for await (const rows of pieces) {
    yield rows.map((row, index) => `${last.total + index > 0 ? ',' : ''}\n${JSON.stringify(row)}`).join('');
    last.total += rows.length;
    last.rows = [...last.rows, ...rows].slice(-ROWS_ON_PAGE);
  }
  yield '\n]\n';
}

/** Rows as CSV in UTF-8 with a byte order mark. */
async function* writeCsv(pieces: AsyncIterable<CopiedRow[]>, table: CopiedTable): AsyncGenerator<string> {
  const columns = columnsOf(table);
  yield BYTE_ORDER_MARK + csvLine(columns);
  for await (const rows of pieces) yield rows.map((row) => csvLine(columns.map((column) => row[column]))).join('');
}

/** The page that explains the data: for each kind what it is, why, for how long, and the last rows. */
async function describePage(
  db: SchoolDb,
  { config, clock }: Services,
  request: StoredRequest,
  { name, school, person, tables }: Subject,
  shown: ReadonlyMap<TableName, { rows: CopiedRow[]; total: number }>,
): Promise<CopyPage> {
  const chosen = new Map((await listPeriodsOfSchool(db)).map(({ table_name, days }) => [table_name, days]));
  const holdings = new Map(
    describeHoldings(chosen, new Map(), config.backupDays).map((holding) => [holding.name, holding]),
  );
  const providers = new Map(config.signInProviders.map((provider) => [provider.id, provider.name]));
  const byHolding = Map.groupBy(
    tables.filter(({ table }) => shown.has(table)),
    ({ table }) => TABLES[table].holding,
  );
  const sections: CopySection[] = [...byHolding].flatMap(([holdingName, copied]) => {
    const holding = holdings.get(holdingName);
    if (!holding) return [];
    const { title, contents, purpose, recipients, kept } = holding;
    return {
      title,
      facts: [
        ['What', contents],
        ['Why', purpose],
        ['Who receives it', recipients.replace(/\bour\b/gi, `${config.productName}’s`)],
        ['How long', kept],
      ],
      tables: copied.map((table) => {
        const { rows, total } = shown.get(table.table) ?? { rows: [], total: 0 };
        return { file: table.table, total, rows: rows.map((row) => toLines(row, columnsOf(table), providers)) };
      }),
    };
  });
  return {
    product: config.productName,
    title: `Everything about ${name}`,
    school,
    date: formatLongDay(dayIn('Europe/London', clock.now())),
    receivedOn: formatLongDay(request.received_on),
    isPupil: person.kind === 'pupil',
    sections,
  };
}
