import type { Contact, ContactInput } from '#contract/calls/contacts.ts';
import { guessNation, type Nation } from '#contract/nations.ts';
import { forgetBounces } from '../../../mail/mail.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** The school's contacts, the primary one first, as a statement or a part of one. */
export const contactRows = (db: SchoolDb) =>
  db.tx
    .selectFrom('contacts')
    .select([
      'id',
      'type',
      'contact_name',
      'job_role',
      'address_line_1',
      'address_line_2',
      'address_line_3',
      'address_line_4',
    ])
    .select(['postcode', 'country_code', 'telephone', 'email'])
    .where('school_id', '=', db.schoolId)
    .orderBy('type', 'desc');

/** Where invoices go: the billing contact or, without one, the primary. */
export async function findBillingContact(db: SchoolDb): Promise<Contact | undefined> {
  const contacts = await contactRows(db).execute();
  return contacts.find(({ type }) => type === 'billing') ?? contacts[0];
}

/** The nation whose bank holidays move the school's dates; null if it is not known. */
export async function findNation(db: SchoolDb): Promise<Nation | null> {
  const { nation } = await db.tx
    .selectFrom('schools')
    .select('nation')
    .where('id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  return nation;
}

/**
 * Saves a school's contact of its type and replaces the previous one. The primary one also states the school's nation,
 * unless an admin has chosen it. What bounced to an address that is given up no longer counts.
 */
export async function saveContact(db: SchoolDb, contact: ContactInput): Promise<void> {
  const former = (await contactRows(db).execute()).find(({ type }) => type === contact.type)?.email;
  if (former && former.toLowerCase() !== contact.email.toLowerCase()) await forgetBounces(db, former);
  await db.tx
    .insertInto('contacts')
    .values({ school_id: db.schoolId, ...contact })
    .onConflict((conflict) => conflict.columns(['school_id', 'type']).doUpdateSet(contact))
    .execute();
  if (contact.type === 'primary')
    await db.tx
      .updateTable('schools')
      .set({ nation: guessNation({ postcode: contact.postcode, country: contact.country_code }) })
      .where('id', '=', db.schoolId)
      .where('nation_chosen', '=', false)
      .execute();
}
