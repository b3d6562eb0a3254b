import { contactCalls } from '#contract/calls/contact-us.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';

const app = testApp({ CONTACT_EMAIL: 'hello@company.example' });
const body = {
  time: 10,
  contact_number: '020 7946 0000',
  email: 'office@test.example',
  contact_preference: 'phone' as const,
};
const ask = (action: string, more: object = {}) =>
  app.ask('POST', `/contactus/subscriptions/${action}`, { payload: { ...body, ...more } });

beforeEach(() => {
  app.mails.length = 0;
});

test('a request for contact is mailed to the company, without a session', async () => {
  expect((await app.call(contactCalls.requestContact, { params: { action: 'start' }, body })).status).toBe(200);
  await app.runJobs();
  expect((await ask('renew', { contact_preference: 'email', time: '2 pm' })).status).toBe(200);
  await app.runJobs();
  expect(app.mails.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ['hello@company.example', 'A school would like to start a subscription'],
    ['hello@company.example', 'A school would like to renew a subscription'],
  ]);
  expect(app.mails[0]?.text).toContain(
    'Reach them by: phone\nAt: 10 am, London time\nPhone: 020 7946 0000\nEmail: office@test.example',
  );
  expect(app.mails[1]?.text).toContain('At: 2 pm, London time');
});

test.each([
  [9, '9 am'],
  ['12', '12 noon'],
  ['12 am', '12 noon'],
  [1, '1 pm'],
  ['13:00', '1 pm'],
  ['6pm', '6 pm'],
  [undefined, '10 am'],
])('a request for contact at %j reaches the company as %s', async (time, shown) => {
  expect((await ask('start', { time })).status).toBe(200);
  await app.runJobs();
  expect(app.mails[0]?.text).toContain(`At: ${shown}, London time`);
});

test.each([
  ['no number', { contact_number: ' ' }, 'contact_number'],
  ['a number of two lines', { contact_number: '1\r\nBcc: x@test.example' }, 'contact_number'],
  ['a wrong email', { email: 'office' }, 'email'],
  ['a list where an email is expected', { email: ['a@test.example'] }, 'email'],
  ['another preference', { contact_preference: 'fax' }, 'contact_preference'],
  ['an hour at night', { time: 23 }, 'time'],
  ['an unknown time', { time: 'soon' }, 'time'],
])('a request for contact with %s is rejected', async (_, more, field) => {
  const { status, error } = await ask('start', more);
  expect({ status, fields: Object.keys(error.errors ?? {}) }).toEqual({ status: 422, fields: [field] });
  await app.runJobs();
  expect(app.mails).toEqual([]);
});

test('a request for contact with an action other than start and renew answers 404', async () => {
  expect((await ask('warning')).status).toBe(404);
});
