import { SECOND_ADMIN_AFTER_DAYS } from '#contract/calls/admin-requests.ts';
import type { School, SchoolPart } from '#contract/calls/school.ts';
import { roleAllows, toSpecifiedRole } from '#contract/permissions.ts';
import { isAreaOpen } from '#contract/school-access.ts';
import type { UserSession } from '../../../auth/sessions.queries.ts';
import { findStaffAccounts, type StaffAccount, toStaff } from '../../accounts/access/access.public.ts';
import { DAY_MS, dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { accessOf } from '../../../auth/school-state.ts';
import type { StaffMember } from '../../../context.ts';
import { findOpenInvoice, listInvoices, toInvoices } from '../../billing/invoices/invoices.public.ts';
import {
  countActivePupils,
  findSubscription,
  toSubscription,
} from '../../billing/subscriptions/subscriptions.public.ts';
import { teachersOf, toClass, toClasses } from '../classes/classes.public.ts';
import type { Config } from '../../../config.ts';
import { listPupilsWithClass } from '../pupils/pupils.public.ts';
import { hasNewStatistics } from './new-statistics.access.ts';
import { getWholeSchool } from './school.queries.ts';

const toMoment = (moment: string | Date): string => new Date(moment).toISOString();

type WholeSchool = Awaited<ReturnType<typeof getWholeSchool>>;
type Accounts = ReadonlyMap<number, StaffAccount>;

/** A member of staff by name; null for anyone else. */
function toPerson(accounts: Accounts, userId: number | null): { id: number; name: string } | null {
  const account = accounts.get(userId ?? 0);
  return account ? { id: account.id, name: `${account.first_name} ${account.last_name}` } : null;
}

/** The request to appoint an admin. Its times come from JSON. */
const toAdminRequest = (
  row: NonNullable<WholeSchool['admin_request']>,
  accounts: Accounts,
): School['admin_request'] => ({
  id: row.id,
  requested_by: toPerson(accounts, row.requested_by),
  new_admin: toPerson(accounts, row.new_admin_id),
  former_admins: row.former_admin_ids.flatMap((userId) => toPerson(accounts, userId) ?? []),
  requested_at: toMoment(row.requested_at),
  due_at: row.due_at && toMoment(row.due_at),
});

/** Whether the school needs a second admin; null while it has one, and in its first 30 days. */
function findSecondAdminState(
  staff: WholeSchool['staff'],
  { created_at, admin_away_since }: Pick<WholeSchool, 'created_at' | 'admin_away_since'>,
  now: Date,
): School['second_admin'] {
  if (staff.filter(({ role }) => role === 'admin').length !== 1) return null;
  if (admin_away_since) return 'away';
  return created_at.getTime() + SECOND_ADMIN_AFTER_DAYS * DAY_MS <= now.getTime() ? 'due' : null;
}

/** The state of a closing. Its times come from JSON. */
function toClosing(row: NonNullable<WholeSchool['closing']>, accounts: Accounts): School['closing'] {
  return {
    requested_by: toPerson(accounts, row.requested_by),
    takes_effect_at: toMoment(row.takes_effect_at),
    closed_at: row.closed_at && toMoment(row.closed_at),
    erase_at: row.erase_at && toMoment(row.erase_at),
  };
}

/**
 * The school as a member of its staff sees it, with the parts that `include` names and that the state of the school, of
 * the caller's account and of a session of support leaves open.
 */
export async function describeSchool(
  db: SchoolDb,
  me: StaffMember & Partial<Pick<UserSession, 'access' | 'mustConfirmEmail'>>,
  now: Date,
  config: Config,
  include: readonly SchoolPart[] = [],
): Promise<School> {
  const hasInvoices = include.includes('invoices') && roleAllows(me.role, 'manage_subscription');
  const [school, subscription, pupilCount, invoices, unpaid, pupils] = await Promise.all([
    getWholeSchool(db, me),
    findSubscription(db),
    countActivePupils(db),
    hasInvoices ? listInvoices(db) : undefined,
    hasInvoices ? undefined : findOpenInvoice(db),
    include.includes('readers') ? listPupilsWithClass(db, me) : undefined,
  ]);
  const { classes, staff, closing, admin_request: adminRequest, created_at, admin_away_since, ...more } = school;
  const { new_statistics: _, ...fields } = more;
  const accounts = await findStaffAccounts(db, [...staff.map(({ user_id }) => user_id), ...teachersOf(classes)]);
  const isAdmin = roleAllows(me.role, 'edit_school');
  const openInvoice = invoices ? invoices.find(({ status }) => status === 'open') : unpaid;
  const access =
    me.access === 'support'
      ? 'support'
      : accessOf(
          {
            is_closed: Boolean(closing?.closed_at),
            subscription_ends_at: subscription?.expires_at ?? null,
            invoice_locks_on: openInvoice?.locks_on ?? null,
          },
          now,
        );
  // By the state in this reply: the session was looked up before it, and the state may have changed since.
  const canSeePupils = isAreaOpen('teaching', access) && school.terms_accepted_at !== null && !me.mustConfirmEmail;
  return {
    ...fields,
    ...(me.role === 'supply_teacher' && { contacts: [] }),
    type: 'school',
    user_manages: isAdmin,
    terms_accepted_at: school.terms_accepted_at?.toISOString() ?? null,
    features: hasNewStatistics(school, config) ? ['new_statistics'] : [],
    groups: toClasses(classes, accounts).map((schoolClass) => toClass(schoolClass, dayIn('Europe/London', now))),
    users: (me.role === 'supply_teacher' ? [] : toStaff(staff, accounts)).map(({ role, ...person }) => ({
      ...person,
      enterprise_user_role: toSpecifiedRole(role),
      role,
      user_manages: isAdmin && person.id !== me.userId,
    })),
    subscription: subscription ? toSubscription(subscription, now) : null,
    access,
    closing: closing && toClosing(closing, accounts),
    admin_request: adminRequest && toAdminRequest(adminRequest, accounts),
    second_admin: findSecondAdminState(staff, { created_at, admin_away_since }, now),
    readers_count: pupilCount,
    ...(pupils && canSeePupils ? { readers: pupils } : {}),
    ...(invoices ? { invoices: toInvoices(invoices, config.publicUrl, now) } : {}),
  };
}
