import { expect, test } from 'vitest';
import type { Session, UserSession } from '../auth/sessions.queries.ts';
import type { WorkOwner } from '../bounded-queue.ts';
import { inPlatform } from '../database/platform.ts';
import { enqueue, openQueue } from '../jobs/queue.ts';
import { currentOwner } from '../logging/request-scope.ts';
import { testApp } from '../testing/app.ts';
import { ownerOf } from './work-owner.ts';

const app = testApp();

const teacher = { kind: 'user', userId: 7, schoolId: 3, impersonatorId: null, isOperator: false } as UserSession;

test.each<[string, Session | undefined, WorkOwner]>([
  ['a guest', undefined, { school: 'guests', person: 'network 192.0.2.1' }],
  ['a pupil', { kind: 'reader', pupilId: 5, schoolId: 3 } as Session, { school: 3, person: 'pupil 5' }],
  ['a teacher', teacher, { school: 3, person: 'user 7' }],
  ['an operator in a teacher’s session', { ...teacher, impersonatorId: 1 }, { school: 3, person: 'user 1' }],
  ['an operator', { ...teacher, schoolId: null, isOperator: true }, { school: 'portal', person: 'user 7' }],
  ['a user without a school', { ...teacher, schoolId: null }, { school: 'guests', person: 'user 7' }],
])('the work of %s has an owner', (_who, session, owner) => {
  expect(ownerOf(session, '192.0.2.1')).toEqual(owner);
});

test('a job takes the turns of the school that its data names, and other jobs those of the portal', async () => {
  const owners: WorkOwner[] = [];
  const queue = await openQueue(
    app.database,
    [{ name: 'files', run: async () => void owners.push(currentOwner()) }],
    (error) => {
      throw error;
    },
  );
  for (const data of [{ schoolId: 3 }, {}]) {
    await inPlatform(app.database, (db) => enqueue(db, 'files', data));
    await queue.drain();
  }
  await queue.stop();
  expect(owners).toEqual([
    { school: 3, person: 'job files' },
    { school: 'portal', person: 'job files' },
  ]);
});
