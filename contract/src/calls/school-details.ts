import { z } from 'zod';
import { ACCESS_ERRORS, defineCalls } from '../call.ts';
import { NATIONS } from '../nations.ts';
import { email, flag, id, ids, newPassword, personName, schoolName, timestamp, urn } from '../fields.ts';
import { contact, contactInput } from './contacts.ts';
import { NAMES_IN_EMAILS, schoolSchema } from './school.ts';

const schoolFields = { name: schoolName, urn, type: z.literal('school', "The type is 'school'.").default('school') };
export const schoolBody = z.object(schoolFields);

const nation = z.enum(NATIONS, `Choose one of ${NATIONS.join(', ')}.`).nullish();

/** A box that must be ticked. If absent, the school accepts the terms at the first login. */
const ticked = (label: string) => flag.refine((yes) => yes, `Tick '${label}'.`).optional();

/** The admin of a new school. */
const founder = z.object({
  first_name: personName('first name'),
  last_name: personName('last name'),
  email,
  password: newPassword,
  accept_eula: ticked('Accept EULA'),
  accepts_ts_and_cs: ticked('Accepts Ts and Cs'),
});

export const registerSchoolBody = z.object({ school: schoolBody, contact: contactInput, user: founder });

export const updateSchoolBody = z
  .object({
    ...schoolFields,
    name: schoolName.optional(),
    type: z.literal('school', "The type is 'school'.").optional(),
    nation,
    recording_enabled: flag.optional(),
    names_in_emails: z.enum(NAMES_IN_EMAILS, `Choose one of ${NAMES_IN_EMAILS.join(', ')}.`).optional(),
  })
  .refine(
    ({ name, nation: chosen, recording_enabled, names_in_emails }) =>
      [name, chosen, recording_enabled, names_in_emails].some((value) => value !== undefined),
    'Send a name, a nation, recording_enabled or names_in_emails.',
  );

export const contactBody = z.object({ contact: contactInput });

/**
 * `billing` null leaves the billing contact as it is. A nation that is sent, including null, counts as chosen and no longer
 * follows the postcode.
 */
export const schoolDetailsBody = z.object({
  school: schoolBody.extend({ nation }),
  primary: contactInput,
  billing: contactInput.nullable().default(null),
});

/** The acceptance of one version of a document; a version is the date on which it came into force. */
const termsAcceptance = z.strictObject({
  document: z.enum(['licence', 'terms', 'privacy']),
  version: z.iso.date(),
  accepted_at: timestamp,
  /** Null if the account was deleted. */
  accepted_by: z.strictObject({ id, name: z.string() }).nullable(),
});
export type TermsAcceptance = z.infer<typeof termsAcceptance>;

export const schoolDetailsCalls = defineCalls({
  registerSchool: {
    method: 'POST',
    path: '/enterprises/setup',
    tag: 'School',
    summary: 'Register a school with its address and its first admin',
    description:
      'All or nothing. Then log in with `user.email` and `user.password`. If `user.accept_eula` and `user.accepts_ts_and_cs` are both true, the terms are accepted; otherwise the admin is asked at the first login.',
    permission: 'open',
    example: {
      body: {
        school: { name: 'Oakfield Primary School', urn: '123456' },
        contact: {
          contact_name: 'Grace Lim',
          address_line_1: '1 School Lane',
          postcode: 'SW1A 1AA',
          telephone: '020 7946 0000',
          email: 'office@oakfield.sch.example',
        },
        user: {
          first_name: 'Grace',
          last_name: 'Lim',
          email: 'head@oakfield.sch.example',
          password: 'seven-paper-boats',
          accept_eula: true,
          accepts_ts_and_cs: true,
        },
      },
    },
    body: registerSchoolBody,
    reply: z.strictObject({ enterprise: schoolSchema }),
    errors: ['duplicate_email'],
    rateLimits: [{ by: 'address', tries: 30, seconds: 3600 }],
  },

  createSchool: {
    method: 'POST',
    path: '/enterprises',
    tag: 'School',
    summary: 'Register a school for a signed-in user without one',
    description: 'The caller becomes its admin.',
    permission: 'user',
    setUp: 'school',
    example: { body: { name: 'Oakfield Primary School', urn: '123456' } },
    body: schoolBody,
    reply: z.strictObject({ enterprise: schoolSchema }),
    errors: ['already_in_school', 'not_while_impersonating'],
    rateLimits: [{ by: 'address', tries: 30, seconds: 3600 }],
  },

  updateSchool: {
    method: 'POST',
    path: '/enterprises/{id}',
    tag: 'School',
    summary: "Change the school's name and URN, enable recordings, or choose how emails name pupils",
    description:
      'If `name` is sent without `urn`, the URN is removed. Recordings can be changed only if `can_enable_recordings` is true, and enabled only with an active subscription; they can always be disabled.',
    permission: 'edit_school',
    area: 'account',
    setUp: 'school',
    example: { body: { name: 'Oakfield Primary School', urn: '123456' } },
    params: ids('id'),
    body: updateSchoolBody,
    reply: z.strictObject({ enterprise: schoolSchema }),
    errors: ['recordings_unavailable', ...Object.values(ACCESS_ERRORS)],
  },

  updateSchoolDetails: {
    method: 'POST',
    path: '/enterprises/{id}/details',
    tag: 'School',
    summary: "Save the school's name, URN and contacts together",
    description:
      'All or nothing. Without `urn` the URN is removed; without `billing` the billing contact does not change. A `nation` that is sent no longer follows the postcode of the primary contact.',
    permission: 'edit_school',
    area: 'settings',
    setUp: 'school',
    example: {
      body: {
        school: { name: 'Oakfield Primary School', urn: '123456' },
        primary: {
          contact_name: 'Grace Lim',
          address_line_1: '1 School Lane',
          postcode: 'SW1A 1AA',
          telephone: '020 7946 0000',
          email: 'office@oakfield.sch.example',
        },
      },
    },
    params: ids('id'),
    body: schoolDetailsBody,
    reply: z.strictObject({ enterprise: schoolSchema }),
  },

  updateContact: {
    method: 'POST',
    path: '/enterprises/{id}/contacts',
    tag: 'School',
    summary: 'Save the primary or the billing contact',
    permission: 'edit_contacts',
    area: 'billing',
    setUp: 'school',
    example: {
      body: {
        contact: {
          type: 'billing',
          contact_name: 'Grace Lim',
          address_line_1: '1 School Lane',
          postcode: 'SW1A 1AA',
          telephone: '020 7946 0000',
          email: 'office@oakfield.sch.example',
        },
      },
    },
    params: ids('id'),
    body: contactBody,
  },

  getBillingContact: {
    method: 'GET',
    path: '/enterprises/{id}/contacts/billing',
    tag: 'School',
    summary: 'Where invoices are sent',
    description: 'The billing contact, or the primary contact to prefill a form with; null without either.',
    permission: 'manage_subscription',
    area: 'billing',
    setUp: 'school',
    params: ids('id'),
    reply: z.strictObject({ billing_address: contact.nullable() }),
  },

  acceptTerms: {
    method: 'POST',
    path: '/enterprises/{id}/terms/accept',
    tag: 'School',
    summary: 'Accept the licence agreement, the terms and the privacy policy for the school',
    description: 'An admin accepts for the whole school. Later calls keep the first date.',
    permission: 'edit_school',
    setUp: 'school',
    params: ids('id'),
    errors: ['not_while_impersonating'],
  },

  listTermsAcceptances: {
    method: 'GET',
    path: '/enterprises/{id}/terms',
    tag: 'School',
    summary: 'Which versions of the licence, the terms and the privacy policy were accepted, when and by whom',
    permission: 'edit_school',
    area: 'records',
    setUp: 'school',
    params: ids('id'),
    reply: z.strictObject({ acceptances: z.array(termsAcceptance) }),
  },
});
