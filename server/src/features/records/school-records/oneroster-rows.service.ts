import { toBirthDate } from '#contract/birth-date.ts';
import { isUpn } from '#contract/upn.ts';
import type { FilePupil, FileReading, SchoolOption } from './file-content.service.ts';
import { findSchools, type RoleRecord, selectSchool } from './oneroster-schools.service.ts';
import {
  dateColumn,
  type FileName,
  parseGrades,
  type Parsed,
  parseRole,
  parseStatus,
  type Row,
} from './oneroster-values.service.ts';
import { RecordFaults } from './record-faults.service.ts';

/** What a OneRoster source states, from files or from a server. */
export type OneRosterRows = Record<FileName, readonly Row[]>;

interface ReadingOptions {
  isComplete: boolean;
  /** YYYY-MM-DD; what ended before it is left out. */
  today: string;
  /** The ID of the school to read, of several; null without a choice. */
  school: string | null;
  /** What is wrong with the source as a whole. */
  notes?: readonly string[];
  /** Where a record is: `users.csv, row 12`. */
  describePlace: (file: FileName, number: number) => string;
}

/**
 * Finds the pupils, classes and staff in the rows of a OneRoster source. A record that cannot be read is left out and
 * named in the notes; a known pupil with one stays unchanged.
 */
export function toSchoolRecordsFile(rows: OneRosterRows, options: ReadingOptions): FileReading {
  const faults = new RecordFaults();
  const parser = makeParser(rows, options, faults);
  const roles = parser.readRoles();
  const schools = findSchools(roles, rows);
  const isUndecided = options.school === null ? schools.length > 1 : !isAmong(schools, options.school);
  if (schools.length > 0 && isUndecided) return { schools, file: null };
  const people = selectSchool(roles, schools, options.school);
  const pupils = parser.readPupils(people);
  const classes = parser.readClasses();
  const enrolmentNotes = parser.addEnrolments(pupils, classes, people.isElsewhere);
  const used = new Set([...pupils.values()].flatMap(({ classIds }) => classIds));
  const chosen = options.school !== null && schools.find(({ source_id: id }) => id === options.school);
  return {
    schools,
    file: {
      kind: 'oneroster',
      isComplete: options.isComplete,
      pupils: [...pupils.values()],
      classes: classes.flatMap(({ org: _, ...schoolClass }) => (used.has(schoolClass.sourceId) ? [schoolClass] : [])),
      ...parser.readStaff(people),
      notes: [
        ...(chosen && schools.length > 1
          ? [`Only the pupils of one school of ${schools.length} were read: ${chosen.name}.`]
          : []),
        ...(options.notes ?? []),
        ...countNote('Pupils who are no longer at the school, because their role has ended', people.ended),
        ...countNote('Pupils who are not yet at the school, because their role begins later', people.early),
        ...enrolmentNotes,
        ...faults.toNotes(),
      ],
    },
  };
}

const isAmong = (schools: readonly SchoolOption[], id: string) => schools.some((school) => school.source_id === id);
const countNote = (text: string, count: number) => (count > 0 ? [`${text}: ${count.toLocaleString('en-GB')}.`] : []);

/** When something applies. */
type Period = 'ended' | 'current' | 'early';

function makeParser(rows: OneRosterRows, { today, isComplete, describePlace }: ReadingOptions, faults: RecordFaults) {
  /** Users whose record cannot be read: nothing changes for those who are known pupils. */
  const leftOut = new Set<string>();
  const faultIn = (file: FileName, row: Row, fault: string) => `${describePlace(file, row.number)}: ${fault}`;
  const makePeriodParser = (file: 'roles' | 'enrollments') => {
    const begin = dateColumn(rows[file], 'beginDate', today);
    const end = dateColumn(rows[file], 'endDate', today);
    return (row: Row): Parsed<Period> => {
      const status = row.isRagged ? RAGGED : parseStatus(row);
      if ('fault' in status) return status;
      const from = begin(row);
      if ('fault' in from) return from;
      const until = end(row);
      if ('fault' in until) return until;
      if (status.value === 'tobedeleted' || (until.value ?? today) < today) return { value: 'ended' };
      return { value: (from.value ?? today) > today ? 'early' : 'current' };
    };
  };

  return {
    readRoles: (): RoleRecord[] => {
      const readPeriod = makePeriodParser('roles');
      return rows.roles.map((row): RoleRecord => {
        const { userSourcedId: userId = '', role: roleText = '', orgSourcedId: org = '' } = row.cells;
        const role = row.isRagged ? RAGGED : parseRole(roleText);
        const period = readPeriod(row);
        if ('value' in role && 'value' in period) return { userId, org, role: role.value, period: period.value };
        const fault = 'fault' in role ? role.fault : 'fault' in period ? period.fault : '';
        const isStudent = 'value' in role && role.value === 'student';
        faults.leaveOut(faultIn('roles', row, fault), isStudent ? 'pupil' : 'person');
        return 'value' in role
          ? { userId, org, role: role.value, period: null }
          : { userId, org, role: 'student', isRoleUnknown: true, period: null };
      });
    },

    /** The pupils by their IDs. A user whose role is unknown may be one, and is unchanged. */
    readPupils: ({ students, isUnreadable, hasRole }: ReturnType<typeof selectSchool>): Map<string, FilePupil> => {
      const readBirth = dateColumn(rows.demographics, 'birthDate', today);
      const births = new Map(rows.demographics.map((row) => [row.cells.sourcedId, row]));
      const pupils = new Map<string, FilePupil>();
      for (const row of rows.users) {
        const { cells } = row;
        const id = cells.sourcedId ?? '';
        const student = students.get(id);
        const leaveOut = (fault: string) => {
          faults.leaveOut(faultIn('users', row, fault), 'pupil');
          leftOut.add(id);
        };
        if (row.isRagged) {
          leaveOut(RAGGED.fault);
          continue;
        }
        if (isUnreadable(id)) {
          leftOut.add(id);
          continue;
        }
        if (!student) {
          if (!hasRole(id)) leaveOut('no role is stated for this user.');
          continue;
        }
        const status = parseStatus(row);
        const given = cells.preferredGivenName || cells.givenName || '';
        const family = cells.preferredFamilyName || cells.familyName || '';
        const isGone = ('value' in status && status.value === 'tobedeleted') || student.isGone;
        if ('fault' in status) leaveOut(status.fault);
        else if (!isGone && (given.trim() === '' || family.trim() === ''))
          leaveOut(`${given.trim() === '' ? 'givenName' : 'familyName'} is empty.`);
        else {
          const omitValue = (fault: string) => !isGone && faults.omitValue(fault);
          const year = parseGrades(row);
          if ('fault' in year) omitValue(faultIn('users', row, year.fault));
          const birthRow = births.get(id);
          const birth = !birthRow ? { value: null } : birthRow.isRagged ? RAGGED : readBirth(birthRow);
          if (birthRow && 'fault' in birth)
            omitValue(faultIn('demographics', birthRow, 'birthDate is not a date with the day first.'));
          pupils.set(id, {
            sourceId: id,
            name: `${given.trim()} ${family.trim()}`.trim(),
            yearGroup: 'value' in year ? year.value : null,
            classIds: [],
            upn: findUpn(row),
            birthDate: 'value' in birth ? toBirthDate(birth.value, today) : null,
            isGone,
          });
        }
      }
      for (const id of leftOut) pupils.set(id, toUnchanged(id));
      return pupils;
    },

    readClasses: () => {
      const seen = new Set<string>();
      return rows.classes.flatMap((row) => {
        const { sourcedId = '', title = '', classType = '', schoolSourcedId: org = '' } = row.cells;
        const status = row.isRagged ? RAGGED : parseStatus(row);
        const fault =
          'fault' in status
            ? status.fault
            : sourcedId === '' || sourcedId.length > 255
              ? 'sourcedId is empty or too long.'
              : seen.has(sourcedId)
                ? 'sourcedId is there twice.'
                : undefined;
        seen.add(sourcedId);
        if (fault !== undefined) faults.leaveOut(faultIn('classes', row, fault), 'record');
        if (fault !== undefined || ('value' in status && status.value === 'tobedeleted')) return [];
        return [{ sourceId: sourcedId, name: title, isHomeroom: classType.toLowerCase() === 'homeroom', org }];
      });
    },

    /** Puts the pupils into their classes. Returns what was left out. */
    addEnrolments: (
      pupils: Map<string, FilePupil>,
      classes: readonly { sourceId: string; org: string }[],
      isElsewhere: (userId: string, org: string) => boolean,
    ): string[] => {
      const orgs = new Map(classes.map(({ sourceId, org }) => [sourceId, org]));
      const readPeriod = makePeriodParser('enrollments');
      /** Their class is unknown, because an enrolment cannot be read. */
      const unplaced = new Set<string>();
      const counts = { orphans: 0, ended: 0, early: 0 };
      for (const row of rows.enrollments) {
        const { classSourcedId: classId = '', userSourcedId: userId = '', role: roleText = '' } = row.cells;
        const role = row.isRagged ? RAGGED : parseRole(roleText);
        if (('value' in role && role.value !== 'student') || leftOut.has(userId)) continue;
        if (isElsewhere(userId, row.cells.schoolSourcedId || (orgs.get(classId) ?? ''))) continue;
        const period = 'fault' in role ? role : readPeriod(row);
        if ('fault' in period) {
          faults.leaveOut(faultIn('enrollments', row, period.fault), 'record');
          unplaced.add(userId);
          continue;
        }
        if (period.value !== 'current') {
          counts[period.value] += 1;
          continue;
        }
        // A partial bundle names pupils and classes of earlier ones.
        if (!isComplete && !pupils.has(userId)) pupils.set(userId, toUnchanged(userId));
        const pupil = pupils.get(userId);
        if (!pupil || (isComplete && !orgs.has(classId))) counts.orphans += 1;
        else if (!pupil.classIds.includes(classId)) pupil.classIds.push(classId);
      }
      for (const id of unplaced) pupils.get(id)?.classIds.splice(0);
      return [
        ...countNote('Enrolments left out, because they have ended', counts.ended),
        ...countNote('Enrolments left out, because they begin later', counts.early),
        ...countNote('Enrolments left out, because their pupil or class is missing', counts.orphans),
      ];
    },

    /** The staff with an email address; one who has several IDs once. */
    readStaff: ({ staff: staffIds, isUnclearStaff }: ReturnType<typeof selectSchool>) => {
      const unclear: string[] = [];
      let isAddressLost = false;
      const staff = rows.users.flatMap((row) => {
        const { sourcedId = '', givenName = '', familyName = '', email = '' } = row.cells;
        const status = row.isRagged ? RAGGED : parseStatus(row);
        const isGone = 'value' in status && status.value === 'tobedeleted';
        if (!isGone && (isUnclearStaff(sourcedId) || (staffIds.has(sourcedId) && 'fault' in status))) {
          unclear.push(email.trim());
          if (row.isRagged) isAddressLost = true;
        }
        if (!staffIds.has(sourcedId) || !email.trim()) return [];
        if ('fault' in status) faults.leaveOut(faultIn('users', row, status.fault), 'person');
        if ('fault' in status || isGone) return [];
        return [{ name: `${givenName.trim()} ${familyName.trim()}`.trim(), email: email.trim() }];
      });
      const people = [...Map.groupBy(staff, ({ email }) => email.toLowerCase()).values()];
      return {
        staff: people.flatMap((records) => records.slice(0, 1)),
        // A system that exports no staff at all says nothing about them.
        unclearStaff: isComplete && people.length > 0 && !isAddressLost ? unclear.filter(Boolean) : null,
      };
    },
  };
}

const RAGGED = { fault: 'it has more or fewer cells than columns.' };

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
function findUpn({ cells: { identifier = '', userIds = '' } }: Row): string | null {
  const stated = [identifier, /\{UPN:([^}]{1,20})\}/i.exec(userIds)?.[1] ?? ''];
  return stated.map((text) => text.trim()).find(isUpn) ?? null;
}
