import { type ListedPerson, MAX_INVITES } from '#contract/calls/invites.ts';
import { exceedsTeacher, hasClasses, ROLE_TEXTS } from '#contract/permissions.ts';
import { readInSchool, type SchoolDb } from '../../../database/school.ts';
import type { Services, StaffSession } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { UploadedFile } from '../../../http/upload.ts';
import type { StaffEntry } from '../../../lists/staff.ts';
import { readList } from '../../../spreadsheets/read-upload.ts';
import { emailKey } from '../../accounts/access/access.public.ts';
import { listTakenEmails } from './invites.queries.ts';
import type { InviteRow } from './invites.service.ts';

/** The only row of the template. */
const EXAMPLE = 'amara.bell@school.example';

const WHY: Record<NonNullable<StaffEntry['why']>, string> = {
  not_active: 'The list says that this account is not active.',
  pupil: 'The list says that this is the account of a pupil or a parent.',
};

/** Why inviting a person of a list needs a look. */
const explainDoubt = ({ why }: Pick<StaffEntry, 'why'>): string | null => why && WHY[why];

/**
 * The people in a list of staff. Throws the error of an unreadable file, `file_not_understood` for one without
 * addresses, or `file_too_many_rows`.
 */
export async function readInviteList(
  { database, clock }: Services,
  me: StaffSession,
  list: UploadedFile | string,
): Promise<StaffEntry[]> {
  const { staff } = await readInSchool(database, me.schoolId, (db) => listTakenEmails(db, clock.now()));
  const ownDomains = new Set([...staff].map((key) => key.slice(key.lastIndexOf('@') + 1)));
  const people = await readList('readStaffFile', { source: list, ownDomains });
  const invited = people.filter(({ email }) => email.toLowerCase() !== EXAMPLE);
  if (invited.length === 0)
    throw new AppError('file_not_understood', {
      text:
        people.length === 0
          ? 'This file contains no email addresses. Check that it is the right file.'
          : 'This file has only the example of the template. Write the addresses of your staff into it.',
    });
  if (invited.length > MAX_INVITES)
    throw new AppError('file_too_many_rows', {
      text: `This file has ${invited.length} people. Invite at most ${MAX_INVITES} at once.`,
    });
  return invited;
}

/** No one has looked at the roles of a list that is sent directly, so it gives no more rights than a teacher has. */
export const toInviteRow = (person: StaffEntry): InviteRow => ({
  email: person.email,
  name: person.name,
  ...(!exceedsTeacher(person.role) && { role: person.role }),
  doubt:
    explainDoubt(person) ??
    (hasClasses(person.role)
      ? null
      : `The list says ${ROLE_TEXTS[person.role].name.toLowerCase()}. Invite this person by hand, with that role.`),
});

/** The people in a list with what the school knows of them. */
export async function describeInviteList(
  db: SchoolDb,
  people: readonly StaffEntry[],
  now: Date,
): Promise<ListedPerson[]> {
  const { staff, pending } = await listTakenEmails(db, now);
  const seen = new Set<string>();
  return people.map((person) => {
    const key = emailKey(person.email);
    const doubt = staff.has(key)
      ? 'This person is a member of your school already.'
      : pending.has(key)
        ? 'This person has an invitation already.'
        : seen.has(key)
          ? 'This email is in the list twice.'
          : explainDoubt(person);
    seen.add(key);
    const { email, otherEmails, name, role } = person;
    return { email, other_emails: otherEmails, name, role, doubt };
  });
}
