import type { ContactInput } from '#contract/calls/contacts.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import type { Nation } from '#contract/nations.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
beforeEach(async () => {
  school = await app.build.school();
});

const at = () => ({ params: { id: school.id }, token: school.admin.token });
const nationOf = async () => {
  const { nation, nation_chosen: isChosen } = (await app.call(schoolCalls.getSchool, { ...at(), query: {} })).reply
    .enterprise;
  return [nation, isChosen];
};
const contact = (postcode: string, more: Partial<ContactInput> = {}) => ({
  contact_name: 'Grace Lim',
  address_line_1: '1 School Lane',
  postcode,
  telephone: '020 7946 0000',
  email: 'office@oakfield.sch.example',
  ...more,
});
const saveContact = (postcode: string, more: Partial<ContactInput> = {}) =>
  app.call(schoolDetailsCalls.updateContact, {
    ...at(),
    body: { contact: { type: 'primary', ...contact(postcode, more) } },
  });
const saveDetails = (postcode: string, nation?: Nation | null) =>
  app.call(schoolDetailsCalls.updateSchoolDetails, {
    ...at(),
    body: { school: { name: school.name, ...(nation !== undefined && { nation }) }, primary: contact(postcode) },
  });

test('the nation follows the postcode of the primary contact alone', async () => {
  expect(await nationOf()).toEqual([null, false]);
  await saveContact('G12 8QQ');
  expect(await nationOf()).toEqual(['scotland', false]);
  await saveContact('BT1 1AA', { type: 'billing' });
  expect(await nationOf()).toEqual(['scotland', false]);
  await saveDetails('CF10 1AA');
  expect(await nationOf()).toEqual(['wales', false]);
  await saveContact('D02 X285', { country_code: 'IRL' });
  expect(await nationOf()).toEqual([null, false]);
});

test('a chosen nation stays when the postcode changes, and is in the log', async () => {
  await saveContact('CH7 1AA');
  await saveDetails('CH7 1AA', 'england');
  expect(await nationOf()).toEqual(['england', true]);
  await saveContact('G12 8QQ');
  expect(await nationOf()).toEqual(['england', true]);
  const { entries } = (await app.call(schoolCalls.listAuditLog, { ...at(), query: { kind: 'school' } })).reply;
  expect(entries.find(({ action }) => action === 'school_changed')?.details).toMatchObject({
    from: { nation: 'wales' },
    to: { nation: 'england' },
  });
  const { reply } = await app.call(schoolDetailsCalls.updateSchool, { ...at(), body: { nation: null } });
  expect([reply.enterprise.nation, reply.enterprise.name]).toEqual([null, school.name]);
  await saveContact('CF10 1AA');
  expect(await nationOf()).toEqual([null, true]);
});
