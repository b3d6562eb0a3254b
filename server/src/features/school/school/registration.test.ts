import { accessCalls } from '#contract/calls/access.ts';
import { billingCalls } from '#contract/calls/billing.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';

const app = testApp();
const PASSWORD = 'kite harbour 7';
let counter = 0;

const contact = {
  contact_name: 'Pat Office',
  address_line_1: '1 Mill Lane',
  postcode: ' sw1a  1aa',
  telephone: '+44 20 7946 0000',
  email: 'office@mill-lane.example',
};
function makeRegistration() {
  counter += 1;
  return {
    school: { name: `Mill Lane Primary ${counter}`, urn: '123 456', type: 'school' as const },
    contact: { ...contact } as Record<string, unknown>,
    user: {
      first_name: 'Hana',
      last_name: 'Head',
      email: `head-${counter}@test.example`,
      password: PASSWORD,
      accept_eula: true,
      accepts_ts_and_cs: true,
    } as Record<string, unknown>,
  };
}
const register = (payload: object) => app.ask('POST', '/enterprises/setup', { payload });
const countSchools = async () => (await app.database.kysely.selectFrom('schools').select('id').execute()).length;

describe('registration', () => {
  test('registration creates a school, its contact and its admin, who can log in', async () => {
    const body = makeRegistration();
    const { status, reply } = await app.call(schoolDetailsCalls.registerSchool, { body: body as never });
    expect(status).toBe(200);
    expect(reply.enterprise).toMatchObject({
      name: body.school.name,
      urn: '123456',
      user_manages: true,
      terms_accepted_at: '2026-11-18T12:00:00.000Z',
      subscription: null,
    });
    expect(reply.enterprise.contacts).toMatchObject([
      {
        type: 'primary',
        postcode: 'SW1A 1AA',
        telephone: '+442079460000',
        country_code: 'GBR',
        email: 'office@mill-lane.example',
        job_role: null,
      },
    ]);
    const login = await app.call(accessCalls.logIn, { body: { email: String(body.user.email), password: PASSWORD } });
    expect(login.reply.user).toMatchObject({
      enterprise: { id: reply.enterprise.id },
      enterprise_user_role: 'admin',
      user_type: 'enterprise',
    });
    const asAdmin = { token: login.reply.meta.token, params: { id: reply.enterprise.id } };
    await app.call(billingCalls.startTrial, { ...asAdmin, body: {} });
    const log = await app.call(schoolCalls.listAuditLog, asAdmin);
    expect(log.reply.entries).toMatchObject([
      { action: 'trial_started' },
      { action: 'logged_in', actor: { name: 'Hana Head' } },
      { action: 'school_founded', actor: { name: 'Hana Head' }, details: { terms_accepted: true } },
    ]);
  });

  test('registration creates nothing when the address is taken, before or at the same time', async () => {
    const body = makeRegistration();
    expect((await register(body)).status).toBe(200);
    const before = await countSchools();
    expect(
      await register({ ...makeRegistration(), user: { ...body.user, email: String(body.user.email).toUpperCase() } }),
    ).toMatchObject({ status: 400, error: { error: 'Duplicate email' } });
    expect(await countSchools()).toBe(before);
    const twice = makeRegistration();
    expect(
      (await Promise.all([register(twice), register(twice), register(twice)])).map(({ status }) => status).sort(),
    ).toEqual([200, 400, 400]);
    expect(await countSchools()).toBe(before + 1);
  });

  test('registration records accepted documents and by whom, or asks at the first login if the boxes were not ticked', async () => {
    const [ticked, unticked] = [makeRegistration(), makeRegistration()];
    delete unticked.user.accept_eula;
    const outcomes = [];
    for (const body of [ticked, unticked]) {
      const { reply } = await app.call(schoolDetailsCalls.registerSchool, { body: body as never });
      const login = await app.call(accessCalls.logIn, { body: { email: String(body.user.email), password: PASSWORD } });
      const acceptances = await app.database.kysely
        .selectFrom('terms_acceptances')
        .select(['document', 'user_id'])
        .where('school_id', '=', reply.enterprise.id)
        .orderBy('document')
        .execute();
      outcomes.push({
        isAccepted: reply.enterprise.terms_accepted_at !== null,
        documents: acceptances.map(({ document }) => document),
        isFounders: acceptances.every(({ user_id }) => user_id === login.reply.user.id),
      });
    }
    expect(outcomes).toEqual([
      { isAccepted: true, documents: ['licence', 'privacy', 'terms'], isFounders: true },
      { isAccepted: false, documents: [], isFounders: true },
    ]);
  });

  test.each<[string, (body: ReturnType<typeof makeRegistration>) => void, string]>([
    ['a box that is not ticked', ({ user }) => (user.accept_eula = false), 'user.accept_eula'],
    ['the other box', ({ user }) => (user.accepts_ts_and_cs = 0), 'user.accepts_ts_and_cs'],
    ['no name of the school', ({ school }) => (school.name = '  '), 'school.name'],
    ['a web address in the name', ({ school }) => (school.name = 'Win at www.prizes.example'), 'school.name'],
    ['a URN of five digits', ({ school }) => (school.urn = '12345'), 'school.urn'],
    ['a URN of letters', ({ school }) => (school.urn = 'abcdef'), 'school.urn'],
    ['no contact name', ({ contact: given }) => delete given.contact_name, 'contact.contact_name'],
    ['no address', ({ contact: given }) => (given.address_line_1 = ''), 'contact.address_line_1'],
    ['no phone', ({ contact: given }) => (given.telephone = ' '), 'contact.telephone'],
    ['a phone with letters', ({ contact: given }) => (given.telephone = '020 CALL ME'), 'contact.telephone'],
    ['an unknown country', ({ contact: given }) => (given.country_code = 'XYZ'), 'contact.country_code'],
    ['a two-letter country', ({ contact: given }) => (given.country_code = 'GB'), 'contact.country_code'],
    ['a list where an address is expected', ({ user }) => (user.email = ['a@test.example']), 'user.email'],
    ['a common password', ({ user }) => (user.password = 'liverpool1'), 'user.password'],
    ['a short password', ({ user }) => (user.password = 'short'), 'user.password'],
    ['no email of the contact', ({ contact: given }) => delete given.email, 'contact.email'],
    ['an empty email of the contact', ({ contact: given }) => (given.email = ''), 'contact.email'],
    ['a wrong email of the contact', ({ contact: given }) => (given.email = 'nobody'), 'contact.email'],
  ])('registration rejects %s', async (_, spoil, field) => {
    const body = makeRegistration();
    spoil(body);
    const before = await countSchools();
    const { status, error } = await register(body);
    expect({ status, fields: Object.keys(error.errors ?? {}) }).toEqual({ status: 422, fields: [field] });
    expect(await countSchools()).toBe(before);
  });

  test('registration answers a wrong postcode with the specified text', async () => {
    const body = makeRegistration();
    body.contact.postcode = 'NOT A POSTCODE';
    expect((await register(body)).error.errors).toEqual({ 'contact.postcode': ['The Postcode is invalid'] });
  });

  test('registration reports a wrong postcode together with the other wrong fields', async () => {
    const body = makeRegistration();
    body.contact.postcode = 'NOT A POSTCODE';
    body.contact.telephone = 'abc';
    body.user.password = 'short';
    expect(Object.keys((await register(body)).error.errors ?? {}).sort()).toEqual([
      'contact.postcode',
      'contact.telephone',
      'user.password',
    ]);
  });

  describe('in another format', () => {
    // The hour in which an address may try 30 times is over.
    beforeAll(() => app.setTime('2026-11-18T14:00:00.000Z'));
    afterAll(() => app.setTime('2026-11-18T12:00:00.000Z'));

    test.each([[{}], ['"text"'], ['null'], ['[]'], [{ school: [], contact: [], user: [] }]])(
      'registration rejects the body %j',
      async (payload) => {
        expect((await app.ask('POST', '/enterprises/setup', { payload })).status).toBe(422);
      },
    );
  });
});

describe('registration by a logged-in user', () => {
  test('a user without a school registers one and becomes its admin, once when several requests arrive together', async () => {
    const person = await app.build.person('standard');
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        app.call(schoolDetailsCalls.createSchool, { token: person.token, body: { name: 'Lone School', urn: '' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { user } = (await app.call(accessCalls.getMe, { token: person.token })).reply;
    expect(user).toMatchObject({
      user_type: 'enterprise',
      enterprise: { name: 'Lone School', terms_accepted_at: null },
      enterprise_user_role: 'admin',
    });
  });

  test('a school that a user registers is returned again for the same Idempotency-Key', async () => {
    const person = await app.build.person('enterprise');
    const once = () =>
      app.call(schoolDetailsCalls.createSchool, {
        token: person.token,
        body: { name: 'Key School', urn: null },
        headers: { 'idempotency-key': 'register-this-once' },
      });
    const [first, second] = [await once(), await once()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.reply).toEqual(first.reply);
    expect(first.reply.enterprise.name).toBe('Key School');
  });

  test('rejects the registration of a school by a member of another school', async () => {
    const { admin } = await app.build.school();
    expect(
      await app.call(schoolDetailsCalls.createSchool, { token: admin.token, body: { name: 'Second', urn: null } }),
    ).toMatchObject({
      status: 409,
      error: { code: 'already_in_school' },
    });
  });
});

describe('details of a school', () => {
  test('an admin changes the details of the school, which is logged', async () => {
    const school = await app.build.school();
    const at = { token: school.admin.token, params: { id: school.id } };
    const { reply } = await app.call(schoolDetailsCalls.updateSchool, {
      ...at,
      body: { name: 'New Name', urn: '654321', type: 'school' },
    });
    expect(reply.enterprise).toMatchObject({ name: 'New Name', urn: '654321' });
    const log = await app.call(schoolCalls.listAuditLog, at);
    expect(log.reply.entries[0]).toMatchObject({
      action: 'school_changed',
      details: { from: { name: school.name, urn: null }, to: { name: 'New Name', urn: '654321' } },
    });
  });

  test('recordings are turned on and off where they are available, which leaves the URN unchanged', async () => {
    const school = await app.build.school();
    const at = { token: school.admin.token, params: { id: school.id } };
    expect((await app.call(schoolDetailsCalls.updateSchool, { ...at, body: { recording_enabled: 1 } })).status).toBe(
      409,
    );
    await app.database.kysely
      .updateTable('schools')
      .set({ can_enable_recordings: true, urn: '111111' })
      .where('id', '=', school.id)
      .execute();
    expect(
      (await app.call(schoolDetailsCalls.updateSchool, { ...at, body: { recording_enabled: 1 } })).reply.enterprise,
    ).toMatchObject({
      recording_enabled: true,
      urn: '111111',
      name: school.name,
    });
    expect(
      (await app.call(schoolDetailsCalls.updateSchool, { ...at, body: { recording_enabled: 0 } })).reply.enterprise
        .recording_enabled,
    ).toBe(false);
  });

  test('recordings can be turned off while the school is locked, and not turned on', async () => {
    const school = await app.build.school();
    await app.database.kysely
      .updateTable('schools')
      .set({ can_enable_recordings: true, recording_enabled: true })
      .where('id', '=', school.id)
      .execute();
    await app.build.invoice(school);
    await app.database.kysely
      .updateTable('invoices')
      .set({ due_date: '2020-01-01', locks_on: '2020-01-08' })
      .where('school_id', '=', school.id)
      .execute();
    const set = (recording_enabled: boolean) =>
      app.call(schoolDetailsCalls.updateSchool, {
        token: school.admin.token,
        params: { id: school.id },
        body: { recording_enabled },
      });
    expect((await set(false)).reply.enterprise).toMatchObject({ recording_enabled: false, access: 'locked' });
    expect(await set(true)).toMatchObject({ status: 402, error: { code: 'locked' } });
  });

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: ['a'] }],
    [{ urn: '123456' }],
    [{ name: 'A', type: 'college' }],
    [{ recording_enabled: 'often' }],
  ])('rejects the school details %j', async (payload) => {
    const school = await app.build.school();
    expect((await app.ask('POST', `/enterprises/${school.id}`, { token: school.admin.token, payload })).status).toBe(
      422,
    );
  });

  test('the details of a school are saved together with both contacts, or not at all', async () => {
    const school = await app.build.school();
    const at = { token: school.admin.token, params: { id: school.id } };
    const details = { school: { name: 'New Name', urn: '654321' }, primary: contact };
    const save = (body: typeof details & { billing?: object | null }) =>
      app.ask('POST', `/enterprises/${school.id}/details`, { token: school.admin.token, payload: body });
    const stored = async () => (await app.call(schoolCalls.getSchool, at)).reply.enterprise;

    const wrong = await save({ ...details, billing: { ...contact, postcode: 'nowhere' } });
    expect(wrong.status).toBe(422);
    expect(await stored()).toMatchObject({ name: school.name, contacts: [] });

    expect((await save(details)).status).toBe(200);
    expect(await stored()).toMatchObject({ name: 'New Name', urn: '654321', contacts: [{ type: 'primary' }] });

    expect((await save({ ...details, billing: { ...contact, contact_name: 'Bill' } })).status).toBe(200);
    expect((await stored()).contacts).toMatchObject([
      { type: 'primary', contact_name: contact.contact_name },
      { type: 'billing', contact_name: 'Bill' },
    ]);
    expect((await save(details)).status).toBe(200);
    expect((await stored()).contacts).toHaveLength(2);
  });

  test('a school has one contact of each kind, and invoices are sent to the billing contact', async () => {
    const school = await app.build.school();
    const at = { token: school.admin.token, params: { id: school.id } };
    const billing = async () => (await app.call(schoolDetailsCalls.getBillingContact, at)).reply.billing_address;
    const save = (more: object) =>
      app.call(schoolDetailsCalls.updateContact, { ...at, body: { contact: { ...contact, ...more } } });
    expect(await billing()).toBeNull();
    await save({ type: 'primary' });
    expect(await billing()).toMatchObject({ type: 'primary', postcode: 'SW1A 1AA' });
    await save({
      type: 'billing',
      contact_name: 'Bill',
      country_code: 'ind',
      postcode: '110001',
      email: 'bill@test.example',
    });
    const indian = { type: 'billing', country_code: 'IND', postcode: '110001' };
    expect((await save({ ...indian, email: '' })).error.errors).toEqual({
      'contact.email': ['Enter an email address.'],
    });
    expect((await save({ ...indian, contact_name: 'Billie', email: 'billie@test.example' })).status).toBe(200);
    expect(await billing()).toMatchObject({
      type: 'billing',
      contact_name: 'Billie',
      country_code: 'IND',
      postcode: '110001',
      email: 'billie@test.example',
    });
    expect((await app.call(schoolCalls.getSchool, at)).reply.enterprise.contacts.map(({ type }) => type)).toEqual([
      'primary',
      'billing',
    ]);
  });

  test('the terms are accepted once', async () => {
    const school = await app.build.school();
    const at = { token: school.admin.token, params: { id: school.id } };
    await app.database.kysely
      .updateTable('schools')
      .set({ terms_accepted_at: null })
      .where('id', '=', school.id)
      .execute();
    const accepted = async () =>
      (await app.call(accessCalls.getMe, { token: school.teacher.token })).reply.user.enterprise?.terms_accepted_at;
    expect(await accepted()).toBeNull();
    expect((await app.call(schoolDetailsCalls.acceptTerms, at)).status).toBe(200);
    app.setTime('2026-11-19T12:00:00.000Z');
    expect((await app.call(schoolDetailsCalls.acceptTerms, at)).status).toBe(200);
    app.setTime('2026-11-18T12:00:00.000Z');
    expect(await accepted()).toBe('2026-11-18T12:00:00.000Z');
    const log = await app.call(schoolCalls.listAuditLog, at);
    expect(log.reply.entries.map(({ action }) => action)).toEqual(['terms_accepted']);
  });
});
