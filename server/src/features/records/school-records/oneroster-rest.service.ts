import { z } from 'zod';
import { makeOneRosterClient, type OneRosterServer } from './oneroster-client.service.ts';
import { type Row, toRosterFile } from './oneroster-rows.service.ts';
import type { RosterFile } from './roster-file-content.service.ts';

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

const toUserRow = (one: z.infer<typeof user>): Row => ({
  sourcedId: one.sourcedId,
  status: one.status ?? '',
  givenName: one.givenName,
  familyName: one.familyName,
  preferredGivenName: one.preferredFirstName ?? '',
  preferredFamilyName: one.preferredLastName ?? '',
  grades: one.grades?.[0] ?? '',
  identifier: one.identifier ?? '',
  userIds: (one.userIds ?? []).map(({ type, identifier }) => `{${type}:${identifier}}`).join(','),
  email: one.email ?? '',
});

/**
 * Reads a school's users, classes and enrolments from a OneRoster 1.2 server, all or none. Throws a RosterFileError.
 * @param reading.today YYYY-MM-DD; what ended before it is left out
 */
export async function readOneRosterServer(
  server: OneRosterServer,
  reading: Parameters<typeof makeOneRosterClient>[1] & { today: string },
): Promise<RosterFile> {
  const client = makeOneRosterClient(server, reading);
  const users = await client.readAll('users', user);
  const classes = await client.readAll('classes', schoolClass);
  const enrollments = await client.readAll('enrollments', enrolment);
  const rows = {
    users: users.map(toUserRow),
    roles: users.flatMap((one) =>
      one.roles.map(({ role, org, ...rest }) => ({
        userSourcedId: one.sourcedId,
        role,
        orgSourcedId: org.sourcedId,
        ...dates(rest),
      })),
    ),
    classes: classes.flatMap(({ sourcedId: id, status, title, classType }) =>
      status === 'tobedeleted' ? [] : [{ sourcedId: id, title, classType: classType ?? '' }],
    ),
    enrollments: enrollments.map((one) => ({
      userSourcedId: one.user.sourcedId,
      classSourcedId: one.class.sourcedId,
      role: one.role,
      status: one.status ?? '',
      ...dates(one),
    })),
    demographics: [],
  };
  return toRosterFile(rows, {
    isComplete: true,
    today: reading.today,
    explainSchools: (schools) =>
      `This server has pupils of ${schools} schools. Ask its supplier for a client ID for your school alone.`,
  });
}
