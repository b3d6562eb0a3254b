import { classCalls } from '#contract/calls/classes.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import type { QueryInputOf } from '#contract/call.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inSchool } from '../database/school.ts';
import { testApp } from '../testing/app.ts';

type AuditQuery = QueryInputOf<typeof schoolCalls.listAuditLog>;

const app = testApp();

test('the audit log lists who did what and when, the latest first, page by page', async () => {
  const school = await app.build.school();
  const { token } = school.admin;
  for (let n = 0; n < 12; n += 1) {
    app.setTime(`2026-11-18T12:00:${String(n).padStart(2, '0')}.000Z`);
    await app.call(classCalls.createClass, { params: { id: school.id }, body: { name: `Class ${n}` }, token });
  }
  const first = await app.call(schoolCalls.listAuditLog, {
    params: { id: school.id },
    query: { per_page: '10' },
    token,
  });
  expect(first.reply.meta).toEqual({ total: 12, total_filtered: 12, page: 1, per_page: 10 });
  expect(first.reply.entries[0]).toMatchObject({
    at: '2026-11-18T12:00:11.000Z',
    actor: { id: school.admin.id, name: 'Morgan Admin' },
    impersonator: null,
    action: 'class_created',
    subject_kind: 'class',
    details: { name: 'Class 11' },
  });
  const second = await app.call(schoolCalls.listAuditLog, {
    params: { id: school.id },
    query: { page: '2', per_page: '10' },
    token,
  });
  expect(second.reply.entries.map(({ details }) => details.name)).toEqual(['Class 1', 'Class 0']);
});

test('a school can only add to its audit log', async () => {
  const school = await app.build.school();
  await app.call(classCalls.createClass, {
    params: { id: school.id },
    body: { name: 'Robins' },
    token: school.admin.token,
  });
  for (const statement of ["update audit_log set action = 'nothing'", 'delete from audit_log'])
    await expect(inSchool(app.database, school.id, (db) => sql.raw(statement).execute(db.tx))).rejects.toThrow(
      /permission denied/,
    );
});

test('the audit log is filtered by person, kind, day and text, and saved as CSV', async () => {
  const school = await app.build.school();
  const params = { id: school.id };
  const admin = { params, token: school.admin.token };
  const pupil = school.ownClass.pupils[0];
  const rename = (name: string, token: string) =>
    app.call(pupilCalls.renamePupil, { params: { id: school.id, readerId: pupil?.id ?? 0 }, body: { name }, token });
  app.setTime('2026-11-17T23:30:00.000Z');
  await app.call(classCalls.createClass, { ...admin, body: { name: 'Robins' } });
  app.setTime('2026-11-18T00:30:00.000Z');
  await rename('Ada Carter', school.teacher.token);
  await app.call(downloadCalls.exportPupils, { ...admin, query: {} });

  const actionsOf = async (query: AuditQuery) => {
    const { entries, meta } = (await app.call(schoolCalls.listAuditLog, { ...admin, query })).reply;
    expect(meta).toMatchObject({ total: 3, total_filtered: entries.length });
    return entries.map(({ action }) => action);
  };
  const all = ['pupils_exported', 'pupil_renamed', 'class_created'];
  expect(await actionsOf({})).toEqual(all);
  expect(await actionsOf({ actor_id: String(school.teacher.id) })).toEqual(['pupil_renamed']);
  expect(await actionsOf({ kind: 'pupils' })).toEqual(['pupil_renamed']);
  expect(await actionsOf({ kind: 'downloads' })).toEqual(['pupils_exported']);
  expect(await actionsOf({ kind: 'school' })).toEqual([]);
  expect(await actionsOf({ to: '2026-11-17' })).toEqual(['class_created']);
  expect(await actionsOf({ from: '2026-11-18', to: '2026-11-18' })).toEqual(all.slice(0, 2));
  expect(await actionsOf({ search: 'ROBINS' })).toEqual(['class_created']);
  expect(await actionsOf({ search: 'ada car' })).toEqual(['pupil_renamed']);
  expect(await actionsOf({ search: 'nothing of the kind' })).toEqual([]);

  const { bytes } = await app.call(downloadCalls.exportAuditLog, {
    ...admin,
    query: { output: 'csv', kind: 'pupils' },
  });
  expect(new TextDecoder().decode(bytes)).toMatch(
    /^\uFEFF?When,Who,On their behalf,What,Pupils,Details\r\n2026-11-18 00:30,[^,]+,,pupil renamed,Ada Carter,/,
  );
  const { entries } = (await app.call(schoolCalls.listAuditLog, admin)).reply;
  expect(entries[0]?.action).toBe('audit_log_exported');

  const lines = await app.call(downloadCalls.exportAuditLog, { ...admin, query: { output: 'jsonl', kind: 'pupils' } });
  const listed = (await app.call(schoolCalls.listAuditLog, { ...admin, query: { kind: 'pupils' } })).reply.entries;
  const text = new TextDecoder().decode(lines.bytes);
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(listed.map((entry) => ({ ...entry, seal: null })));
  expect(listed).toHaveLength(1);
});
