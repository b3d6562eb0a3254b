import { randomUUID } from 'node:crypto';
import { BYTE_ORDER_MARK } from '#contract/csv.ts';
import { SUBJECT_FILE_DAYS } from '#contract/calls/subject-requests.ts';
import { subjectFilePurpose } from '../../../auth/keyed-columns.ts';
import { sealSecret, unsealSecret } from '../../../auth/secrets-key.ts';
import { DAY_MS, dayIn, formatLongDay } from '../../../clock.ts';
import {
  type CopiedRow,
  type CopiedTable,
  describeCopiedTables,
  type Names,
  nameReferences,
  readCopiedRows,
} from './copies.queries.ts';
import { freeTextOf, type Person } from './copies.registry.ts';
import { inSchool, readInSchool, type SchoolDb } from '../../../database/school.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import { describeHoldings, TABLES } from '../registry/registry.public.ts';
import type { Services } from '../../../context.ts';
import { type StreamedFile, streamZip } from '../../../spreadsheets/zip-stream.ts';
import { runInWorker } from '../../../workers/worker-pool.ts';
import { findCurrentOrFormerMember } from '../erasure/erasure.public.ts';
import { listPeriodsOfSchool } from '../retention/retention.public.ts';
import { getSchoolRow } from '../../school/school/school.public.ts';
import { CopyDigest } from './copy-digest.service.ts';
import { nameColumn } from './copy-format.service.ts';
import { type CopyPage, csvLine, htmlPage } from './copy-page.document.ts';
import { chartReading, listPupilSections, summarisePupil } from './pupil-copy.service.ts';
import { listStaffSections, summariseStaff } from './staff-copy.service.ts';
import { arePassagesOf, blackOut } from './black-out.service.ts';
import { claimFile, findPart, finishFile, insertPart, type PartName } from './subject-file.queries.ts';
import { findPupils, type StoredRequest } from './subject-requests.queries.ts';
import { type SubjectFileJob, subjectOf } from './subject-requests.service.ts';
import { findDecisions } from './subject-texts.queries.ts';

/** Rows read at once: a pupil may have 100,000 reading sessions, each with 4,000 words. */
export const ROWS_AT_ONCE = 250;
/** Bytes of a stored part. */
const PART_BYTES = 1 << 20;
/** The limits for writing a PDF with up to 300 texts. */
const PDF_LIMITS = { cpuMs: 120_000 };

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
  timeZone: string;
  tables: readonly CopiedTable[];
}

/** Finds the person. Throws `UnusableRequest` if they have been erased, or left for another school. */
async function describeSubject(db: SchoolDb, request: StoredRequest): Promise<Subject> {
  const { kind, id } = subjectOf(request);
  const { name: school, time_zone: timeZone } = await getSchoolRow(db);
  const tables = await describeCopiedTables(db, kind);
  if (kind === 'pupil') {
    const [pupil] = await findPupils(db, [id]);
    if (!pupil) throw new UnusableRequest();
    return { person: { kind, id, email: null, emailKey: null }, name: pupil.name, school, timeZone, tables };
  }
  const member = await findCurrentOrFormerMember(db, id, { locks: false });
  if (!member) throw new UnusableRequest();
  const { name, email, emailKey } = member;
  return { person: { kind, id, email, emailKey }, name, school, timeZone, tables };
}

/** The files of the archive: two for each table with rows, then the page that explains them. */
async function* listFiles(
  services: Services,
  schoolId: number,
  request: StoredRequest,
  subject: Subject,
): AsyncGenerator<StreamedFile> {
  const digest = new CopyDigest(subject.timeZone);
  for (const table of subject.tables) {
    const read = () => readRows(services, schoolId, request, subject.person, table);
    // The first rows decide whether there is a file at all.
    const isEmpty = (await read().next()).done;
    if (isEmpty) continue;
    yield { name: `data/${table.table}.json`, content: writeJson(read(), (rows) => digest.add(table.table, rows)) };
    yield { name: `data/${table.table}.csv`, content: writeCsv(read(), table) };
  }
  const page = await readInSchool(services.database, schoolId, (db) =>
    describePage(db, services, request, subject, digest),
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
    ids[kind].push(...new Set(rows.flatMap((row) => row[column]).filter((value) => typeof value === 'number')));
  const names = await nameReferences(db, ids);
  for (const row of rows) {
    for (const { column, kind } of references) {
      const value = row[column];
      const nameOf = (id: unknown) => names[kind].get(Number(id)) ?? null;
      row[nameColumn(column)] = Array.isArray(value) ? value.map(nameOf) : nameOf(value);
    }
  }
}

/** Rows as a JSON array, a row on each line. @param collect receives the rows of each piece */
async function* writeJson(
  pieces: AsyncIterable<CopiedRow[]>,
  collect: (rows: CopiedRow[]) => void,
): AsyncGenerator<string> {
  yield '[';
  let isFirst = true;
  for await (const rows of pieces) {
    yield rows.map((row, index) => `${isFirst && index === 0 ? '' : ','}\n${JSON.stringify(row)}`).join('');
    isFirst = false;
    collect(rows);
  }
  yield '\n]\n';
}

/** Rows as CSV in UTF-8 with a byte order mark. */
async function* writeCsv(pieces: AsyncIterable<CopiedRow[]>, table: CopiedTable): AsyncGenerator<string> {
  const columns = columnsOf(table);
  yield BYTE_ORDER_MARK + csvLine(columns);
  for await (const rows of pieces) yield rows.map((row) => csvLine(columns.map((column) => row[column]))).join('');
}

/** The readable page: the person in sentences, then tables of what is stored. */
async function describePage(
  db: SchoolDb,
  { config, clock }: Services,
  request: StoredRequest,
  { name, school, timeZone, person, tables }: Subject,
  digest: CopyDigest,
): Promise<CopyPage> {
  const chosen = new Map((await listPeriodsOfSchool(db)).map(({ table_name, days }) => [table_name, days]));
  const today = dayIn(timeZone, clock.now());
  const content = {
    name,
    school,
    product: config.productName,
    today,
    digest,
    tables,
    columnsOf,
    holdings: describeHoldings(chosen, new Map(), config.backupDays),
    providers: new Map(config.signInProviders.map((provider) => [provider.id, provider.name])),
  };
  const isPupil = person.kind === 'pupil';
  return {
    product: config.productName,
    title: `Everything about ${name}`,
    subtitle: `A copy of what ${school} stores in ${config.productName}, made on ${formatLongDay(today)} for a request received on ${formatLongDay(request.received_on)}`,
    summary: isPupil ? summarisePupil(content) : summariseStaff(content),
    chart: isPupil ? chartReading(content) : null,
    about: [
      `The school decides why and how this data is used. It comes from staff of the school${isPupil ? ' and from the reading app' : ''}. No decision about ${name} is made by a computer alone.`,
      'The pages after this one show the data in tables. The folder data in the same download has every entry. Texts and words that are about other people may be left out or blacked out.',
      'You may ask the school to correct or erase the data, to limit its use, or object to it. If you are unhappy with an answer, complain to the school first. You may also complain to the Information Commissioner’s Office at ico.org.uk.',
    ],
    sections: isPupil ? listPupilSections(content) : listStaffSections(content),
  };
}
