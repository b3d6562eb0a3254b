import { type Enterprise, getSchool, listAuditLog } from '#contract/calls/school.ts';
import { roleAllows } from '#contract/permissions.ts';
import type { SchoolDb } from '../../database/school.ts';
import { route, type StaffSession } from '../../http/pipeline.ts';
import { toInvoice, toInvoicesMeta, toSubscription } from '../billing/billing.public.ts';
import { listClasses } from '../classes/classes.public.ts';
import { listRoll } from '../pupils/pupils.public.ts';
import { listChanges } from './audit.queries.ts';
import { findSubscription, getSchoolRow, getSetup, listContacts, listInvoices, listStaff } from './school.queries.ts';

export const schoolRoutes = [
  route(getSchool, {
    handle: async ({ db, me, query, now, services }) => {
      const enterprise = await describeSchool(db, me, now);
      if (query.include.includes('readers')) enterprise.readers = await listRoll(db);
      if (query.include.includes('invoices') && roleAllows(me.role, 'manage_subscription')) {
        const data = (await listInvoices(db)).map((row) => toInvoice(row, services.config.publicUrl));
        enterprise.invoices = { data, meta: toInvoicesMeta(data, now) };
      }
      return { enterprise };
    },
  }),
  route(listAuditLog, {
    handle: async ({ db, query }) => {
      const { entries, total } = await listChanges(db, query.page, query.per_page);
      return { entries, meta: { total, total_filtered: total, page: query.page, per_page: query.per_page } };
    },
  }),
];

async function describeSchool(db: SchoolDb, me: StaffSession, now: Date): Promise<Enterprise> {
  const school = await getSchoolRow(db);
  const isAdmin = roleAllows(me.role, 'edit_school');
  const subscription = await findSubscription(db);
  return {
    id: school.id,
    name: school.name,
    urn: school.urn,
    type: 'school',
    recording_enabled: school.recording_enabled,
    can_enable_recordings: school.can_enable_recordings,
    user_manages: isAdmin,
    terms_accepted_at: school.terms_accepted_at?.toISOString() ?? null,
    contacts: await listContacts(db),
    groups: await listClasses(db, me),
    users: (await listStaff(db)).map(({ role, ...person }) => ({
      ...person,
      enterprise_user_role: role,
      user_manages: isAdmin && person.id !== me.userId,
    })),
    subscription: subscription ? toSubscription(subscription, now) : null,
    setup: await getSetup(db),
  };
}
