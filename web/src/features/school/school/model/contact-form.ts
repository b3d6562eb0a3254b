import type { z } from 'zod';
import { type Contact, contactFields } from '#contract/calls/contacts.ts';
import type { School } from '#contract/calls/school.ts';
import { countries, countryName, DEFAULT_COUNTRY, FIRST_COUNTRIES } from '#contract/countries.ts';
import { normalizePostcode, WRONG_POSTCODE } from '#contract/fields.ts';
import { foldText } from '../../../../shared/fold-text.ts';

type PostcodeFields = Pick<z.output<typeof contactFields>, 'postcode' | 'country_code'>;

/** The call checks the postcode after everything else. A form reports all errors at once. */
function checkPostcode({ postcode, country_code }: PostcodeFields, context: z.RefinementCtx): void {
  if (postcode && normalizePostcode(postcode, country_code) === undefined)
    context.addIssue({ code: 'custom', path: ['postcode'], message: WRONG_POSTCODE });
}

/** A contact without an email of its own: the new admin's email is used. */
export const contactForm = contactFields.omit({ email: true }).superRefine(checkPostcode);

/** A contact with an email of its own. */
export const contactFormWithEmail = contactFields.superRefine(checkPostcode);

/** Initial values of a contact's fields. */
export const contactValues = (contact?: Contact) => ({
  contact_name: contact?.contact_name ?? '',
  job_role: contact?.job_role ?? '',
  address_line_1: contact?.address_line_1 ?? '',
  address_line_2: contact?.address_line_2 ?? '',
  address_line_3: contact?.address_line_3 ?? '',
  address_line_4: contact?.address_line_4 ?? '',
  postcode: contact?.postcode ?? '',
  country_code: contact?.country_code ?? DEFAULT_COUNTRY,
  telephone: contact?.telephone ?? '',
  email: contact?.email ?? '',
});

/** Initial values of a school's fields. */
export const schoolValues = (school?: Pick<School, 'name' | 'urn'>) => ({
  name: school?.name ?? '',
  urn: school?.urn ?? '',
});

export const hasContact = ({ contacts }: Pick<School, 'contacts'>, type: Contact['type']): boolean =>
  contacts.some((contact) => contact.type === type);

/** Initial values of the school's details form. */
export function detailsValues(school: School) {
  const findContact = (type: Contact['type']) => school.contacts.find((contact) => contact.type === type);
  const primary = contactValues(findContact('primary'));
  const billing = contactValues(findContact('billing') ?? findContact('primary'));
  return {
    school: { ...schoolValues(school), nation: school.nation ?? ('' as const) },
    primary: { type: 'primary' as const, ...primary },
    billing: { type: 'billing' as const, ...billing },
    is_same: JSON.stringify(primary) === JSON.stringify(billing),
  };
}

type Values = Omit<ReturnType<typeof detailsValues>, 'school'>;

/**
 * The contacts to save, one by one: those that the user changed. Without a billing contact of its own, the primary
 * contact gets the school's invoices.
 */
export function changedContacts(school: School, { primary, billing, is_same: isSame }: Values) {
  const before = (type: Contact['type']) => school.contacts.find((contact) => contact.type === type);
  const isChanged = ({ type, ...values }: Values['primary'] | Values['billing']) =>
    JSON.stringify(contactValues(before(type))) !== JSON.stringify(values);
  const sameAsPrimary = hasContact(school, 'billing') ? [{ ...primary, type: 'billing' as const }] : [];
  return [primary, ...(isSame ? sameAsPrimary : [billing])].filter(isChanged);
}

/** Compares code units of the folded text, which gives the same order in every browser and on the server. */
const byName = (first: string, second: string) => (foldText(first) < foldText(second) ? -1 : 1);

/** All countries by name. Those with the most schools are first. */
export function countryChoices(): { first: Choice[]; others: Choice[] } {
  const choice = (code: string): Choice => ({ value: code, label: countryName(code) });
  const first: readonly string[] = FIRST_COUNTRIES;
  const others = [...countries.keys()].filter((code) => !first.includes(code)).map(choice);
  return { first: first.map(choice), others: others.sort((choiceA, choiceB) => byName(choiceA.label, choiceB.label)) };
}

interface Choice {
  value: string;
  label: string;
}
