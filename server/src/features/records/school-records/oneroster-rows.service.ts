import { type FilePupil, type SchoolRecordsFile, SchoolRecordsFileError } from './file-content.service.ts';
import { parseBirthDate } from '#contract/birth-date.ts';
import { isUpn } from '#contract/upn.ts';
import { parseYearGroup } from '#contract/year-group.ts';

const STAFF_ROLES = new Set(['teacher', 'aide', 'principal', 'siteAdministrator']);

/** A row by column, with the names of the columns in OneRoster CSV files. */
export type Row = Partial<Record<string, string>>;

/** What a OneRoster source states, from files or from a server. */
export interface OneRosterRows {
  users: readonly Row[];
  roles: readonly Row[];
  /** Without deleted ones. */
  classes: readonly Row[];
  enrollments: readonly Row[];
  demographics: readonly Row[];
}

interface ReadingOptions {
  isComplete: boolean;
  /** YYYY-MM-DD; what ended before it is left out. */
  today: string;
  /** The failure when there are pupils of several schools. */
  explainSchools: (schools: number) => string;
}

/** Finds the pupils, classes and staff in the rows of a OneRoster source. Throws a SchoolRecordsFileError. */
export function toSchoolRecordsFile(
  rows: OneRosterRows,
  { isComplete, today, explainSchools }: ReadingOptions,
): SchoolRecordsFile {
  const isCurrent = ({ beginDate, endDate }: Row) =>
    (!endDate || endDate >= today) && (!beginDate || beginDate <= today);

  const students = new Map<string, { isGone: boolean }>();
  const staffIds = new Set<string>();
  const schools = new Set<string>();
  for (const role of rows.roles) {
    const isGone = role.status === 'tobedeleted' || !isCurrent(role);
    const userId = role.userSourcedId ?? '';
    if (role.role === 'student') {
      students.set(userId, { isGone: isGone && (students.get(userId)?.isGone ?? true) });
      if (!isGone) schools.add(role.orgSourcedId ?? '');
    } else if (!isGone && STAFF_ROLES.has(role.role ?? '')) staffIds.add(userId);
  }
  if (schools.size > 1) throw new SchoolRecordsFileError(explainSchools(schools.size));

  const births = new Map(rows.demographics.map((row) => [row.sourcedId, row.birthDate ?? '']));
  const pupils = new Map<string, FilePupil>();
  let withoutRole = 0;
  for (const user of rows.users) {
    const id = user.sourcedId ?? '';
    const student = students.get(id);
    if (!student) {
      if (!staffIds.has(id)) withoutRole += 1;
      continue;
    }
    const given = user.preferredGivenName || user.givenName || '';
    const family = user.preferredFamilyName || user.familyName || '';
    pupils.set(id, {
      sourceId: id,
      name: `${given} ${family}`.trim(),
      yearGroup: parseYearGroup(user.grades ?? ''),
      classIds: [],
      upn: findUpn(user),
      birthDate: parseBirthDate(births.get(id) ?? '', today),
      isGone: user.status === 'tobedeleted' || student.isGone,
    });
  }
  const known = new Set(rows.classes.map(({ sourcedId }) => sourcedId ?? ''));
  let orphans = 0;
  for (const enrolment of rows.enrollments) {
    if (enrolment.role !== 'student' || enrolment.status === 'tobedeleted' || !isCurrent(enrolment)) continue;
    const { classSourcedId: classId = '', userSourcedId: userId = '' } = enrolment;
    // A partial bundle names pupils and classes of earlier ones.
    if (!isComplete && !pupils.has(userId)) pupils.set(userId, toUnchanged(userId));
    const pupil = pupils.get(userId);
    if (!pupil || (isComplete && !known.has(classId))) orphans += 1;
    else if (!pupil.classIds.includes(classId)) pupil.classIds.push(classId);
  }
  const used = new Set([...pupils.values()].flatMap(({ classIds }) => classIds));
  return {
    kind: 'oneroster',
    isComplete,
    pupils: [...pupils.values()],
    classes: rows.classes.flatMap(({ sourcedId = '', title = '', classType }) =>
      used.has(sourcedId) ? [{ sourceId: sourcedId, name: title, isHomeroom: classType === 'homeroom' }] : [],
    ),
    staff: rows.users.flatMap(({ sourcedId = '', givenName = '', familyName = '', email = '', status }) =>
      staffIds.has(sourcedId) && email && status !== 'tobedeleted'
        ? [{ name: `${givenName} ${familyName}`.trim(), email: email.trim() }]
        : [],
    ),
    notes: [
      ...(withoutRole > 0 ? [`People left out, because they have no role: ${withoutRole}.`] : []),
      ...(orphans > 0 ? [`Enrolments left out, because their pupil or class is missing: ${orphans}.`] : []),
    ],
  };
}

/** A pupil about whom the source states nothing: the name, class and year group here stay. */
export const toUnchanged = (sourceId: string): FilePupil => ({
  sourceId,
  name: null,
  yearGroup: null,
  classIds: [],
  upn: null,
  birthDate: null,
  isGone: false,
});

/** The UPN of a user: in `identifier`, or in `userIds` as `{UPN:…}`. */
function findUpn({ identifier = '', userIds = '' }: Row): string | null {
  const stated = [identifier, /\{UPN:([^}]{1,20})\}/i.exec(userIds)?.[1] ?? ''];
  return stated.map((text) => text.trim()).find(isUpn) ?? null;
}
