import { archiveCalls } from '#contract/calls/archive.ts';
import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { CONTACT } from '../../../testing/builder.ts';

const app = testApp();
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

type School = Awaited<ReturnType<typeof newSchool>>;

/** Generates distinct names. */
const namesFrom = (from: number, count: number) =>
  Array.from(
    { length: count },
    (_, n) => `Ada Baker${String.fromCodePoint(97 + ((from + n) % 26), 97 + Math.floor((from + n) / 26))}`,
  );

/** A school with `pupilCount` pupils and a subscription for 120 that ends in 14 days. */
async function newSchool(pupilCount: number) {
  const { id, admin } = await app.build.emptySchool();
  await app.database.kysely
    .updateTable('subscriptions')
    .set({ starts_at: new Date('2025-12-03T00:00:00Z'), expires_at: new Date('2026-12-02T23:59:59Z') })
    .where('school_id', '=', id)
    .execute();
  const pupils = pupilCount === 0 ? [] : await app.build.pupils({ id }, null, namesFrom(0, pupilCount));
  return { id, pupils, asAdmin: { token: admin.token, params: { id } } };
}

const renew = (school: School, package_id: number) =>
  app.call(billingCalls.subscribe, { ...school.asAdmin, body: { package_id, contact: CONTACT } });
const add = (school: School, names: readonly string[]) =>
  app.call(pupilImportCalls.createPupils, { ...school.asAdmin, body: { readers: names.map((name) => ({ name })) } });
const countActive = async ({ id }: School) =>
  Number(
    (
      await app.database.kysely
        .selectFrom('pupils')
        .select(({ fn }) => fn.countAll().as('n'))
        .where('school_id', '=', id)
        .where('archived_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).n,
  );
/** Moves the clock and keeps everyone logged in. */
async function moveTo(moment: string) {
  app.setTime(moment);
  await app.database.kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date(moment), expires_at: new Date('2050-01-01') })
    .execute();
}

test('a renewal and a concurrent addition of pupils run one after the other', async () => {
  for (let round = 0; round < 5; round += 1) {
    const school = await newSchool(29);
    // The package for 30 has a place for one of them.
    const [renewal, added] = await Promise.all([renew(school, 2), add(school, namesFrom(100, 2))]);
    expect(added.status).toBe(200);
    if (renewal.status === 409) expect(renewal.error).toMatchObject({ code: 'too_many_pupils', pupils: 31 });
    else expect(renewal.status).toBe(200);
    expect(await countActive(school)).toBe(31);
    const { subscription } = (await app.call(billingCalls.getSubscription, school.asAdmin)).reply;
    expect(subscription?.max_readers).toBe(120);
    expect(subscription?.next_period?.max_readers).toBe(renewal.status === 200 ? 30 : undefined);
  }
});

test('after a subscription ends, pupils added during the renewal cannot exceed the new package', async () => {
  for (let round = 0; round < 5; round += 1) {
    const school = await newSchool(29);
    await moveTo('2026-12-03T00:00:00Z');
    const [renewal, first, second] = await Promise.all([
      renew(school, 2),
      add(school, namesFrom(100, 1)),
      add(school, namesFrom(101, 1)),
    ]);
    expect(renewal.status).toBe(200);
    // Without an active subscription no pupil can be added. The new one has one free place.
    expect([first, second].filter(({ status }) => status === 200).length).toBeLessThan(2);
    expect(await countActive(school)).toBeLessThan(31);
    app.setTime('2026-11-18T12:00:00.000Z');
  }
});

test('when a smaller period starts, no pupil is removed and none can be added until there is a free place', async () => {
  const school = await newSchool(29);
  expect((await renew(school, 2)).status).toBe(200);
  expect((await add(school, namesFrom(100, 4))).status).toBe(200);
  const [first, second, third, fourth] = school.pupils.map(({ id }) => id) as [number, number, number, number];
  const archive = (pupilIds: number[]) =>
    app.call(archiveCalls.archivePupils, { ...school.asAdmin, body: { reader_ids: pupilIds } });
  const restore = (pupilIds: number[]) =>
    app.call(archiveCalls.restorePupils, { ...school.asAdmin, body: { reader_ids: pupilIds } });

  // Until then today's places remain.
  await moveTo('2026-12-02T23:59:59Z');
  expect((await archive([first])).status).toBe(200);
  expect((await restore([first])).status).toBe(200);
  await moveTo('2026-12-03T00:00:00Z');
  expect(await countActive(school)).toBe(33);
  const blocked = await add(school, namesFrom(120, 1));
  expect(blocked.error).toMatchObject({
    code: 'max-readers-reached:admin:0',
    error: 'Your current subscription only has capacity for 0 new readers, click here to upgrade',
  });
  await archive([first, second, third]);
  expect((await restore([first])).error.code).toBe('max-readers-reached:admin:0');
  expect((await add(school, namesFrom(120, 1))).status).not.toBe(200);
  await archive([fourth]);
  expect((await restore([first])).status).toBe(200);
  expect(await countActive(school)).toBe(30);
});

const grant = async (school: School, body: object) => {
  const { token } = await app.build.operator();
  return app.call(billingConsoleCalls.grantCustomPackage, {
    token,
    params: { schoolId: school.id },
    body: { title: 'Pilot', price: 0, max_readers: 999, ends_on: '2027-08-31', ...body },
  });
};

test('a custom package needs a place for each active pupil', async () => {
  const school = await newSchool(3);
  const before = (await app.call(billingCalls.getSubscription, school.asAdmin)).reply;
  expect(await grant(school, { max_readers: 2 })).toMatchObject({
    status: 422,
    error: { errors: { max_readers: ['The school has 3 pupils. Give at least as many places.'] } },
  });
  expect((await app.call(billingCalls.getSubscription, school.asAdmin)).reply).toEqual(before);
  expect((await grant(school, { max_readers: 3 })).status).toBe(200);
  const [archived] = school.pupils.map(({ id }) => id);
  await app.call(archiveCalls.archivePupils, { ...school.asAdmin, body: { reader_ids: [archived ?? 0] } });
  expect((await grant(school, { max_readers: 2 })).status).toBe(200);
});

test('custom packages granted at the same moment replace each other in turn, and only one is invoiced', async () => {
  const school = await newSchool(0);
  await app.database.kysely
    .insertInto('contacts')
    .values({ school_id: school.id, ...CONTACT })
    .execute();
  const prices = [0, 100, 100, 0, 100];
  const replies = await Promise.all(prices.map((price) => grant(school, { price })));
  // Once one is invoiced, each later one is rejected.
  expect(replies.every(({ status, error }) => status === 200 || error.code === 'invoice_unpaid')).toBe(true);
  expect(replies.filter(({ reply }) => reply.invoice_number)).toHaveLength(1);
  const rows = await app.database.kysely
    .selectFrom('subscriptions')
    .select(['id', 'ended_at', 'replaces_id'])
    .where('school_id', '=', school.id)
    .orderBy('id')
    .execute();
  expect(rows.map(({ replaces_id }) => replaces_id)).toEqual([null, ...rows.slice(0, -1).map(({ id }) => id)]);
  expect(rows.filter(({ ended_at }) => ended_at === null)).toHaveLength(1);
});
