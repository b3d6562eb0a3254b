import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backgroundWorkCalls } from '#contract/calls/background-work.ts';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { listJobs } from '../app.ts';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { startMetrics } from '../observability/metrics.ts';
import { testApp } from '../testing/app.ts';
import { ANCHOR_FILE, readAnchorsIn } from './audit-anchors.service.ts';
import { beginChainAgain, noteRestart, sealAuditLogs } from './audit-chain.jobs.ts';
import { verifyAuditLog } from './audit-chain.queries.ts';
import { NO_ACTOR, recordChange } from './audit-log.queries.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-heads-'));
const app = testApp({ BACKUP_DIR: folder, DATA_DIR: join(folder, 'data') });
afterAll(() => rmSync(folder, { recursive: true }));
const DAY_MS = 86_400_000;
let day = new Date('2026-11-18T12:00:00.000Z');
const nextDay = () => {
  day = new Date(day.getTime() + DAY_MS);
  app.setTime(day.toISOString());
};
beforeEach(nextDay);

const run = (statement: ReturnType<typeof sql>) => inPlatform(app.database, (db) => statement.execute(db.tx));
const addEntry = (id: number) =>
  inSchool(app.database, id, (db) =>
    recordChange(db, NO_ACTOR, app.services.clock.now(), {
      action: 'terms_accepted',
      subjectKind: 'school',
      subjectId: id,
    }),
  );
const runJob = async (name: string) => {
  const job = listJobs(app.services, async () => undefined).find((listed) => listed.name === name);
  await job?.run({});
};
const runNight = () => runJob('audit-heads');
const readFile = () => readFileSync(join(folder, ANCHOR_FILE), 'utf8');
const linesOf = (id: number) =>
  readFile()
    .split('\n')
    .filter((line) => line.startsWith(`head ${id} `) || line.startsWith(`restart ${id} `))
    .map((line) => line.split(' ').slice(0, 3).join(' '));
/** What the check finds about one school, with or without the heads beside the backups. */
const verify = async (id: number, isWithHeads = true) => {
  const heads = isWithHeads ? await readAnchorsIn(folder) : undefined;
  const { breaches, notices } = await readInPlatform(app.database, (db) =>
    verifyAuditLog(db, day, app.services.config, heads),
  );
  const ofSchool = (lines: string[]) => lines.filter((line) => line.startsWith(`school ${id}`));
  return { breaches: ofSchool(breaches), notices: ofSchool(notices) };
};
const alarmsOf = async (id: number) =>
  app.database.kysely.selectFrom('audit_alarms').select('breach').where('school_id', '=', id).execute();
const schoolWithEntry = async () => {
  const { id } = await app.build.school();
  await addEntry(id);
  await sealAuditLogs(app.services);
  return id;
};
const restore = (id: number) =>
  run(sql`update audit_chains set begun_at = begun_at - interval '1 day' where school_id = ${id}`);
const tamper = (id: number) =>
  run(sql`update audit_chains set begun_at = begun_at + interval '1 day' where school_id = ${id}`);

describe('heads beside the backups', () => {
  test('the nightly job adds the heads of audit logs that have changed to the file and to the log', async () => {
    const id = await schoolWithEntry();
    const logged: object[] = [];
    const job = listJobs(
      app.services,
      async () => undefined,
      (fields) => logged.push(fields),
    );
    await job.find(({ name }) => name === 'audit-heads')?.run({});
    expect(linesOf(id)).toEqual([`head ${id} 1`]);
    expect(logged).toContainEqual({ auditHead: expect.stringMatching(`^head ${id} 1 [0-9a-f]{64} 0 2026-`) });
    await runNight();
    expect(linesOf(id)).toHaveLength(1);
    await addEntry(id);
    await sealAuditLogs(app.services);
    await runNight();
    expect(linesOf(id)).toEqual([`head ${id} 1`, `head ${id} 2`]);
    expect(await verify(id)).toEqual({ breaches: [], notices: [] });
  });

  test('the nightly job seals entries without a note', async () => {
    const { id } = await app.build.school();
    await run(sql`
      insert into audit_log (school_id, at, action, subject_kind) values (${id}, ${day}, 'x', 'school')`);
    await sealAuditLogs(app.services);
    await runNight();
    expect(linesOf(id)).toEqual([`head ${id} 1`]);
  });

  test('a half-written last line does not spoil the next head in the file of heads', async () => {
    const id = await schoolWithEntry();
    await runNight();
    appendFileSync(join(folder, ANCHOR_FILE), 'head 1 23');
    await addEntry(id);
    await sealAuditLogs(app.services);
    await runNight();
    expect(linesOf(id)).toEqual([`head ${id} 1`, `head ${id} 2`]);
  });

  test('an audit log that was put back raises an alarm in the next night, which does not add its head to the file', async () => {
    const id = await schoolWithEntry();
    const chain = await app.database.kysely
      .selectFrom('audit_chains')
      .selectAll()
      .where('school_id', '=', id)
      .executeTakeFirstOrThrow();
    await addEntry(id);
    await sealAuditLogs(app.services);
    await runNight();
    await run(sql`delete from audit_log where school_id = ${id} and id > (
      select entry_id from audit_seals where school_id = ${id} and number = 1)`);
    await run(sql`delete from audit_seals where school_id = ${id} and number = 2`);
    await app.database.kysely.updateTable('audit_chains').set(chain).where('school_id', '=', id).execute();
    nextDay();
    await runNight();
    expect(await alarmsOf(id)).toEqual([{ breach: expect.stringMatching(/^entries are missing: the chain has 1, /) }]);
    expect(linesOf(id)).toHaveLength(1);
    // Nothing is sealed until an operator begins the chain again.
    await addEntry(id);
    await sealAuditLogs(app.services);
    await runNight();
    const pending = await app.database.kysely
      .selectFrom('audit_pending')
      .select('entry_id')
      .where('school_id', '=', id)
      .execute();
    expect(pending).toHaveLength(1);
    await beginChainAgain(app.services, id);
    await runNight();
    await runJob('audit-sealing');
    expect(await alarmsOf(id)).toEqual([]);
    expect(linesOf(id)).toEqual([`head ${id} 2`, `restart ${id} 1`, `head ${id} 3`]);
    expect(await verify(id)).toEqual({
      breaches: [],
      notices: [expect.stringContaining(`school ${id}: the chain goes on from entry 1 since`)],
    });
  });

  test('the chains of audit logs continue after a restore from the entries of the backup without a breach', async () => {
    const id = await schoolWithEntry();
    await addEntry(id);
    await sealAuditLogs(app.services);
    await runNight();
    appendFileSync(join(folder, ANCHOR_FILE), `\nhead ${id} 9 ${'a'.repeat(64)} 0 ${day.toISOString()}\n`);
    expect((await verify(id)).breaches).toEqual([expect.stringContaining(`school ${id}: entries are missing`)]);
    await noteRestart(app.database, folder, day);
    const { breaches, notices } = await verify(id);
    expect(breaches).toEqual([]);
    expect(notices).toContainEqual(expect.stringContaining(`school ${id}: the chain goes on from entry 2 since`));
    await noteRestart(app.database, folder, day);
    expect(linesOf(id).filter((line) => line.startsWith('restart'))).toHaveLength(1);
  });

  test('a school that is missing with its audit log is a breach', async () => {
    appendFileSync(join(folder, ANCHOR_FILE), `\nhead 987654 9 ${'a'.repeat(64)} 0 ${day.toISOString()}\n`);
    expect((await verify(987_654)).breaches).toEqual(['school 987654 is missing with its log']);
    appendFileSync(join(folder, ANCHOR_FILE), `\nhead 987654 8 ${'a'.repeat(64)} 0 ${day.toISOString()}\n`);
    expect((await verify(987_654)).breaches).toHaveLength(2);
  });
});

describe('the alarm of a school', () => {
  const alarmMails = () => app.mails.filter(({ kind }) => kind === 'audit_alarm');

  test('an audit log that was changed is no longer sealed, and operators get one mail a day until it matches again', async () => {
    const operator = await app.build.operator();
    const [id, other] = [await schoolWithEntry(), await schoolWithEntry()];
    await tamper(id);
    for (const school of [id, other]) await addEntry(school);
    for (let n = 0; n < 3; n += 1) await runJob('audit-sealing');
    await app.runJobs();
    const breach = 'the signature does not match, or was made with another SECRETS_KEY';
    expect(await alarmsOf(id)).toEqual([{ breach }]);
    expect(await alarmsOf(other)).toEqual([]);
    const [mail, ...more] = alarmMails().filter(({ recipient }) => recipient === operator.email);
    expect(more).toEqual([]);
    expect(mail?.text).toContain(`School ${id}`);
    expect(mail?.text).not.toContain(`School ${other}`);
    expect(mail?.text).toContain(breach);

    const { reply } = await app.call(backgroundWorkCalls.getBackgroundWork, { token: operator.token });
    expect(reply.audit_alarms).toContainEqual({ enterprise_id: id, breach, raised_at: day.toISOString() });
    const config = { ...app.services.config, metricsPort: 0 };
    const metrics = await startMetrics(config, app.database, app.services.clock);
    const server = await metrics!.listen(0, '127.0.0.1');
    const { port } = server.address() as { port: number };
    const scraped = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(scraped).toContain(`\nportal_audit_alarms ${reply.audit_alarms.length}\n`);
    server.close();

    nextDay();
    await runJob('audit-sealing');
    await app.runJobs();
    expect(alarmMails().filter(({ recipient }) => recipient === operator.email)).toHaveLength(2);
    await restore(id);
    await runNight();
    await runJob('audit-sealing');
    expect(await alarmsOf(id)).toEqual([]);
    expect((await verify(id, false)).breaches).toEqual([]);
  });

  test('a school whose sealing fails does not stop the sealing of the next schools', async () => {
    const [id, other] = [await schoolWithEntry(), await schoolWithEntry()];
    for (const school of [id, other]) await addEntry(school);
    await run(
      sql.raw(`
      create function fail_seal() returns trigger language plpgsql as
        'begin if new.school_id = ${id} then raise exception ''no''; end if; return new; end'`),
    );
    await run(sql`create trigger fail_seal before insert on audit_seals for each row execute function fail_seal()`);
    await expect(sealAuditLogs(app.services)).rejects.toThrow('The audit logs of 1 schools failed');
    await run(sql`drop function fail_seal() cascade`);
    const waiting = await app.database.kysely
      .selectFrom('audit_pending')
      .select('school_id')
      .where('school_id', 'in', [id, other])
      .execute();
    expect(waiting).toEqual([{ school_id: id }]);
    await sealAuditLogs(app.services);
    expect((await verify(id, false)).breaches).toEqual([]);
  });

  test('an operator cannot begin the chain of a missing school again', async () => {
    await expect(beginChainAgain(app.services, 123_456_789)).rejects.toThrow('There is no school 123456789.');
  });
});
