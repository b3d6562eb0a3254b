import { parse } from 'csv-parse/sync';
import { decodeText } from '../../../spreadsheets/delimited.ts';
import { listZip, unzip, type ZipEntry } from '../../../spreadsheets/zip.ts';
import { type Row, toSchoolRecordsFile } from './oneroster-rows.service.ts';
import { type SchoolRecordsFile, SchoolRecordsFileError } from './file-content.service.ts';

const MAX_ENTRIES = 100;
const MAX_UNPACKED_BYTES = 60 * 1024 * 1024;
const MAX_ROWS = 100_000;

/** The columns of the files that are read, by OneRoster 1.2. Further ones must begin with `metadata.`. */
const COLUMNS = {
  users:
    'sourcedId status dateLastModified enabledUser username userIds givenName familyName middleName identifier email sms phone agentSourcedIds grades password userMasterIdentifier resourceSourcedIds preferredGivenName preferredMiddleName preferredFamilyName primaryOrgSourcedId pronouns',
  roles:
    'sourcedId status dateLastModified userSourcedId roleType role beginDate endDate orgSourcedId userProfileSourcedId',
  classes:
    'sourcedId status dateLastModified title grades courseSourcedId classCode classType location schoolSourcedId termSourcedIds subjects subjectCodes periods',
  enrollments:
    'sourcedId status dateLastModified classSourcedId schoolSourcedId userSourcedId role primary beginDate endDate',
  demographics:
    'sourcedId status dateLastModified birthDate sex americanIndianOrAlaskaNative asian blackOrAfricanAmerican nativeHawaiianOrOtherPacificIslander white demographicRaceTwoOrMoreRaces hispanicOrLatinoEthnicity countryOfBirthCode stateOfBirthAbbreviation cityOfBirth publicSchoolResidenceStatus',
} as const;
type FileName = keyof typeof COLUMNS;

/** The columns without which a file cannot be used. */
const REQUIRED: Record<FileName, readonly string[]> = {
  users: ['sourcedId', 'givenName', 'familyName'],
  roles: ['sourcedId', 'userSourcedId', 'role', 'orgSourcedId'],
  classes: ['sourcedId', 'title'],
  enrollments: ['sourcedId', 'classSourcedId', 'userSourcedId', 'role'],
  demographics: ['sourcedId', 'birthDate'],
};

type Mode = 'bulk' | 'delta' | 'absent';

/** Reads a OneRoster 1.2 CSV bundle. Throws a SchoolRecordsFileError, which rejects the whole file. */
export function readOneRoster(content: Buffer, today: string): SchoolRecordsFile {
  const bundle = openBundle(content);
  const users = bundle.read('users');
  const roles = bundle.read('roles');
  const modes = bundle.modes;
  if (modes.users === 'absent' || modes.roles === 'absent')
    throw new SchoolRecordsFileError('This bundle has no users.csv or roles.csv, so we cannot tell who is a pupil.');
  const isComplete = modes.users === 'bulk' && modes.roles === 'bulk';
  assertUnique(users, 'users.csv');
  const classes = bundle.read('classes').filter(({ status }) => status !== 'tobedeleted');
  assertUnique(classes, 'classes.csv');
  const rows = {
    users,
    roles,
    classes,
    enrollments: bundle.read('enrollments'),
    demographics: bundle.read('demographics'),
  };
  return toSchoolRecordsFile(rows, {
    isComplete,
    today,
    explainSchools: (schools) => `This bundle has pupils of ${schools} schools. Export one school at a time.`,
  });
}

function assertUnique(rows: readonly Row[], name: string): void {
  const seen = new Set<string>();
  for (const { sourcedId = '' } of rows) {
    if (sourcedId === '' || sourcedId.length > 255)
      throw new SchoolRecordsFileError(`A row of ${name} has no sourcedId, or a long one.`);
    if (seen.has(sourcedId)) throw new SchoolRecordsFileError(`A sourcedId is in ${name} twice.`);
    seen.add(sourcedId);
  }
}

/** Reads the manifest, which is at the root or in one folder, and checks that the bundle is complete. */
function openBundle(content: Buffer) {
  const entries = listZip(content);
  if (!entries) throw new SchoolRecordsFileError('This ZIP file is damaged or incomplete.');
  if (entries.length > MAX_ENTRIES)
    throw new SchoolRecordsFileError(`This ZIP file has more than ${MAX_ENTRIES} files.`);
  if (entries.some(({ encrypted }) => encrypted)) throw new SchoolRecordsFileError('This ZIP file has a password.');
  const manifests = entries.filter(
    ({ name }) => /^([^/]+\/)?manifest\.csv$/.test(name) && !name.startsWith('__MACOSX/'),
  );
  const [manifest] = manifests;
  if (!manifest || manifests.length > 1)
    throw new SchoolRecordsFileError('There is no manifest.csv in this ZIP file, so it is not a OneRoster bundle.');
  const folder = manifest.name.slice(0, -'manifest.csv'.length);
  const files = new Map<string, ZipEntry>();
  for (const entry of entries) {
    if (files.has(entry.name)) throw new SchoolRecordsFileError('A file is in this ZIP file twice.');
    files.set(entry.name, entry);
  }
  const names = ['manifest', ...Object.keys(COLUMNS)].map((name) => `${folder}${name}.csv`);
  if (names.reduce((sum, name) => sum + (files.get(name)?.size ?? 0), 0) > MAX_UNPACKED_BYTES)
    throw new SchoolRecordsFileError(`This bundle is larger than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB unpacked.`);
  const properties = new Map<string, string>();
  readRows(content, manifest, 'manifest.csv', ([name = '', value = '']) => properties.set(name, value));
  const version = properties.get('oneroster.version')?.trim();
  if (version !== '1.2')
    throw new SchoolRecordsFileError('The manifest does not state OneRoster 1.2, the version that we read.');
  const modeOf = (name: FileName): Mode => {
    const mode = properties.get(`file.${name}`)?.trim() || 'absent';
    if (mode !== 'bulk' && mode !== 'delta' && mode !== 'absent')
      throw new SchoolRecordsFileError(`The manifest states neither bulk, delta nor absent for ${name}.csv.`);
    if ((mode === 'absent') === files.has(`${folder}${name}.csv`))
      throw new SchoolRecordsFileError(
        mode === 'absent'
          ? `The manifest states that ${name}.csv is absent, but it is in the bundle.`
          : `The manifest states ${name}.csv, but it is not in the bundle.`,
      );
    return mode;
  };
  const modes: Record<FileName, Mode> = {
    users: modeOf('users'),
    roles: modeOf('roles'),
    classes: modeOf('classes'),
    enrollments: modeOf('enrollments'),
    demographics: modeOf('demographics'),
  };
  return {
    modes,
    read: (name: FileName): Row[] => {
      const entry = files.get(`${folder}${name}.csv`);
      return entry ? readTable(content, entry, name) : [];
    },
  };
}

/**
 * The rows of a file by column, without `metadata.` columns. Any other column that OneRoster does not know rejects the
 * bundle: it may be a misspelt one.
 */
function readTable(content: Buffer, entry: ZipEntry, name: FileName): Row[] {
  let columns: readonly string[] | undefined;
  const rows: Row[] = [];
  readRows(content, entry, `${name}.csv`, (cells) => {
    if (!columns) columns = readHeader(cells, name);
    else if (cells.length === columns.length) rows.push(toRow(columns, cells));
    else
      throw new SchoolRecordsFileError(`A row of ${name}.csv has more or fewer cells than columns. It may be cut off.`);
  });
  if (!columns) readHeader([], name);
  return rows;
}

const isMetadata = (column: string): boolean => column.startsWith('metadata.');

const toRow = (columns: readonly string[], cells: readonly string[]): Row =>
  Object.fromEntries(
    columns.flatMap((column, index) => (isMetadata(column) ? [] : [[column, cells[index]?.trim()] as const])),
  );

function readHeader(cells: readonly string[], name: FileName): readonly string[] {
  const columns = cells.map((column) => column.trim());
  const known = COLUMNS[name].split(' ');
  const unknown = columns.find((column) => !known.includes(column) && !isMetadata(column));
  if (unknown !== undefined)
    throw new SchoolRecordsFileError(
      `${name}.csv has the unknown column “${unknown.slice(0, 40)}”. Nothing was changed.`,
    );
  const missing = REQUIRED[name].find((column) => !columns.includes(column));
  if (missing) throw new SchoolRecordsFileError(`${name}.csv has no column “${missing}”. Nothing was changed.`);
  return columns;
}

/** Hands each row to a function, so that the cells it drops use no memory. */
function readRows(content: Buffer, entry: ZipEntry, name: string, onRow: (cells: string[]) => void): void {
  const unpacked = unzip(content, entry);
  const text = unpacked && decodeText(unpacked);
  if (text === undefined) throw new SchoolRecordsFileError(`${name} is damaged or not a text file.`);
  let count = 0;
  const handle = (cells: string[]) => {
    count += 1;
    if (count > MAX_ROWS)
      throw new SchoolRecordsFileError(`${name} has more than ${MAX_ROWS.toLocaleString('en-GB')} rows.`);
    onRow(cells);
    return null;
  };
  try {
    parse(text, { relax_column_count: true, skip_empty_lines: true, on_record: handle });
  } catch (error) {
    if (error instanceof SchoolRecordsFileError) throw error;
    throw new SchoolRecordsFileError(`${name} is not valid CSV. It may be cut off.`);
  }
}
