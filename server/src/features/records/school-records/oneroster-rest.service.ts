import { z } from 'zod';
import { makeOneRosterClient, type OneRosterServer } from './oneroster-client.service.ts';
import { type Row, toSchoolRecordsFile } from './oneroster-rows.service.ts';
import type { SchoolRecordsFile } from './file-content.service.ts';

const sourcedId = z.string().min(1).max(255);
const text = z.string().max(1000).nullish();
const reference = z.object({ sourcedId });
const record = { sourcedId, status: z.enum(['active', 'tobedeleted']).nullish() };

// Only what is used: everything else is dropped while it is read.
const user = z.object({
  ...record,
  givenName: z.string().max(1000),
  familyName: z.string().max(1000),
  preferredFirstName: text,
  preferredLastName: text,
  grades: z.array(z.string().max(100)).max(20).nullish(),
  identifier: text,
  userIds: z
    .array(z.object({ type: z.string().max(100), identifier: z.string().max(1000) }))
    .max(50)
    .nullish(),
  email: text,
  roles: z.array(z.object({ role: z.string().max(100), org: reference, beginDate: text, endDate: text })).max(50),
});
const schoolClass = z.object({ ...record, title: z.string().max(1000), classType: text });
const enrolment = z.object({
  ...record,
  user: reference,
  class: reference,
  role: z.string().max(100),
  beginDate: text,
  endDate: text,
});

const dates = ({
  beginDate,
  endDate,
}: {
  beginDate?: string | null | undefined;
  endDate?: string | null | undefined;
}) => ({
  beginDate: beginDate?.slice(0, 10) ?? '',
  endDate: endDate?.slice(0, 10) ?? '',
});

const toUserRow = (row: z.infer<typeof user>): Row => ({
  sourcedId: row.sourcedId,
  status: row.status ?? '',
  givenName: row.givenName,
  familyName: row.familyName,
  preferredGivenName: row.preferredFirstName ?? '',
  preferredFamilyName: row.preferredLastName ?? '',
  grades: row.grades?.[0] ?? '',
  identifier: row.identifier ?? '',
  userIds: (row.userIds ?? []).map(({ type, identifier }) => `{${type}:${identifier}}`).join(','),
  email: row.email ?? '',
});

/**
 * Reads a school's users, classes and enrolments from a OneRoster 1.2 server, all or none. Throws a SchoolRecordsFileError.
 * @param reading.today YYYY-MM-DD; what ended before it is left out
 */
export async function readOneRosterServer(
  server: OneRosterServer,
  reading: Parameters<typeof makeOneRosterClient>[1] & { today: string },
): Promise<SchoolRecordsFile> {
  const client = makeOneRosterClient(server, reading);
  const users = await client.readAll('users', user);
  const classes = await client.readAll('classes', schoolClass);
  const enrollments = await client.readAll('enrollments', enrolment);
  const rows = {
    users: users.map(toUserRow),
    roles: users.flatMap(({ sourcedId: userSourcedId, roles }) =>
      roles.map(({ role, org, ...dated }) => ({
        userSourcedId,
        role,
        orgSourcedId: org.sourcedId,
        ...dates(dated),
      })),
    ),
    classes: classes.flatMap(({ sourcedId: id, status, title, classType }) =>
      status === 'tobedeleted' ? [] : [{ sourcedId: id, title, classType: classType ?? '' }],
    ),
    enrollments: enrollments.map((row) => ({
      userSourcedId: row.user.sourcedId,
      classSourcedId: row.class.sourcedId,
      role: row.role,
      status: row.status ?? '',
      ...dates(row),
    })),
    demographics: [],
  };
  return toSchoolRecordsFile(rows, {
    isComplete: true,
    today: reading.today,
    explainSchools: (schools) =>
      `This server has pupils of ${schools} schools. Ask its supplier for a client ID for your school alone.`,
  });
}
