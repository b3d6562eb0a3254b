import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import { expect, test } from 'vitest';
import { handlers } from '../app.ts';
import { exampleQuery, pathWithIds } from '../testing/example-requests.ts';
import { testApp } from '../testing/app.ts';

const app = testApp();
const gets = Object.values<Call>(api).filter(({ method }) => method === 'GET');

/** GETs that record who saw or downloaded what, and therefore wait while no connection is free for a write. May only shrink. */
const WRITING_GETS = [
  'exportClassReading',
  'exportClasses',
  'exportPupilSessions',
  'exportPupils',
  'exportSchool',
  'exportSchoolInvoices',
  'exportTeachers',
  'getFile',
  'getSchoolState',
  'listNewLogins',
];
/** GETs that count attempts against a limit. May only shrink. */
const LIMITED_GETS = ['exportSchool', 'getHostedInvoice', 'getInvite'];

const declaresWrites = ({ name }: Call) => {
  const handler = handlers[name as keyof typeof handlers];
  return 'writes' in handler && handler.writes === true;
};

test('the GETs that write are those listed here', () => {
  const names = (calls: Call[]) => calls.map(({ name }) => name).sort();
  expect(names(gets.filter(declaresWrites))).toEqual(WRITING_GETS);
  expect(names(gets.filter(({ rateLimits }) => rateLimits))).toEqual(LIMITED_GETS);
});

test('every GET that only reads answers while writes take all the connections that they may', async () => {
  const { database } = app;
  // The embedded database has one connection, which every request shares.
  if (database.engine.kind === 'embedded') return;
  const school = await app.build.school();
  const invite = await app.build.invite(school);
  const operator = await app.build.operator();
  const tokenFor = ({ permission }: Call) =>
    permission === 'open'
      ? undefined
      : permission === 'operator'
        ? operator.token
        : permission === 'reader'
          ? school.ownClass.pupils[0]?.token
          : school.admin.token;
  const end = Promise.withResolvers<void>();
  const writes: Promise<void>[] = [];
  while (database.writes.waiting === 0) writes.push(database.writes.run(() => end.promise));
  const answered: string[] = [];
  try {
    for (const call of gets) {
      if (declaresWrites(call) || call.rateLimits) continue;
      const token = tokenFor(call);
      const query = call.query.safeParse({}).success ? '' : exampleQuery(call);
      const { status } = await app.ask('GET', pathWithIds(call, school, invite) + query, token ? { token } : {});
      expect([200, 404], `${call.name} answered ${status}`).toContain(status);
      answered.push(call.name);
    }
    // The slots were taken all the time: what waited for one still does.
    expect(database.writes.waiting).toBe(1);
  } finally {
    end.resolve();
    await Promise.allSettled(writes);
  }
  expect(answered).toEqual(expect.arrayContaining(['getHealth', 'getMe', 'findSchools', 'listPupils']));
});
