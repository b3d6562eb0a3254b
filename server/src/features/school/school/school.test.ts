import { schoolCalls } from '#contract/calls/school.ts';
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../../clock.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school();
});
beforeEach(() => app.setTime(NOW));

const get = async (id: number, token: string, query: { include?: string } = {}) =>
  (await app.call(schoolCalls.getSchool, { params: { id }, query, token })).reply.enterprise;
const getAsAdmin = (query?: { include?: string }) => get(school.id, school.admin.token, query);

describe('the school', () => {
  test('a school is returned with its classes and their counts, its staff and no more than requested', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 102]);
    const { subscription, setup: _, users, ...fields } = await getAsAdmin();
    const manager = { id: school.teacher.id, first_name: 'Morgan', last_name: 'Teacher' };
    expect(fields).toEqual({
      id: school.id,
      name: school.name,
      urn: null,
      type: 'school',
      nation: null,
      nation_chosen: false,
      names_in_emails: 'initial',
      recording_enabled: false,
      can_enable_recordings: false,
      user_manages: true,
      terms_accepted_at: NOW,
      features: ['new_statistics'],
      access: 'open',
      closing: null,
      admin_request: null,
      second_admin: null,
      contacts: [],
      readers_count: 4,
      groups: [
        {
          id: school.ownClass.id,
          name: 'Year 3 Wrens',
          readers_count: 2,
          assigned_book_count: 2,
          year_groups: [],
          manager,
          manager_id: school.teacher.id,
          teachers: [manager],
          assistants: [],
          user_manages: true,
        },
        {
          id: school.otherClass.id,
          name: 'Year 5 Swifts',
          readers_count: 1,
          assigned_book_count: 0,
          year_groups: [],
          manager: null,
          manager_id: null,
          teachers: [],
          assistants: [],
          user_manages: true,
        },
      ],
    });
    expect(users).toEqual([
      {
        id: school.admin.id,
        first_name: 'Morgan',
        last_name: 'Admin',
        email: school.admin.email,
        enterprise_user_role: 'admin',
        role: 'admin',
        user_manages: false,
      },
      {
        id: school.teacher.id,
        first_name: 'Morgan',
        last_name: 'Teacher',
        email: school.teacher.email,
        enterprise_user_role: 'teacher',
        role: 'teacher',
        user_manages: true,
      },
    ]);
    expect(subscription).not.toBeNull();
  });

  test('a teacher can change their own class, and neither the school nor its staff', async () => {
    const seen = await get(school.id, school.teacher.token);
    expect(seen.user_manages).toBe(false);
    expect(seen.groups.map(({ name, user_manages }) => [name, user_manages])).toEqual([
      ['Year 3 Wrens', true],
      ['Year 5 Swifts', false],
    ]);
    expect(seen.users.map(({ user_manages }) => user_manages)).toEqual([false, false]);
  });

  test('a school is returned with its contacts, the primary one first', async () => {
    const contact = {
      contact_name: 'Pat Office',
      job_role: null,
      address_line_1: '1 Road',
      address_line_2: null,
      address_line_3: null,
      address_line_4: null,
      postcode: 'LS1 1AA',
      country_code: 'GBR',
      telephone: '+441130000000',
      email: null,
    };
    for (const type of ['billing', 'primary'] as const)
      await app.database.kysely
        .insertInto('contacts')
        .values({ school_id: school.id, type, ...contact })
        .execute();
    const { contacts } = await getAsAdmin();
    expect(contacts).toEqual(['primary', 'billing'].map((type) => ({ id: expect.any(Number), type, ...contact })));
  });
});

describe('the set-up of a school', () => {
  test('the set-up of a school turns on flag by flag', async () => {
    const empty = await app.build.emptySchool();
    const setup = async () => (await get(empty.id, empty.admin.token)).setup;
    const flags = {
      has_setup_teachers: false,
      has_setup_classes: false,
      has_setup_pupils: false,
      has_setup_assigned_books: false,
      has_chart_data: false,
    };
    expect(await setup()).toEqual(flags);
    const built = { ...school, id: empty.id };
    const classId = await app.build.newClass(built, 'Year 1');
    expect(await setup()).toEqual({ ...flags, has_setup_classes: true });
    const [pupil] = await app.build.pupils(built, classId, ['Ada']);
    expect(await setup()).toEqual({ ...flags, has_setup_classes: true, has_setup_pupils: true });
    await app.build.assign(built, { classId }, [101]);
    expect(await setup()).toEqual({
      ...flags,
      has_setup_classes: true,
      has_setup_pupils: true,
      has_setup_assigned_books: true,
    });
    await app.build.reading(built, pupil?.id ?? 0, [{}]);
    expect(await setup()).toEqual({
      ...flags,
      has_setup_classes: true,
      has_setup_pupils: true,
      has_setup_assigned_books: true,
      has_chart_data: true,
    });
    await app.build.staff(empty, 'teacher');
    expect(Object.values(await setup())).toEqual([true, true, true, true, true]);
  });

  test('the set-up of a school counts an invite as teachers, and a book of one pupil as assigned', async () => {
    const empty = await app.build.emptySchool();
    const built = { ...school, id: empty.id };
    await app.database.kysely
      .insertInto('invites')
      .values({
        school_id: empty.id,
        id: randomUUID(),
        email: 'a@test.example',
        email_key: 'a@test.example',
        name: 'A',
        role: 'teacher',
        status: 'pending',
        invited_by: null,
        created_at: new Date(NOW),
        expires_at: new Date(NOW),
      })
      .execute();
    const [pupil] = await app.build.pupils(built, null, ['Ada']);
    await app.build.assign(built, { pupilId: pupil?.id ?? 0 }, [101]);
    expect((await get(empty.id, empty.admin.token)).setup).toMatchObject({
      has_setup_teachers: true,
      has_setup_classes: false,
      has_setup_assigned_books: true,
    });
  });
});

describe('parts of a school', () => {
  const invoice = async (number: string, status: 'open' | 'paid', due_date: string, schoolId = school.id) =>
    app.database.kysely
      .insertInto('invoices')
      .values({
        school_id: schoolId,
        subscription_id: (
          await app.database.kysely
            .selectFrom('subscriptions')
            .select('id')
            .where('school_id', '=', schoolId)
            .executeTakeFirstOrThrow()
        ).id,
        content: '{}' as never,
        number,
        issued_at: new Date(`${due_date}T00:00:00Z`),
        due_date,
        locks_on: addDays(due_date, 1),
        status,
        subtotal_pence: 10_000,
        vat_pence: 2_000,
        total_pence: 12_000,
        po_number: null,
        token: `token-${number}`,
      })
      .execute();

  test('GET /enterprises/:id?include=readers adds the pupils by name, for admins and teachers', async () => {
    for (const { token } of [school.admin, school.teacher]) {
      const { readers: pupils, invoices } = await get(school.id, token, { include: 'readers' });
      expect(pupils?.map((pupil) => [pupil.name, pupil.group?.name ?? null])).toEqual([
        ['Ada Baker', 'Year 3 Wrens'],
        ["Finn O'Hara", 'Year 5 Swifts'],
        ['Mina Rahman', null],
        ['Zoë Łukasik', 'Year 3 Wrens'],
      ]);
      expect(invoices).toBeUndefined();
    }
  });

  test('GET /enterprises/:id?include=invoices adds the invoices for admins only, the newest first, with open and overdue amounts', async () => {
    const none = (await getAsAdmin({ include: 'invoices' })).invoices;
    expect(none).toEqual({
      data: [],
      meta: { has_open_invoice: false, has_outstanding_invoice: false, open_invoice: null, outstanding_invoice: null },
    });
    await invoice('INV-1', 'paid', '2025-11-01');
    await invoice('INV-2', 'open', '2026-11-18');
    const dueToday = (await getAsAdmin({ include: 'readers,invoices' })).invoices;
    expect(dueToday?.data.map(({ number, total }) => [number, total])).toEqual([
      ['INV-2', 12_000],
      ['INV-1', 12_000],
    ]);
    expect(dueToday?.meta).toMatchObject({
      has_open_invoice: true,
      has_outstanding_invoice: false,
      open_invoice: { number: 'INV-2' },
      outstanding_invoice: null,
    });
    expect((await get(school.id, school.teacher.token, { include: 'readers,invoices' })).invoices).toBeUndefined();
    app.setTime('2026-11-19T00:00:00Z');
    expect((await getAsAdmin({ include: 'invoices' })).invoices?.meta).toMatchObject({
      has_outstanding_invoice: true,
      outstanding_invoice: { number: 'INV-2' },
    });
  });

  test.each(['staff', 'readers;invoices', 'readers,staff', '__proto__'])(
    'GET /enterprises/:id answers 422 to include=%j',
    async (include) => {
      const { status, error } = await app.call(schoolCalls.getSchool, {
        params: { id: school.id },
        query: { include },
        token: school.admin.token,
      });
      expect(status).toBe(422);
      expect(Object.keys(error.errors ?? {})[0]).toMatch(/^include/);
    },
  );

  test.each(['include=readers&include=invoices', 'include=invoices,%20readers', 'include=readers,readers,,invoices'])(
    'GET /enterprises/:id?%s adds both parts once',
    async (query) => {
      const { status, reply } = await app.ask('GET', `/enterprises/${school.id}?${query}`, school.admin);
      expect(status).toBe(200);
      expect(reply).toMatchObject({
        enterprise: { readers: expect.any(Array), invoices: { data: expect.any(Array) } },
        meta: { omitted: [] },
      });
    },
  );

  test.each([
    ['repeated with junk', 'include=readers&include=x'],
    ['longer than 200 characters', `include=${'readers,'.repeat(30)}`],
    ['an object', 'include[readers]=1'],
  ])(
    'GET /enterprises/:id answers 422 to an include that is %s, with the values that it can have',
    async (_, query) => {
      const { status, error } = await app.ask('GET', `/enterprises/${school.id}?${query}`, school.admin);
      expect([status, error.error]).toEqual([422, 'include can be invoices, readers, or both separated by a comma.']);
    },
  );
});

describe('the subscription of a school', () => {
  test.each([
    ['2026-11-18T12:00:00Z', 365, false, false],
    ['2027-09-18T12:00:00Z', 61, false, false],
    ['2027-09-19T12:00:00Z', 60, true, false],
    ['2027-11-17T11:59:59Z', 1, true, false],
    ['2027-11-17T23:59:59Z', 1, true, false],
    ['2027-11-18T00:00:01Z', 0, true, false],
    ['2027-11-18T11:59:59Z', 0, true, false],
    ['2027-11-18T12:00:00Z', 0, true, true],
    ['2028-11-18T12:00:00Z', 0, true, true],
  ])('on %s a subscription has %i days left', async (at, days, nearing, expired) => {
    app.setTime(NOW);
    const built = await app.build.emptySchool();
    app.setTime(at);
    await app.database.kysely
      .updateTable('sessions')
      .set({ last_used_at: new Date(at), expires_at: new Date('2030-01-01') })
      .where('user_id', '=', built.admin.id)
      .execute();
    const { subscription } = await get(built.id, built.admin.token);
    expect(subscription).toMatchObject({
      expires_at: '2027-11-18T12:00:00.000Z',
      billing_period_end: '2027-11-18T12:00:00.000Z',
      payment_amount: 48_000,
      max_readers: 120,
      is_trial: false,
      has_expired: expired,
      meta: { num_of_days_before_end: days, is_nearing_end: nearing },
    });
  });
});
