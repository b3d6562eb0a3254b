import { parse } from 'csv-parse/sync';
import { decodeText } from '../../../spreadsheets/delimited.ts';
import { unzip, type ZipEntry } from '../../../spreadsheets/zip.ts';
import { toSchoolRecordsFile } from './oneroster-rows.service.ts';
import { type FileName, type Mode, parseMode, type Row } from './oneroster-values.service.ts';
import { type FileReading, SchoolRecordsFileError } from './file-content.service.ts';

const MAX_UNPACKED_BYTES = 60 * 1024 * 1024;
const MAX_ROWS = 100_000;
const MAX_COLUMNS_NAMED = 5;

/** The columns of the files that are read, by OneRoster 1.1 and 1.2. */
const COLUMNS: Record<FileName, string> = {
  users:
    'sourcedId status dateLastModified enabledUser orgSourcedIds role username userIds givenName familyName middleName identifier email sms phone agentSourcedIds grades password userMasterIdentifier resourceSourcedIds preferredGivenName preferredMiddleName preferredFamilyName primaryOrgSourcedId pronouns',
  roles:
    'sourcedId status dateLastModified userSourcedId roleType role beginDate endDate orgSourcedId userProfileSourcedId',
  classes:
    'sourcedId status dateLastModified title grades courseSourcedId classCode classType location schoolSourcedId termSourcedIds subjects subjectCodes periods',
  enrollments:
    'sourcedId status dateLastModified classSourcedId schoolSourcedId userSourcedId role primary beginDate endDate',
  demographics:
    'sourcedId status dateLastModified birthDate sex americanIndianOrAlaskaNative asian blackOrAfricanAmerican nativeHawaiianOrOtherPacificIslander white demographicRaceTwoOrMoreRaces hispanicOrLatinoEthnicity countryOfBirthCode stateOfBirthAbbreviation cityOfBirth publicSchoolResidenceStatus',
  orgs: 'sourcedId status dateLastModified name type identifier parentSourcedId',
};
const FILE_NAMES = Object.keys(COLUMNS) as FileName[];

/** The columns without which a file cannot be used. */
const REQUIRED: Record<FileName, readonly string[]> = {
  users: ['sourcedId', 'givenName', 'familyName'],
  roles: ['userSourcedId', 'role'],
  classes: ['sourcedId', 'title'],
  enrollments: ['classSourcedId', 'userSourcedId', 'role'],
  demographics: ['sourcedId', 'birthDate'],
  orgs: ['sourcedId', 'name'],
};

/** The manifest of a bundle, which is at the root or in one folder. */
export const isManifest = ({ name }: ZipEntry): boolean => /^([^/]+\/)?manifest\.csv$/i.test(name);

/**
 * Reads a OneRoster CSV bundle of version 1.1 or 1.2. Throws a SchoolRecordsFileError, which rejects the whole file,
 * when users may be missing.
 */
export function readOneRoster(
  content: Buffer,
  files: readonly ZipEntry[],
  options: { today: string; school: string | null },
): FileReading {
  const { modes, notes, read } = openBundle(content, files);
  const users = read('users');
  const hasRoles = modes.roles !== 'absent';
  if (modes.users === 'absent' || (!hasRoles && !users.columns.includes('role')))
    throw new SchoolRecordsFileError(
      'This bundle has no users.csv or roles.csv, and no column “role” in users.csv, so we cannot tell who is a pupil.',
    );
  const rows = {
    users: toUsers(users.rows),
    roles: hasRoles ? read('roles').rows : users.rows.flatMap(toRoles),
    classes: read('classes').rows,
    enrollments: read('enrollments').rows,
    demographics: read('demographics').rows,
    orgs: read('orgs').rows,
  };
  return toSchoolRecordsFile(rows, {
    ...options,
    isComplete: modes.users === 'bulk' && (!hasRoles || modes.roles === 'bulk'),
    notes,
    describePlace: (file, number) => `${file === 'roles' && !hasRoles ? 'users' : file}.csv, row ${number}`,
  });
}

/** The roles of a user of OneRoster 1.1, which has them in users.csv: one at each school. */
function toRoles({ number, isRagged, cells }: Row): Row[] {
  if (isRagged) return [];
  const orgs = (cells.orgSourcedIds ?? '').split(',').map((org) => org.trim());
  return orgs.map((orgSourcedId) => ({
    number,
    cells: { userSourcedId: cells.sourcedId, role: cells.role, orgSourcedId },
  }));
}

/**
 * The users, each once: some systems repeat a user for each role. A user without an ID, or with that of another, is a
 * pupil who would seem to be missing.
 */
function toUsers(rows: readonly Row[]): Row[] {
  const users = new Map<string, Row>();
  for (const row of rows) {
    const { sourcedId = '' } = row.cells;
    if (sourcedId === '' || sourcedId.length > 255)
      throw new SchoolRecordsFileError('A row of users.csv has no sourcedId, or a long one.');
    const { cells: same = row.cells } = users.get(sourcedId) ?? {};
    if (same.givenName !== row.cells.givenName || same.familyName !== row.cells.familyName)
      throw new SchoolRecordsFileError('A sourcedId is in users.csv twice, with two names.');
    if (!users.has(sourcedId)) users.set(sourcedId, row);
  }
  return [...users.values()];
}

/** Reads the manifest, and checks that the bundle is complete. */
function openBundle(content: Buffer, entries: readonly ZipEntry[]) {
  const [manifest, ...others] = entries.filter(isManifest);
  if (!manifest || others.length > 0)
    throw new SchoolRecordsFileError('There are several files called manifest.csv in this ZIP file.');
  const folder = manifest.name.slice(0, -'manifest.csv'.length).toLowerCase();
  const files = new Map<string, ZipEntry>();
  for (const entry of entries) {
    const name = entry.name.toLowerCase();
    if (files.has(name)) throw new SchoolRecordsFileError('A file is in this ZIP file twice.');
    files.set(name, entry);
  }
  const findFile = (name: string) => files.get(`${folder}${name}.csv`);
  if (['manifest', ...FILE_NAMES].reduce((sum, name) => sum + (findFile(name)?.size ?? 0), 0) > MAX_UNPACKED_BYTES)
    throw new SchoolRecordsFileError(`This bundle is larger than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB unpacked.`);
  const properties = new Map<string, string>();
  readRows(content, manifest, 'manifest.csv', ([name = '', value = '']) =>
    properties.set(name.trim().toLowerCase(), value.trim()),
  );
  if (!/^v?1\.[12](?!\d)/i.test(properties.get('oneroster.version') ?? ''))
    throw new SchoolRecordsFileError('The manifest does not state OneRoster 1.1 or 1.2, the versions that we read.');
  const notes: string[] = [];
  const modeOf = (name: FileName): Mode => {
    const stated = properties.get(`file.${name}`) ?? '';
    const mode = parseMode(stated) ?? 'delta';
    if (parseMode(stated) === undefined)
      notes.push(
        `manifest.csv: “${stated.slice(0, 20)}” for ${name}.csv is neither bulk, delta nor absent. We read it as delta, so no pupil counts as missing.`,
      );
    const isIncluded = findFile(name) !== undefined;
    // Without the names of schools, their IDs are shown.
    if ((mode === 'absent') === isIncluded && name !== 'orgs')
      throw new SchoolRecordsFileError(
        mode === 'absent'
          ? `The manifest states that ${name}.csv is absent, but it is in the bundle.`
          : `The manifest states ${name}.csv, but it is not in the bundle.`,
      );
    return mode;
  };
  const modes = Object.fromEntries(FILE_NAMES.map((name) => [name, modeOf(name)])) as Record<FileName, Mode>;
  return {
    modes,
    notes,
    read: (name: FileName): Table => {
      const entry = findFile(name);
      if (!entry) return { columns: [], rows: [] };
      const { unknown, ...table } = readTable(content, entry, name);
      if (unknown.length > 0)
        notes.push(
          `${name}.csv: we did not read these columns, because they are not those of OneRoster: ${unknown
            .slice(0, MAX_COLUMNS_NAMED)
            .map((column) => `“${column.slice(0, 40)}”`)
            .join(', ')}${unknown.length > MAX_COLUMNS_NAMED ? ' and others' : ''}.`,
        );
      return table;
    },
  };
}

interface Table {
  columns: readonly string[];
  rows: Row[];
}

/** The rows of a file by column, without columns that OneRoster does not know. */
function readTable(content: Buffer, entry: ZipEntry, name: FileName): Table & { unknown: string[] } {
  const known = new Map(COLUMNS[name].split(' ').map((column) => [column.toLowerCase(), column]));
  let header: string[] | undefined;
  let columns: (string | undefined)[] = [];
  const rows: Row[] = [];
  let isCut = false;
  readRows(content, entry, `${name}.csv`, (cells, number) => {
    if (header) {
      // Spreadsheet programs fill rows up with empty cells.
      while (cells.length > header.length && cells.at(-1)?.trim() === '') cells.pop();
      isCut = cells.length < header.length;
      rows.push(toRow(columns, cells, number));
      return;
    }
    header = cells.map((column) => column.trim());
    columns = header.map((column) => known.get(column.toLowerCase()));
  });
  const missing = REQUIRED[name].find((column) => !columns.includes(column));
  if (missing) throw new SchoolRecordsFileError(`${name}.csv has no column “${missing}”. Nothing was changed.`);
  const isIdentified = columns[0] === 'sourcedId' || !rows.some(({ isRagged }) => isRagged);
  if ((name === 'users' && !isIdentified) || (isCut && (name === 'users' || name === 'roles')))
    throw new SchoolRecordsFileError(`A row of ${name}.csv has fewer cells than columns. It may be cut off.`);
  return {
    columns: columns.filter((column) => column !== undefined),
    rows,
    unknown: (header ?? []).filter(
      (column, index) => columns[index] === undefined && !/^(metadata\..*)?$/i.test(column),
    ),
  };
}

const toRow = (columns: readonly (string | undefined)[], cells: readonly string[], number: number): Row => ({
  number,
  cells: Object.fromEntries(
    columns.flatMap((column, index) => (column === undefined ? [] : [[column, cells[index]?.trim()] as const])),
  ),
  ...(cells.length !== columns.length && { isRagged: true }),
});

/** Hands each row to a function with its number, so that the cells it drops use no memory. */
function readRows(
  content: Buffer,
  entry: ZipEntry,
  name: string,
  onRow: (cells: string[], number: number) => void,
): void {
  const unpacked = unzip(content, entry);
  const text = unpacked && decodeText(unpacked);
  if (text === undefined) throw new SchoolRecordsFileError(`${name} is damaged or not a text file.`);
  let count = 0;
  const handle = (cells: string[]) => {
    count += 1;
    if (count > MAX_ROWS)
      throw new SchoolRecordsFileError(`${name} has more than ${MAX_ROWS.toLocaleString('en-GB')} rows.`);
    onRow(cells, count);
    return null;
  };
  try {
    parse(text, { relax_column_count: true, skip_records_with_empty_values: true, on_record: handle });
  } catch (error) {
    if (error instanceof SchoolRecordsFileError) throw error;
    throw new SchoolRecordsFileError(`${name} is not valid CSV. It may be cut off.`);
  }
}
