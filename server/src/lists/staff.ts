import content from '#content/header-words.json' with { type: 'json' };
import { type AssignableRole, ASSIGNABLE_ROLES } from '#contract/permissions.ts';
import { type ListSource, readSource, type Sheet, type Workbook } from '../spreadsheets/workbook.ts';
import { share } from './columns.ts';
import { readHeader, toWords } from './header-words.ts';
import { looksLikeFullName, looksLikeName, startsWithFirstName, swapName, withoutTitle } from './names.ts';
import { tidyWorkbook } from './tidy.ts';

declare module '../workers/worker-pool.ts' {
  interface WorkerTasks {
    readStaffFile: typeof readStaffFile;
  }
}

/** A person in a list of staff, not validated. */
export interface StaffEntry {
  sheet: string;
  row: number;
  name: string;
  /** The school’s own address, if the person has several. */
  email: string;
  otherEmails: string[];
  /** By the role or job in the list; `teacher` without one. */
  role: AssignableRole;
  /** Why the list speaks against inviting them. */
  why: 'not_active' | 'pupil' | null;
}

const WORDS = Object.fromEntries(
  Object.entries(content.staff).flatMap(([kind, words]) =>
    Array.isArray(words) ? [[kind, new Set(words.map(toWords))]] : [],
  ),
) as Record<Exclude<keyof typeof content.staff, 'comment'>, Set<string>>;

const tidy = (cell: string | undefined): string => (cell ?? '').replace(/\s+/g, ' ').trim();
const headerOf = (text: string | undefined): string => toWords((text ?? '').replace(/[([][^)\]]*[)\]]/g, ' '));
const isNo = (cell: string): boolean => /^(?:n|no|false|0|f)$/i.test(cell);
const isYes = (cell: string): boolean => /^(?:y|yes|true|1|t)$/i.test(cell);
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();
/** The first address in a cell, such as `Helen Marwood <h.marwood@school.example>`. */
const addressIn = (cell: string): string => /[^\s<>,;:"()]+@[^\s<>,;:"()]+/.exec(cell)?.[0] ?? '';

interface StaffColumns {
  firstRow: number;
  headers: string[];
  /** The columns of addresses, those of work before others. */
  emails: number[];
  /** The columns of the name, first names before surnames. */
  names: number[];
  isSurnameFirst: boolean;
}

/** Understands the columns of a sheet of staff; undefined without addresses. */
function findColumns({ rows }: Sheet, ownDomains: ReadonlySet<string>): StaffColumns | undefined {
  const firstRow = rows.findIndex(({ cells }) => cells.some((cell) => addressIn(cell) !== ''));
  if (firstRow < 0) return undefined;
  const people = rows.slice(firstRow);
  const header = rows.slice(0, firstRow).findLast(({ cells }) => cells.some((cell) => isKnownHeader(headerOf(cell))));
  const width = Math.max(...people.map(({ cells }) => cells.length));
  const headers = Array.from({ length: width }, (_, index) => headerOf(header?.cells[index]));
  const columnOf = (index: number) => people.map(({ cells }) => tidy(cells[index])).filter(Boolean);
  const rankEmails = (index: number): number => {
    const words = (headers[index] ?? '').split(' ');
    const own = share(columnOf(index), (cell) => ownDomains.has(domainOf(addressIn(cell))));
    const atWork = words.some((word) => WORDS.work_address.has(word)) ? 1 : 0;
    const atHome = words.some((word) => WORDS.home_address.has(word)) ? 1 : 0;
    return own * 4 + atWork - atHome * 2 - index / 100;
  };
  const emails = Array.from({ length: width }, (_, index) => index)
    .filter((index) => columnOf(index).some((cell) => addressIn(cell) !== ''))
    .toSorted((left, right) => rankEmails(right) - rankEmails(left));
  const given = header?.cells.map((cell) => readHeader(cell, [])) ?? [];
  const [first, last] = [given.indexOf('first_name'), given.indexOf('last_name')];
  const isSurnameFirst = given.includes('surname_first');
  const whole = Math.max(given.indexOf('name'), given.indexOf('surname_first'));
  const ofStaff = headers.findIndex((text) => WORDS.name.has(text) || /^(?:staff|teacher|employee) name$/.test(text));
  const named = [first, last].filter((index) => index >= 0);
  const names =
    named.length === 2
      ? named
      : whole >= 0
        ? [whole]
        : ofStaff >= 0
          ? [ofStaff]
          : named.length === 1
            ? named
            : guessNames(width, emails, columnOf);
  return { firstRow, headers, emails, names, isSurnameFirst };
}

/** Whether a header is one of a list of staff. */
function isKnownHeader(header: string): boolean {
  return /\be ?mail\b|\baddress\b/.test(header) || WORDS.name.has(header) || readHeader(header, []) !== undefined;
}

/** The columns of the name by what is in them: whole names, or a first name and a surname side by side. */
function guessNames(width: number, emails: readonly number[], columnOf: (index: number) => string[]): number[] {
  const candidates = Array.from({ length: width }, (_, index) => index).filter(
    (index) => !emails.includes(index) && share(columnOf(index), looksLikeName) > 0.6,
  );
  const whole = candidates.find((index) => share(columnOf(index), looksLikeFullName) > 0.5);
  if (whole !== undefined) return [whole];
  const pair = candidates.filter((index) => new Set(columnOf(index)).size > columnOf(index).length / 2).slice(0, 2);
  const [left, right] = pair;
  if (left === undefined || right === undefined) return pair;
  return share(columnOf(right), startsWithFirstName) > share(columnOf(left), startsWithFirstName)
    ? [right, left]
    : pair;
}

/** Why the other cells of a person’s row speak against inviting them. */
function findWhy(cells: readonly string[], headers: readonly string[]): StaffEntry['why'] {
  for (const [index, header] of headers.entries()) {
    const cell = tidy(cells[index]);
    if (cell === '' || header === '') continue;
    const text = toWords(cell);
    if (WORDS.status.has(header) && WORDS.not_active.has(text)) return 'not_active';
    if (WORDS.active_if_yes.has(header) && isNo(cell)) return 'not_active';
    if (WORDS.active_if_no.has(header) && isYes(cell)) return 'not_active';
    if (!WORDS.group.has(header)) continue;
    const parts = cell.split(/[/\\,;|>]/).map(toWords);
    if (parts.some((part) => WORDS.pupil.has(part) || WORDS.pupil.has(part.split(' ')[0] ?? ''))) return 'pupil';
  }
  return null;
}

/** The role that a cell of a role or a job names. The job title of an administrator does not count: that person works in the office. */
function readRole(text: string, isJob: boolean): AssignableRole | undefined {
  if (WORDS.head.has(text) || (!isJob && WORDS.admin.has(text))) return 'admin';
  return ASSIGNABLE_ROLES.find(
    (role) => role in WORDS && WORDS[role as keyof typeof WORDS].has(text) && role !== 'admin',
  );
}

/** The role of a person, by the columns of roles before those of jobs. */
function findRole(cells: readonly string[], headers: readonly string[]): AssignableRole {
  const named = ([WORDS.role, WORDS.job] as const).flatMap((words) =>
    headers.flatMap((header, index) =>
      words.has(header) ? (readRole(toWords(tidy(cells[index])), words === WORDS.job) ?? []) : [],
    ),
  );
  return named.includes('admin') ? 'admin' : (named[0] ?? 'teacher');
}

function readSheet(sheet: Sheet, ownDomains: ReadonlySet<string>): StaffEntry[] {
  const columns = findColumns(sheet, ownDomains);
  if (!columns) return [];
  const { firstRow, headers, emails, names, isSurnameFirst } = columns;
  return sheet.rows.slice(firstRow).flatMap(({ row, cells }) => {
    const addresses = emails.map((index) => addressIn(tidy(cells[index]))).filter(Boolean);
    const [email = tidy(cells[emails[0] ?? -1]), ...otherEmails] = new Set(addresses);
    if (email === '') return [];
    const written = names.map((index) => tidy(cells[index])).filter(Boolean);
    const name = withoutTitle(swapName(written.join(' '), isSurnameFirst && written.length === 1));
    return [
      {
        sheet: sheet.name,
        row,
        name,
        email,
        otherEmails,
        role: findRole(cells, headers),
        why: findWhy(cells, headers),
      },
    ];
  });
}

/** The same for a file or pasted text. Run it in a worker: it may take long. Throws an UnreadableFile. */
export const readStaffFile = ({
  source,
  ownDomains,
}: {
  source: ListSource;
  ownDomains: ReadonlySet<string>;
}): StaffEntry[] => readStaffList(readSource(source), ownDomains);

/** The people in a list of staff. `ownDomains`: of the school’s addresses, in lower case. */
export const readStaffList = (book: Workbook, ownDomains: ReadonlySet<string>): StaffEntry[] =>
  tidyWorkbook(book)
    .sheets.filter(({ hidden }) => !hidden)
    .flatMap((sheet) => readSheet({ ...sheet, rows: sheet.rows.filter(({ isHidden }) => !isHidden) }, ownDomains));
