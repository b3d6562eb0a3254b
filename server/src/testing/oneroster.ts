import { zip } from './zip.ts';

export interface BundlePupil {
  id: string;
  given: string;
  family: string;
  classes?: readonly string[];
  grade?: string;
  birth?: string;
  upn?: string;
  status?: string;
}

export interface BundleContent {
  pupils: readonly BundlePupil[];
  /** Homerooms by ID, or other classes with `scheduled`. */
  classes?: readonly { id: string; title: string; type?: string }[];
  staff?: readonly { id: string; given: string; family: string; email: string }[];
  mode?: 'bulk' | 'delta';
}

const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');

/** The files of a OneRoster 1.2 bundle. */
export function bundleFiles({
  pupils,
  classes = [],
  staff = [],
  mode = 'bulk',
}: BundleContent): Record<string, string> {
  const enrolments = pupils.flatMap(({ id, classes: own = [] }) => own.map((classId) => [id, classId] as const));
  return {
    'manifest.csv': csv([
      ['propertyName', 'value'],
      ['manifest.version', '1.0'],
      ['oneroster.version', '1.2'],
      ...['users', 'roles', 'classes', 'enrollments', 'demographics'].map((name) => [`file.${name}`, mode]),
      ['file.orgs', 'absent'],
    ]),
    'users.csv': csv([
      [
        'sourcedId',
        'status',
        'dateLastModified',
        'enabledUser',
        'givenName',
        'familyName',
        'identifier',
        'email',
        'grades',
      ],
      // oxfmt-ignore
      ...pupils.map(({ id, status = '', given, family, upn = '', grade = '03' }) => [id, status, '', 'true', given, family, upn, '', grade]),
      ...staff.map(({ id, given, family, email }) => [id, '', '', 'true', given, family, '', email, '']),
    ]),
    'roles.csv': csv([
      ['sourcedId', 'status', 'dateLastModified', 'userSourcedId', 'roleType', 'role', 'orgSourcedId'],
      ...pupils.map(({ id }) => [`r-${id}`, '', '', id, 'primary', 'student', 'org']),
      ...staff.map(({ id }) => [`r-${id}`, '', '', id, 'primary', 'teacher', 'org']),
    ]),
    'classes.csv': csv([
      ['sourcedId', 'status', 'dateLastModified', 'title', 'classType', 'schoolSourcedId'],
      ...classes.map(({ id, title, type = 'homeroom' }) => [id, '', '', title, type, 'org']),
    ]),
    'enrollments.csv': csv([
      ['sourcedId', 'status', 'dateLastModified', 'classSourcedId', 'schoolSourcedId', 'userSourcedId', 'role'],
      ...enrolments.map(([id, classId]) => [`e-${id}-${classId}`, '', '', classId, 'org', id, 'student']),
    ]),
    'demographics.csv': csv([
      ['sourcedId', 'status', 'dateLastModified', 'birthDate'],
      ...pupils.flatMap(({ id, birth }) => (birth ? [[id, '', '', birth]] : [])),
    ]),
  };
}

/** A OneRoster 1.2 bundle as a ZIP file. */
export const oneRosterBundle = (content: BundleContent): Buffer => zip(bundleFiles(content));

/** A Common Transfer File. */
export const transferFile = (
  pupils: readonly {
    upn?: string;
    forename: string;
    surname: string;
    birth?: string;
    year?: string;
    className?: string;
  }[],
): string => `<?xml version="1.0" encoding="UTF-8"?>
<CTfile><Header><DocumentName>Common Transfer File</DocumentName><CTFversion>25.0</CTFversion></Header><CTFpupilData>${pupils
  .map(
    ({ upn, forename, surname, birth, year, className }) =>
      `<Pupil>${upn ? `<UPN>${upn}</UPN>` : ''}<Surname>${surname}</Surname><Forename>${forename}</Forename>${
        birth ? `<DOB>${birth}</DOB>` : ''
      }<Sex>F</Sex><BasicDetails>${year ? `<NCyearActual>${year}</NCyearActual>` : ''}${
        className ? `<RegGroup>${className}</RegGroup>` : ''
      }</BasicDetails><Address><Street>CANARY STREET</Street></Address></Pupil>`,
  )
  .join('')}</CTFpupilData></CTfile>`;
