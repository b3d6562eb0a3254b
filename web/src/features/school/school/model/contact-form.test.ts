import { expect, it } from 'vitest';
import { contactForm, contactValues, countryChoices } from './contact-form.ts';

it('a contact form lists every country once, the United Kingdom, India and the United States first', () => {
  const { first, others } = countryChoices();
  expect(first.map(({ label }) => label)).toEqual(['United Kingdom', 'India', 'United States']);
  expect(others.length).toBeGreaterThan(240);
  expect(new Set([...first, ...others].map(({ value }) => value)).size).toBe(first.length + others.length);
  expect(others.filter(({ label, value }) => label === value)).toEqual([]);
});

it('a contact form reports a wrong postcode together with all other errors', () => {
  const wrong = contactForm.safeParse({ ...contactValues(), postcode: 'nowhere' });
  expect([...new Set(wrong.error?.issues.map(({ path }) => path.join('.')))].sort()).toEqual([
    'address_line_1',
    'contact_name',
    'postcode',
    'telephone',
  ]);
  expect(wrong.error?.issues.find(({ path }) => path[0] === 'postcode')?.message).toBe('The Postcode is invalid');
});

it('a contact form requires a postcode and a country, and nothing optional', () => {
  const filled = {
    ...contactValues(),
    contact_name: 'Ann',
    address_line_1: '1 Lane',
    telephone: '02079460000',
    postcode: 'SW1A 1AA',
  };
  const missing = (changes: object) =>
    contactForm.safeParse({ ...filled, ...changes }).error?.issues.map(({ path }) => path.join('.'));
  const optional = { job_role: '', address_line_2: '', address_line_3: '', address_line_4: '' };
  expect(missing(optional)).toBeUndefined();
  expect(missing({ postcode: ' ' })).toEqual(['postcode']);
  expect(missing({ country_code: '' })).toEqual(['country_code']);
});

it.each([
  ['sw1a1aa', 'GBR'],
  [' SW1A  1aa ', 'GBR'],
  ['110001', 'IND'],
  ['94105-1804', 'USA'],
])('a contact form accepts the postcode %j in %s', (postcode, country_code) => {
  const given = {
    ...contactValues(),
    contact_name: 'Ann',
    address_line_1: '1 Lane',
    telephone: '+44 20 7946 0000',
    postcode,
    country_code,
  };
  expect(contactForm.safeParse(given).error).toBeUndefined();
});
