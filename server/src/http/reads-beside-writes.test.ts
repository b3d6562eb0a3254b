import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { handlers } from '../app.ts';
import { exampleQuery, pathWithIds } from '../testing/example-requests.ts';
import { testApp } from '../testing/app.ts';

const app = testApp();
const gets = Object.values<Call>(api).filter(({ method }) => method === 'GET');

/** GETs that record who saw or downloaded what, and therefore wait while no connection is free for a write. May only shrink. */
const WRITING_GETS = [
  'downloadCharts',
  'downloadPupilReports',
  'downloadSubjectFile',
  'exportAuditLog',
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
  'renderCertificates',
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

test('every GET that only reads answers while a lock blocks all connections for writes', async () => {
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
  const rename = async () => {
    const { token } = school.admin;
    const params = { id: school.id, groupId: school.ownClass.id };
    return (await app.call(classCalls.renameClass, { token, params, body: { name: 'Badgers' } })).status;
  };
  const answered: string[] = [];
  const renames: Promise<number>[] = [];
  /** The statuses of renames that ended while the lock was held. */
  const ended: number[] = [];
  await database.kysely.transaction().execute(async (tx) => {
    await sql`select from classes where id = ${school.ownClass.id} for update`.execute(tx);
    /** Starts renames until one has to wait for a connection. Those that waited too long for the lock are replaced. */
    const blockWrites = async () => {
      await expect
        .poll(() => {
          if (database.writes.waitingCount > 0) return true;
          renames.push(
            rename().then((status) => {
              ended.push(status);
              return status;
            }),
          );
          return false;
        })
        .toBe(true);
    };
    for (const call of gets) {
      if (declaresWrites(call) || call.rateLimits) continue;
      await blockWrites();
      // The server ends a transaction that sends nothing.
      await sql`select`.execute(tx);
      const token = tokenFor(call);
      const query = call.query.safeParse({}).success ? '' : exampleQuery(call);
      const { status } = await app.ask('GET', pathWithIds(call, school, invite) + query, token ? { token } : {});
      expect([200, 404], `${call.name} answered ${status}`).toContain(status);
      answered.push(call.name);
    }
    expect(ended).not.toContain(200);
  });
  expect(answered).toEqual(expect.arrayContaining(['getHealth', 'getMe', 'findSchools', 'listPupils']));
  expect(await Promise.all(renames)).toContain(200);
});
