import { z } from 'zod';
import { registerSchoolBody, schoolBody } from '#contract/calls/school-details.ts';
import { flag } from '#contract/fields.ts';
import { contactForm, contactValues, schoolValues } from '../../../school/school/school-form.public.ts';

const ticked = (label: string) => flag.refine((yes) => yes, `Tick '${label}'.`);

/** The boxes that must be ticked, with the specification's labels. */
export const TERMS = { accept_eula: 'Accept EULA', accepts_ts_and_cs: 'Accepts Ts and Cs' } as const;
export const termsForm = z.object({
  accept_eula: ticked(TERMS.accept_eula),
  accepts_ts_and_cs: ticked(TERMS.accepts_ts_and_cs),
});
export const noTerms = { accept_eula: false, accepts_ts_and_cs: false };

/** A school, its address and its first admin. */
export const registrationForm = z.object({
  school: schoolBody,
  contact: contactForm,
  user: registerSchoolBody.shape.user.extend(termsForm.shape),
});

/** The same for a user who has an account. */
export const ownSchoolForm = z.object({ school: schoolBody, contact: contactForm, user: termsForm });

const school = schoolValues();
export const registrationValues = {
  school,
  contact: contactValues(),
  user: { first_name: '', last_name: '', email: '', password: '', ...noTerms },
};
export const ownSchoolValues = (contactName: string) => ({
  school,
  contact: { ...contactValues(), contact_name: contactName },
  user: noTerms,
});
