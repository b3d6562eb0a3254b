import type { ReplyOf } from '#contract/call.ts';
import type { classCalls } from '#contract/calls/classes.ts';
import { transferFile } from '../server/src/testing/oneroster.ts';
import { callApi, mailedLink, people, tokenOf } from './portal.ts';
import type { Portal } from './server.ts';

/** A word of `length` letters that no browser can hyphenate. */
const longWord = (start: string, length: number): string =>
  (start + 'wolfeschlegelsteinhausenbergerdorff'.repeat(10)).slice(0, length);

/** 254 characters: a local part of 64, and labels of at most 63. */
const longEmail = (start: string): string =>
  `${longWord(start, 64)}@${longWord('b', 63)}.${longWord('c', 63)}.${longWord('d', 53)}.example`;

/** The demonstration school of `people.admin`, its class of `people.teacher`, and a pupil of that class. */
const SCHOOL = 1;
const CLASS = 2;
const PUPIL = 29;

/** First in the order of the lists, so that they are on the first page. */
export const names = {
  school: longWord('Aschool', 191),
  class: longWord('Year4', 100),
  pupil: longWord('Aaliyah', 191),
  /** A class and a pupil that differ from the first ones only at their ends. */
  otherClass: `${longWord('Year4', 99)}x`,
  teacher: longWord('Ateacher', 100),
  tag: longWord('Atag', 40),
  invited: longWord('Ainvited', 100),
};

const contactOf = (type: 'primary' | 'billing') => ({
  type,
  contact_name: longWord('Acontact', 191),
  job_role: longWord('Arole', 191),
  address_line_1: longWord('Astreet', 191),
  address_line_2: longWord('Adistrict', 191),
  postcode: 'SW1A 1AA',
  telephone: '+4420794600001234567',
  email: longEmail(type),
});

type Screens = [name: string, path: string][];

/**
 * Gives the demonstration schools the longest names without a space that the API permits.
 * @returns the screens of what it creates, for the admin and for guests
 */
export async function nameEverythingLong(portal: Portal): Promise<{ screens: Screens; guestScreens: Screens }> {
  const admin = await tokenOf(portal, people.admin);
  const teacher = await tokenOf(portal, people.teacher);
  const otherAdmin = await tokenOf(portal, people.otherAdmin);
  const post = <T>(path: string, body?: object, token = admin) => callApi<T>(portal, 'POST', path, body, token);
  const school = `/enterprises/${SCHOOL}`;

  // Books and addresses change only by import and by confirmation.
  await portal.edit(`
    update books set title = '${longWord('Abook', 120)}' where id in (101, 102, 103);
    update tags set text = '${longWord('asubject', 60)}' where id = (select min(id) from tags);
    update users set email = '${longEmail('teacher')}' where email = '${people.teacher}';
    update users set email = '${longEmail('head')}' where email = '${people.admin}';
    update packages set title = '${longWord('Apackage', 60)}', description = '${longWord('Apackage', 200)}' where id = 5;
    update pupils set username = 'ausernamewol-wolfeschlege12345678' where id = ${PUPIL};
    update subscriptions set title = '${longWord('Apackage', 60)}' where school_id = ${SCHOOL};
  `);

  const person = { first_name: names.teacher, last_name: longWord('Alast', 100) };
  await post('/users/me', person, teacher);
  await post('/users/me', person);
  await post(`${school}/groups/${CLASS}`, { name: names.class });
  await post(`${school}/groups/3`, { name: names.otherClass });
  const { group } = await callApi<ReplyOf<typeof classCalls.getClass>>(
    portal,
    'GET',
    `${school}/groups/${CLASS}`,
    undefined,
    admin,
  );
  const pupils = group.readers.slice(0, 6).map(({ id }) => id);
  for (const [index, id] of pupils.entries())
    await post(`${school}/readers/${id}`, {
      name: index ? `${names.pupil.slice(0, 190)}${'abcdef'[index]}` : names.pupil,
    });
  const { id: tag } = await post<{ id: number }>(`${school}/tags`, { name: names.tag });
  await post(`${school}/readers/tags`, { changes: [{ tag_id: tag, add: pupils }] });
  await post(`${school}/sensitive-tags`, { kind: 'send', purpose: longWord('Apurpose', 300) });
  await post(`${school}/readers/${PUPIL}/notes`, { text: longWord('Anote', 300) });
  await post(`${school}/invites`, { email: [longEmail('invited')], name: [names.invited] });
  const invite = await mailedLink(portal, longEmail('invited'), '/invite/');
  const { request } = await post<{ request: { id: number } }>(`${school}/subject-requests`, {
    kind: 'access',
    subject: { kind: 'pupil', id: PUPIL },
    requester_name: longWord('Aparent', 200),
    requester_relation: 'parent',
    identity_check: longWord('Acheck', 300),
    maturity: 'adult_decides',
    received_on: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
  });
  const { run_id: run } = await post<{ run_id: number }>(`${school}/school-records`, {
    xml: transferFile([
      {
        forename: longWord('Aforename', 90),
        surname: longWord('Asurname', 90),
        birth: '2018-03-04',
        className: longWord('Sam', 100),
      },
    ]),
  });

  await post('/enterprises/2', { name: names.school }, otherAdmin);
  const { invoice } = await post<{ invoice: { number: string; hosted_invoice_url: string } }>(
    '/enterprises/2/subscriptions',
    { package_id: 5, po_number: longWord('PO', 60), contact: contactOf('billing') },
    otherAdmin,
  );
  await post(
    '/enterprises/2/payment-reports',
    { invoice_number: invoice.number, reference: longWord('BACS', 100) },
    otherAdmin,
  );
  await post(`${school}/details`, {
    school: { name: names.school, type: 'school' },
    primary: contactOf('primary'),
    billing: contactOf('billing'),
  });
  return {
    screens: [
      ['a request', `/school/data/requests/${request.id}`],
      ['a file of school records', `/school/records/${run}`],
    ],
    guestScreens: [
      ['an invitation', new URL(invite).pathname],
      ['an invoice', new URL(invoice.hosted_invoice_url).pathname],
    ],
  };
}
