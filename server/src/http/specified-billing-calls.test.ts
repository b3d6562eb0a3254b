/** The calls of the specification about the set-up of a school and its subscription, by their literal paths and fields. */
import type { ReplyOf } from '#contract/call.ts';
import type { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { CONTACT, PASSWORD } from '../testing/builder.ts';

const app = testApp();
/** A school that has never had a subscription, and its admin. */
let id: number;
let admin: { token: string };
let school: string;

beforeEach(async () => {
  ({ id, admin } = await app.build.emptySchool());
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', id).execute();
  school = `/enterprises/${id}`;
});

type Reply = Record<'user' | 'subscription' | 'packages' | 'invoice', object> &
  Pick<ReplyOf<typeof schoolCalls.getSchool>, 'enterprise'>;

/** Makes a call that must succeed, by default as the admin, and returns its reply. */
async function send(method: string, path: string, payload?: object, { token }: { token?: string } = admin) {
  const { status, reply, text } = await app.ask(method, path, { ...(token && { token }), ...(payload && { payload }) });
  expect(status, `${method} ${path}: ${text}`).toBe(200);
  return reply as Reply;
}
const buy = (package_id: number) =>
  send('POST', `${school}/subscriptions`, { contact: CONTACT, po_number: 'PO 118', package_id });

describe('the school', () => {
  test('GET /enterprises/{id} returns the school, and its pupils where they are included', async () => {
    const built = await app.build.school();
    const path = `/enterprises/${built.id}?include=invoices,readers`;
    const found = (await send('GET', path, undefined, built.admin)).enterprise;
    expect(found).toMatchObject({ id: built.id, name: built.name });
    expect(found.readers?.map(({ name }) => name)).toContain('Ada Baker');
  });

  test('GET /enterprises/{id} returns the subscription with meta.is_nearing_end and meta.num_of_days_before_end', async () => {
    await buy(4);
    expect((await send('GET', school)).enterprise).toMatchObject({
      subscription: { max_readers: 120, meta: { is_nearing_end: false, num_of_days_before_end: 364 } },
    });
  });

  test('GET /enterprises/{id}?include=invoices returns invoices.meta with the open and the outstanding invoice', async () => {
    const { invoice } = await buy(4);
    const metaOf = async () => (await send('GET', `${school}?include=invoices`)).enterprise.invoices?.meta;
    expect(await metaOf()).toEqual({
      has_open_invoice: true,
      has_outstanding_invoice: false,
      open_invoice: invoice,
      outstanding_invoice: null,
    });
    await app.database.kysely
      .updateTable('invoices')
      .set({ due_date: '2026-11-17', locks_on: '2026-11-18' })
      .where('school_id', '=', id)
      .execute();
    expect(await metaOf()).toMatchObject({
      has_outstanding_invoice: true,
      outstanding_invoice: { due_date: '2026-11-17' },
    });
  });

  test('POST /enterprises/ takes name, urn and type, and registers the school of a user without one', async () => {
    const person = await app.build.person('enterprise');
    await send('POST', '/enterprises/', { name: 'Ash Row Primary', urn: '123456', type: 'school' }, person);
    const { user } = await send('GET', '/users/me', undefined, person);
    expect(user).toMatchObject({ enterprise: { name: 'Ash Row Primary' }, enterprise_user_role: 'admin' });
  });

  test('POST /enterprises/{id} takes name, urn and type, and changes the school', async () => {
    await send('POST', school, { name: 'Elm Row Primary', urn: '654321', type: 'school' });
    expect((await send('GET', school)).enterprise).toMatchObject({ name: 'Elm Row Primary', urn: '654321' });
  });

  test('POST /enterprises/{id}/contacts takes a contact', async () => {
    await send('POST', `${school}/contacts`, { contact: { ...CONTACT, type: 'primary' } });
    expect((await send('GET', school)).enterprise).toMatchObject({
      contacts: [{ type: 'primary', contact_name: 'Pat Office', postcode: 'SW1A 1AA' }],
    });
  });

  test('POST /enterprises/setup takes school, contact and user, and returns the school', async () => {
    const user = { first_name: 'Hana', last_name: 'Head', email: 'hana@oak-row.example', password: PASSWORD };
    const payload = {
      school: { name: 'Oak Row Primary', urn: '123456', type: 'school' },
      contact: { ...CONTACT, type: 'primary' },
      user: { ...user, password: 'kite harbour 7' },
    };
    const founded = (await send('POST', '/enterprises/setup', payload, {})).enterprise;
    expect(founded).toMatchObject({ name: 'Oak Row Primary', urn: '123456', contacts: [{ type: 'primary' }] });
    const login = await send('POST', '/auth', { email: user.email, password: 'kite harbour 7' }, {});
    expect(login.user).toMatchObject({
      enterprise_id: founded.id,
      enterprise_user_role: 'admin',
    });
  });

  test('POST /enterprises/{id}/terms/accept takes no body, and stores when the terms were accepted', async () => {
    const none = { terms_accepted_at: null };
    await app.database.kysely.updateTable('schools').set(none).where('id', '=', id).execute();
    await send('POST', `${school}/terms/accept`);
    expect((await send('GET', school)).enterprise).toMatchObject({ terms_accepted_at: '2026-11-18T12:00:00.000Z' });
  });
});

describe('the subscription', () => {
  test('GET /enterprises/{id}/subscriptions returns the subscription', async () => {
    expect(await send('GET', `${school}/subscriptions`)).toEqual({ subscription: null });
    await buy(4);
    expect(await send('GET', `${school}/subscriptions`)).toMatchObject({ subscription: { max_readers: 120 } });
  });

  test('GET /enterprises/{id}/subscriptions/packages returns the packages', async () => {
    const { packages } = await send('GET', `${school}/subscriptions/packages`);
    expect(packages).toMatchObject([{ id: 1, is_trial: true }, { id: 2 }, {}, {}, {}, {}, { id: 7 }]);
  });

  test('GET /enterprises/{id}/packages/{packageId} returns the package and meta', async () => {
    expect(await send('GET', `${school}/packages/5`)).toMatchObject({
      package: { id: 5, price: 84_000 },
      meta: { is_upgrading: false, prorated_price: null },
    });
  });

  test('GET /enterprises/{id}/contacts/billing returns billing_address', async () => {
    await send('POST', `${school}/contacts`, { contact: CONTACT });
    expect(await send('GET', `${school}/contacts/billing`)).toMatchObject({
      billing_address: { type: 'billing', contact_name: 'Pat Office' },
    });
  });

  test('POST /enterprises/{id}/subscriptions takes contact, po_number and package_id, and returns the invoice', async () => {
    const { invoice } = await buy(5);
    expect(invoice).toMatchObject({ status: 'open', po_number: 'PO 118', total: 100_800 });
    expect(await send('GET', `${school}/subscriptions`)).toMatchObject({ subscription: { package_id: 5 } });
    expect(await send('GET', `${school}/contacts/billing`)).toMatchObject({ billing_address: { type: 'billing' } });
  });

  test('POST /enterprises/{id}/subscriptions/trial needs no body, and returns the subscription', async () => {
    const { subscription } = await send('POST', `${school}/subscriptions/trial`);
    expect(subscription).toMatchObject({ is_trial: true, has_expired: false });
    expect(await send('GET', `${school}/subscriptions`)).toEqual({ subscription });
  });
});

test.each([
  ['start', 'A school would like to start a subscription'],
  ['renew', 'A school would like to renew a subscription'],
])(
  'POST /contactus/subscriptions/%s takes time, contact_number, email and contact_preference',
  async (action, subject) => {
    const request = {
      time: 14,
      contact_number: '020 7946 0000',
      email: 'pat@test.example',
      contact_preference: 'email',
    };
    await send('POST', `/contactus/subscriptions/${action}`, request, {});
    await app.runJobs();
    const mail = app.mails.findLast(({ recipient }) => recipient === app.services.config.contactEmail);
    expect(mail?.subject).toBe(subject);
    for (const part of ['by: email', '2 pm', '020 7946 0000', 'pat@test.example']) expect(mail?.text).toContain(part);
  },
);
