import { runCalls } from '#contract/calls/runs.ts';
import { accessCalls } from '#contract/calls/access.ts';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, vi } from 'vitest';
import { inPlatform } from '../database/platform.ts';
import { outbound } from '../http/outbound-fetch.ts';
import { retryWait } from '../http/retry-wait.ts';
import { enqueue } from '../jobs/queue.ts';
import { testApp } from './app.ts';
import { type BuiltSchool, PASSWORD } from './builder.ts';
import type { BundleContent, BundlePupil } from './oneroster.ts';
import { startOneRosterServer } from './oneroster-server.ts';

const CLASSES = [
  { id: 'k3', title: 'Year 3 Otters' },
  { id: 'k4', title: 'Year 4 Wrens' },
];
export const pupilOf = (name: string, classId = 'k3', grade = '03') => ({
  id: name.toLowerCase(),
  given: name,
  family: 'Quaglino',
  classes: [classId],
  grade,
});
export const content = (...pupils: BundlePupil[]): BundleContent => ({ pupils, classes: CLASSES });
export const ADA = pupilOf('Ada');
export const BO = pupilOf('Bo', 'k4', '04');
export const OTHERS = ['Cy', 'Di', 'Ed', 'Flo', 'Gus', 'Hal'].map((name) => pupilOf(name));
export const NOW = '2026-11-18T12:00:00.000Z';

/** A new school for each test, and a OneRoster server with Ada and Bo, to which it can connect. Retries do not wait. */
export async function connectedSchool() {
  const app = testApp({ OIDC_PRIVATE_NETWORK: 'on' });
  const server = await startOneRosterServer(content(ADA, BO));
  afterAll(() => server.stop());
  const { makeFetch } = outbound;
  const fetching = vi.spyOn(outbound, 'makeFetch').mockImplementation((allowsPrivate) => {
    const fetch = makeFetch(allowsPrivate);
    return async (url, request) => {
      await self.intercept?.(url);
      return fetch(url, request);
    };
  });
  afterAll(() => fetching.mockRestore());
  const wait = vi.spyOn(retryWait, 'wait').mockResolvedValue();
  afterAll(() => wait.mockRestore());

  let admin: { token: string };
  beforeEach(async () => {
    app.setTime(NOW);
    await sql`delete from school_records_connections`.execute(app.database.kysely);
    self.school = await app.build.school({ maxPupils: 24 });
    admin = { token: self.school.admin.token };
    app.mails.length = 0;
    self.intercept = undefined;
    Object.assign(server, { fail: undefined, received: [] });
    server.serve(content(ADA, BO));
  });

  const at = () => ({ params: { id: self.school.id }, ...admin });
  const atRun = (runId: number) => ({ params: { id: self.school.id, runId }, ...admin });
  const self = {
    app,
    server,
    school: undefined as unknown as BuiltSchool,
    /** Runs before a request reaches the server. */
    intercept: undefined as ((url: string) => Promise<unknown>) | undefined,
    at,
    save: (changes: object = {}) => {
      const { url, tokenUrl: token_url, client } = server;
      const body = { url, token_url, client_id: client.id, client_secret: client.secret, ...changes };
      return app.call(schoolRecordsCalls.saveSchoolRecordsConnection, { ...at(), body });
    },
    set: (body: object) => app.call(schoolRecordsCalls.setSchoolRecordsConnection, { ...at(), body }),
    remove: () => app.call(schoolRecordsCalls.removeSchoolRecordsConnection, at()),
    tryOut: () => app.call(schoolRecordsCalls.testSchoolRecordsConnection, at()),
    check: () => app.call(schoolRecordsCalls.checkSchoolRecordsConnection, at()),
    list: async () => ({
      ...(await app.call(schoolRecordsCalls.getSchoolRecords, at())).reply,
      ...(await app.call(runCalls.listRuns, { ...at(), query: { page: '1', per_page: '50' } })).reply,
    }),
    open: async (runId: number) => (await app.call(schoolRecordsCalls.getSchoolRecordsRun, atRun(runId))).reply,
    apply: async (runId: number, answers: object = {}) => {
      const { version } = await self.open(runId);
      const body = { version: version ?? '', ...answers };
      return app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...atRun(runId), body });
    },
    undo: (runId: number) => app.call(runCalls.undoRun, atRun(runId)),
    discard: (runId: number) => app.call(schoolRecordsCalls.discardSchoolRecordsRun, atRun(runId)),
    /** Continues on another day, with another login. */
    continueOn: async (day: string) => {
      app.setTime(`${day}T12:00:00.000Z`);
      const login = { email: self.school.admin.email, password: PASSWORD };
      const { reply } = await app.call(accessCalls.logIn, { body: login });
      admin = { token: reply.meta.token };
    },
    claimedUntil: async () => {
      const { rows } = await sql<{ claimed_until: Date | null }>`
        select claimed_until from school_records_connections where school_id = ${self.school.id}`.execute(
        app.database.kysely,
      );
      return rows[0]?.claimed_until;
    },
    runNightly: async () => {
      app.mails.length = 0;
      await inPlatform(app.services.database, (db) => enqueue(db, 'school-records-checks', {}));
      await app.runJobs();
    },
    /** The first names of the school's pupils from the server. */
    pupilNames: async () => {
      const { rows } = await sql<{ name: string }>`
        select name from pupils where school_id = ${self.school.id} and archived_at is null and name like '% Quaglino'
        order by name`.execute(app.database.kysely);
      return rows.map(({ name }) => name.split(' ')[0]);
    },
    /** Connects, and applies the plan of a first check. */
    connect: async (...pupils: BundlePupil[]) => {
      server.serve(content(...pupils));
      await self.save();
      const runId = (await self.check()).reply.run_id ?? 0;
      expect((await self.apply(runId)).status).toBe(200);
      return runId;
    },
    mailTexts: () => app.mails.filter(({ kind }) => kind === 'school_records_check').map(({ text }) => text),
  };
  return self;
}
