import { z } from 'zod';
import { makeOneRosterClient, type OneRosterServer } from './oneroster-client.service.ts';
import { toSchoolRecordsFile } from './oneroster-rows.service.ts';
import type { Row } from './oneroster-values.service.ts';
import type { FileReading } from './file-content.service.ts';

const MAX_TEXT_LENGTH = 1000;
const MAX_LIST_LENGTH = 50;

type Json = Record<string, unknown>;

/** A text or number of a record; empty for everything else, so that one wrong value rejects no other record. */
const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_TEXT_LENGTH).trim() : '';
const toObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_LIST_LENGTH) : []);
/** The ID in a reference to a record, which some servers send alone. */
const toId = (value: unknown): string => toText(value) || toText(toObject(value).sourcedId);

type Cells = Row['cells'];

const toUserCells = (user: Json): Cells => ({
  status: toText(user.status),
  givenName: toText(user.givenName),
  familyName: toText(user.familyName),
  preferredGivenName: toText(user.preferredFirstName),
  preferredFamilyName: toText(user.preferredLastName),
  grades: Array.isArray(user.grades) ? toText(user.grades[0]) : toText(user.grades),
  identifier: toText(user.identifier),
  userIds: toList(user.userIds)
    .map(toObject)
    .map(({ type, identifier }) => `{${toText(type)}:${toText(identifier)}}`)
    .join(','),
  email: toText(user.email),
});

/** The roles of a user: one at each school in OneRoster 1.1, and a list in 1.2. */
function toRoleCells(user: Json): Cells[] {
  const stated = toList(user.roles).map(toObject);
  const orgs = toList(user.orgs);
  const ofVersion11 = (orgs.length > 0 ? orgs : [null]).map((org): Json => ({ role: user.role, org }));
  const roles = stated.length > 0 || toText(user.role) === '' ? stated : ofVersion11;
  return roles.map(({ role, org, beginDate, endDate }) => ({
    role: toText(role),
    orgSourcedId: toId(org),
    beginDate: toText(beginDate),
    endDate: toText(endDate),
  }));
}

const toClassCells = (schoolClass: Json): Cells => ({
  status: toText(schoolClass.status),
  title: toText(schoolClass.title),
  classType: toText(schoolClass.classType),
  schoolSourcedId: toId(schoolClass.school),
});

const toEnrolmentCells = (enrolment: Json): Cells => ({
  status: toText(enrolment.status),
  userSourcedId: toId(enrolment.user),
  classSourcedId: toId(enrolment.class),
  schoolSourcedId: toId(enrolment.school),
  role: toText(enrolment.role),
  beginDate: toText(enrolment.beginDate),
  endDate: toText(enrolment.endDate),
});

const toOrgCells = (org: Json): Cells => ({ name: toText(org.name), type: toText(org.type) });

const sourcedId = z.union([z.string().min(1).max(255), z.int().transform(String)]);
/** A record with what is read of it; everything else is dropped while it is read. */
const recordOf = <Content extends object>(toContent: (record: Json) => Content) =>
  z.looseObject({ sourcedId }).transform((record) => ({ sourcedId: record.sourcedId, ...toContent(record) }));
const ofCells = (toCells: (record: Json) => Cells) => recordOf((record) => ({ cells: toCells(record) }));

const toRows = (records: readonly { sourcedId: string; cells: Cells }[]): Row[] =>
  records.map(({ sourcedId: id, cells }, index) => ({ number: index + 1, cells: { ...cells, sourcedId: id } }));

/**
 * Reads a school's users, classes and enrolments from a OneRoster server, all or none. Throws a SchoolRecordsFileError.
 * @param reading.today YYYY-MM-DD; what ended before it is left out
 * @param reading.school the ID of the school to read, of several; null without a choice
 */
export async function readOneRosterServer(
  server: OneRosterServer,
  reading: Parameters<typeof makeOneRosterClient>[1] & { today: string; school: string | null },
): Promise<FileReading> {
  const client = makeOneRosterClient(server, reading);
  const users = await client.readAll(
    'users',
    recordOf((user) => ({ cells: toUserCells(user), roles: toRoleCells(user) })),
  );
  const classes = await client.readAll('classes', ofCells(toClassCells));
  const enrollments = await client.readAll('enrollments', ofCells(toEnrolmentCells));
  const roles = users.flatMap((user, index) =>
    user.roles.map((cells) => ({ number: index + 1, cells: { ...cells, userSourcedId: user.sourcedId } })),
  );
  const readWith = (orgs: readonly Row[]) =>
    toSchoolRecordsFile(
      {
        users: toRows(users),
        roles,
        classes: toRows(classes),
        enrollments: toRows(enrollments),
        demographics: [],
        orgs,
      },
      {
        isComplete: true,
        today: reading.today,
        school: reading.school,
        describePlace: (file, number) => `${file === 'roles' ? 'users' : file}, record ${number}`,
      },
    );
  const result = readWith([]);
  // Only a choice needs the names of schools, and which of them are trusts.
  return result.schools.length > 1 ? readWith(toRows(await client.readAll('orgs', ofCells(toOrgCells)))) : result;
}
