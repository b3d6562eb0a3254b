import { namePeople } from '../../../audit/audit-log.queries.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { acceptTermsOf, updateContact, updateDetails } from './details.service.ts';
import { findBillingContact } from '../../billing/invoices/invoices.public.ts';
import { describeSchool } from './school.service.ts';
import { listTermsAcceptances, toAcceptance } from './terms.queries.ts';

export const schoolDetailsHandlers = defineHandlers({
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
      await acceptTermsOf(db, me, now);
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
