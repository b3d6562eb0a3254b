import { AppError } from '../../http/errors.ts';
import { defineHandlers } from '../../http/pipeline.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { saveContact } from './registration.queries.ts';
import { updateSchoolRow, getSchoolRow, listContacts, setTermsAccepted } from './school.queries.ts';
import { describeSchool } from './school.service.ts';

export const schoolDetailsHandlers = defineHandlers({
  updateSchool: {
    handle: async ({ db, me, body, now, services }) => {
      const before = await getSchoolRow(db);
      if (body.recording_enabled !== undefined && !before.can_enable_recordings)
        throw new AppError('recordings_unavailable');
      const change = {
        ...(body.name === undefined ? {} : { name: body.name, urn: body.urn }),
        ...(body.recording_enabled === undefined ? {} : { recording_enabled: body.recording_enabled }),
      };
      const from = Object.fromEntries(
        Object.keys(change).map((field) => [field, before[field as keyof typeof change]]),
      );
      await updateSchoolRow(db, change);
      await recordChange(db, me, now, {
        action: 'school_changed',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { from, to: change },
      });
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
      // An operator looks into a school; the contract is its own to make.
      if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
      if (await setTermsAccepted(db, now))
        await recordChange(db, me, now, { action: 'terms_accepted', subjectKind: 'school', subjectId: db.schoolId });
      return {};
    },
  },
});
