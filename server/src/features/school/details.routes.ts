import { recordChange } from '../../audit/audit-log.queries.ts';
import { defineHandlers } from '../../http/pipeline.ts';
import { acceptTermsOf, updateDetails } from './details.service.ts';
import { saveContact } from './registration.queries.ts';
import { listContacts } from './school.queries.ts';
import { describeSchool } from './school.service.ts';

export const schoolDetailsHandlers = defineHandlers({
  updateSchool: {
    handle: async ({ db, me, body, now, services }) => {
      await updateDetails(db, me, body, now);
      return { enterprise: await describeSchool(db, me, now, services.config) };
    },
  },
  updateContact: {
    handle: async ({ db, me, body, now }) => {
      await saveContact(db, body.contact);
      await recordChange(db, me, now, {
        action: 'contact_changed',
        subjectKind: 'contact',
        subjectId: body.contact.type,
      });
      return {};
    },
  },
  getBillingContact: {
    handle: async ({ db }) => {
      const contacts = await listContacts(db);
      return { billing_address: contacts.find(({ type }) => type === 'billing') ?? contacts[0] ?? null };
    },
  },
  acceptTerms: {
    handle: async ({ db, me, now }) => {
      await acceptTermsOf(db, me, now);
      return {};
    },
  },
});
