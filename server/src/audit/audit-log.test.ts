import { classCalls } from '#contract/calls/classes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inSchool } from '../database/school.ts';
import { testApp } from '../testing/app.ts';

const app = testApp();

test('the audit log says who did what and when, the latest first, page by page', async () => {
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

test('a school can add to its audit log and do nothing else to it', async () => {
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
