import { ACCESS_ERRORS, type BodyOf } from '#contract/call.ts';
import type { ContactInput } from '#contract/calls/contacts.ts';
import type { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { changeContact } from '../../billing/invoices/invoices.public.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { insertTermsAcceptances } from './terms.queries.ts';
import { getSchoolRow, setTermsAccepted, updateSchoolRow } from './school.queries.ts';

/**
 * Changes the given details of a school. Throws `recordings_unavailable` where the operator has not made recordings
 * available, and the error of the school's state where they would be enabled without an active subscription.
 */
export async function updateDetails(
  db: SchoolDb,
  me: StaffSession,
  {
    type: _,
    recording_enabled: recordingEnabled,
    nation,
    names_in_emails,
    ...fields
  }: BodyOf<typeof schoolDetailsCalls.updateSchool>,
  now: Date,
): Promise<void> {
  const before = await getSchoolRow(db);
  if (recordingEnabled !== undefined && !before.can_enable_recordings) throw new AppError('recordings_unavailable');
  if (recordingEnabled && me.access !== 'open') throw new AppError(ACCESS_ERRORS[me.access]);
  const change = {
    ...(fields.name === undefined ? {} : fields),
    ...(nation === undefined ? {} : { nation }),
    ...(recordingEnabled === undefined ? {} : { recording_enabled: recordingEnabled }),
    ...(names_in_emails === undefined ? {} : { names_in_emails }),
  };
  const from = Object.fromEntries(Object.keys(change).map((field) => [field, before[field as keyof typeof change]]));
  await updateSchoolRow(db, { ...change, ...(nation !== undefined && { nation_chosen: true }) });
  await recordChange(db, me, now, {
    action: 'school_changed',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { from, to: change },
  });
}

/** Saves the primary or the billing contact. */
export async function updateContact(db: SchoolDb, me: StaffSession, contact: ContactInput, now: Date): Promise<void> {
  await changeContact(db, contact);
  await recordChange(db, me, now, { action: 'contact_changed', subjectKind: 'contact', subjectId: contact.type });
}

/** Accepts the current versions of the terms for the school, each once. Throws `not_while_impersonating`. */
export async function acceptTerms(db: SchoolDb, me: StaffSession, now: Date): Promise<void> {
  // An operator can only look; the school itself agrees to the contract.
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  await insertTermsAcceptances(db, me.userId, now);
  if (await setTermsAccepted(db, now))
    await recordChange(db, me, now, { action: 'terms_accepted', subjectKind: 'school', subjectId: db.schoolId });
}
