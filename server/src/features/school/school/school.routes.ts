import { listChanges, namePeople } from '../../../audit/audit-log.queries.ts';
import { assertNewPassword, hashPassword } from '../../../auth/password-hashing.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { findBillingContact } from '../../billing/invoices/invoices.public.ts';
import { acceptTerms, updateContact, updateDetails } from './details.service.ts';
import { registerSchool, createSchool } from './registration.service.ts';
import { describeSchool } from './school.service.ts';
import { listTermsAcceptances, toAcceptance } from './terms.queries.ts';

export const schoolHandlers = defineHandlers({
  registerSchool: withPrepare({
    prepare: ({ body, services }) => {
      const { email, first_name, last_name } = body.user;
      const owner = { email, names: [first_name, last_name, body.school.name] };
      assertNewPassword(body.user.password, owner, services.config, 'user.password');
      return hashPassword(body.user.password, services.config.hashCost);
    },
    handle: async ({ db, body, prepared, now, services }) => ({
      enterprise: await registerSchool(db, body, prepared, now, services.config),
    }),
  }),
  createSchool: {
    handle: async ({ db, me, body, now, services }) => ({
      enterprise: await createSchool(db, me, body, now, services.config),
    }),
  },
  getSchool: {
    handle: async ({ db, me, query, now, services }) => {
      const school = await describeSchool(db, me, now, services.config, query.include);
      return { enterprise: school, meta: { omitted: query.include.filter((part) => !school[part]) } };
    },
  },
  listAuditLog: {
    handle: async ({ db, query }) => {
      const { page, per_page, ...filter } = query;
      const { entries, total, totalFiltered } = await listChanges(db, filter, { page, perPage: per_page });
      return { entries, meta: { total, total_filtered: totalFiltered, page, per_page } };
    },
  },
  updateSchool: {
    handle: async ({ db, me, body, now, services }) => {
      await updateDetails(db, me, body, now);
      return { enterprise: await describeSchool(db, me, now, services.config) };
    },
  },
  updateSchoolDetails: {
    handle: async ({ db, me, body: { school, primary, billing }, now, services }) => {
      await updateDetails(db, me, school, now);
      await updateContact(db, me, { ...primary, type: 'primary' }, now);
      if (billing) await updateContact(db, me, { ...billing, type: 'billing' }, now);
      return { enterprise: await describeSchool(db, me, now, services.config) };
    },
  },
  updateContact: {
    handle: async ({ db, me, body, now }) => {
      await updateContact(db, me, body.contact, now);
      return {};
    },
  },
  getBillingContact: {
    handle: async ({ db }) => {
      return { billing_address: (await findBillingContact(db)) ?? null };
    },
  },
  acceptTerms: {
    handle: async ({ db, me, now }) => {
      await acceptTerms(db, me, now);
      return {};
    },
  },
  listTermsAcceptances: {
    handle: async ({ db }) => {
      const rows = await listTermsAcceptances(db);
      const names = await namePeople(
        db,
        rows.map((row) => row.user_id),
      );
      return { acceptances: rows.map((row) => toAcceptance(row, names)) };
    },
  },
});
