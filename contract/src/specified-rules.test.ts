import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { accessCalls } from './calls/access.ts';
import { billingCalls } from './calls/billing.ts';
import { contactCalls } from './calls/contact-us.ts';
import { passwordCalls } from './calls/passwords.ts';
import { schoolDetailsCalls } from './calls/school-details.ts';

// The validation rules of the specification of access and billing, at each call that has the field.

const CONTACT = {
  contact_name: 'Pat Office',
  address_line_1: '1 Mill Lane',
  postcode: 'SW1A 1AA',
  country_code: 'GBR',
  telephone: '02079460000',
  email: 'office@school.example',
};
const FOUNDER = { first_name: 'Jo', last_name: 'Li', email: 'jo@school.example', password: 'heron 7' };
const SCHOOL = { name: 'Mill Lane Primary' };

/** A body that each call accepts, with required fields alone. */
const CALLS = {
  login: [accessCalls.logIn.body, { email: 'jo@school.example', password: 'x' }],
  registration: [accessCalls.register.body, FOUNDER],
  'own details': [accessCalls.updateMe.body, FOUNDER],
  'forgotten password': [passwordCalls.requestPasswordReset.body, { email: 'jo@school.example' }],
  reset: [passwordCalls.resetPassword.body, { token: 't', password: 'heron 7' }],
  'school setup': [schoolDetailsCalls.registerSchool.body, { school: SCHOOL, contact: CONTACT, user: FOUNDER }],
  school: [schoolDetailsCalls.createSchool.body, SCHOOL],
  contact: [schoolDetailsCalls.updateContact.body, { contact: CONTACT }],
  'school details': [
    schoolDetailsCalls.updateSchoolDetails.body,
    { school: SCHOOL, primary: CONTACT, billing: { ...CONTACT, type: 'billing' } },
  ],
  subscription: [billingCalls.subscribe.body, { contact: CONTACT, package_id: 5 }],
  'contact request': [
    contactCalls.requestContact.body,
    { contact_number: '02079460000', email: 'jo@school.example', contact_preference: 'phone' },
  ],
} as const satisfies Record<string, readonly [z.ZodType, object]>;
type Name = keyof typeof CALLS;

/** The body of a call with another value at a path such as `contact.postcode`; `undefined` leaves the field out. */
function bodyWith(name: Name, path: string, value: unknown): object {
  const body = CALLS[name][1] as Record<string, object>;
  const [first = '', second] = path.split('.');
  return { ...body, [first]: second ? { ...body[first], [second]: value } : value };
}

/** The messages at the path; those elsewhere begin with their path. */
function messagesOf(name: Name, path: string, value: unknown): string[] {
  const { error } = CALLS[name][0].safeParse(bodyWith(name, path, value));
  return (error?.issues ?? []).map(({ path: at, message }) =>
    at.join('.') === path ? message : `${at.join('.')}: ${message}`,
  );
}

/** The fields of contacts in all calls. */
const contacts = (field: string): [Name, string][] => [
  ['school setup', `contact.${field}`],
  ['contact', `contact.${field}`],
  ['school details', `primary.${field}`],
  ['school details', `billing.${field}`],
  ['subscription', `contact.${field}`],
];
const isAccepted = (name: Name, path: string, value: unknown) => messagesOf(name, path, value).length === 0;

test.each(Object.keys(CALLS) as Name[])('%s accepts the required fields alone', (name) => {
  expect(CALLS[name][0].safeParse(CALLS[name][1]).error).toBeUndefined();
});

describe('an email', () => {
  const everywhere: [Name, string][] = [
    ['login', 'email'],
    ['registration', 'email'],
    ['forgotten password', 'email'],
    ['school setup', 'user.email'],
    ['contact request', 'email'],
    ...contacts('email'),
  ];

  test.each(everywhere)('an email is required and valid in the call for %s at %s', (name, path) => {
    for (const missing of [undefined, '', ' '])
      expect(messagesOf(name, path, missing)).toEqual(['Enter an email address.']);
    for (const wrong of ['head', 'a@b', '@school.example'])
      expect(messagesOf(name, path, wrong)).toEqual(['Enter an email address such as name@school.sch.uk.']);
  });

  test('an email is valid when a user changes it', () => {
    for (const wrong of ['', 'head']) expect(isAccepted('own details', 'email', wrong)).toBe(false);
  });
});

describe('a password', () => {
  test('a password is required at login, with any length', () => {
    for (const missing of [undefined, ''])
      expect(messagesOf('login', 'password', missing)).toEqual(['Enter a password.']);
    expect(isAccepted('login', 'password', 'x')).toBe(true);
  });

  test.each<[Name, string]>([
    ['registration', 'password'],
    ['school setup', 'user.password'],
    ['reset', 'password'],
  ])('a password is required and has at least 7 characters in the call for %s at %s', (name, path) => {
    expect(messagesOf(name, path, undefined)).toEqual(['Enter a password.']);
    for (const short of ['', 'heron7'])
      expect(messagesOf(name, path, short)).toEqual(['A password has at least 7 characters.']);
    expect(isAccepted(name, path, 'heron 7')).toBe(true);
  });
});

describe('the name of a person', () => {
  test.each<[Name, string]>([
    ['registration', 'first_name'],
    ['registration', 'last_name'],
    ['school setup', 'user.first_name'],
    ['school setup', 'user.last_name'],
  ])('the name of a person is required and has at least 2 characters in the call for %s at %s', (name, path) => {
    const label = path.endsWith('first_name') ? 'first name' : 'last name';
    expect(messagesOf(name, path, undefined)).toEqual([`Enter the ${label}.`]);
    for (const short of ['', 'J', ' J '])
      expect(messagesOf(name, path, short)).toEqual([`The ${label} has at least 2 characters.`]);
    expect(isAccepted(name, path, 'Jo')).toBe(true);
  });
});

describe('a school', () => {
  const calls: [Name, string][] = [
    ['school setup', 'school.'],
    ['school', ''],
    ['school details', 'school.'],
  ];

  test.each(calls)('a school needs a name in the call for %s (%j)', (name, at) => {
    for (const missing of [undefined, '', ' '])
      expect(messagesOf(name, `${at}name`, missing)).toEqual(['Enter the name of the school.']);
  });

  test.each(calls)('a school needs no URN in the call for %s (%j)', (name, at) => {
    for (const urn of [undefined, null, '', '123456']) expect(isAccepted(name, `${at}urn`, urn)).toBe(true);
  });
});

describe('a contact', () => {
  test.each([
    ...contacts('contact_name'),
    ...contacts('address_line_1'),
    ...contacts('postcode'),
    ...contacts('telephone'),
  ])('a contact is rejected in the call for %s without %s', (name, path) => {
    for (const missing of [undefined, '', ' ']) {
      expect(messagesOf(name, path, missing)[0]).toMatch(/^Enter (a|the) /);
    }
  });

  test.each([...contacts('job_role'), ...['2', '3', '4'].flatMap((line) => contacts(`address_line_${line}`))])(
    'is accepted in the call for %s with and without %s',
    (name, path) => {
      for (const value of [undefined, null, '', 'Any text']) expect(isAccepted(name, path, value)).toBe(true);
    },
  );

  test.each(contacts('postcode'))('a contact has a UK postcode in the call for %s at %s', (name, path) => {
    for (const wrong of ['nowhere', '12345', 'SW1A 1A', 'QW1A 1AA'])
      expect(messagesOf(name, path, wrong)).toEqual(['The Postcode is invalid']);
    for (const right of ['SW1A 1AA', 'm11ae']) expect(isAccepted(name, path, right)).toBe(true);
  });

  test.each(contacts('country_code'))(
    'has a three-letter country, GBR by default, in the call for %s at %s',
    (name, path) => {
      for (const wrong of ['', 'GB', 'XYZ', 'United Kingdom'])
        expect(messagesOf(name, path, wrong)).toEqual(['Choose a country from the list.']);
      const [part = '', field = ''] = path.split('.');
      const parsed = CALLS[name][0].parse(bodyWith(name, path, undefined)) as Record<string, Record<string, unknown>>;
      expect(parsed[part]?.[field]).toBe('GBR');
    },
  );

  test.each(contacts('telephone'))(
    'a contact has a phone of plus signs and digits in the call for %s at %s',
    (name, path) => {
      for (const wrong of ['ring the office', '020 7946 ext 2', '0207946*000', '#02079460000'])
        expect(messagesOf(name, path, wrong)).toEqual(['A phone number has only plus signs and digits.']);
      const [part = '', field = ''] = path.split('.');
      const parsed = CALLS[name][0].parse(bodyWith(name, path, '+44 (0)20 7946-0000')) as Record<
        string,
        Record<string, unknown>
      >;
      expect(parsed[part]?.[field]).toBe('+4402079460000');
    },
  );
});

describe('a new subscription', () => {
  test('a new subscription needs no purchase order number', () => {
    for (const po_number of [undefined, null, '', 'PO 7'])
      expect(isAccepted('subscription', 'po_number', po_number)).toBe(true);
  });
});

describe('the boxes of a school’s set-up', () => {
  test('the boxes of a school’s set-up must be ticked where they are sent', () => {
    expect(messagesOf('school setup', 'user.accept_eula', false)).toEqual(["Tick 'Accept EULA'."]);
    expect(messagesOf('school setup', 'user.accepts_ts_and_cs', false)).toEqual(["Tick 'Accepts Ts and Cs'."]);
    for (const box of ['accept_eula', 'accepts_ts_and_cs'])
      expect(isAccepted('school setup', `user.${box}`, true)).toBe(true);
  });
});

describe('a contact request', () => {
  test('a contact request needs a contact number', () => {
    for (const missing of [undefined, '', ' '])
      expect(messagesOf('contact request', 'contact_number', missing)[0]).toBe('Enter the contact number.');
  });

  test('a contact request needs a preference, phone or email', () => {
    for (const wrong of [undefined, '', 'fax'])
      expect(messagesOf('contact request', 'contact_preference', wrong)).toEqual(['Choose phone or email.']);
    for (const right of ['phone', 'email'])
      expect(isAccepted('contact request', 'contact_preference', right)).toBe(true);
  });

  test('a contact request has a time from 9 am to 12 noon or 1 to 6 pm, 10 am by default', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) =>
      isAccepted('contact request', 'time', hour),
    );
    expect(hours).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
    const timeOf = (time: unknown) =>
      (contactCalls.requestContact.body.parse(bodyWith('contact request', 'time', time)) as { time: number }).time;
    expect([1, 2, 3, 4, 5, 6].map(timeOf)).toEqual([13, 14, 15, 16, 17, 18]);
    expect(timeOf(undefined)).toBe(10);
  });
});
