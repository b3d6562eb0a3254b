import { archiveCalls } from '#contract/calls/archive.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { deletedClassCalls } from '#contract/calls/deleted-classes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkInvariants } from '../../../database/invariants.queries.ts';
import { inPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';

const app = testApp();
const START = Date.parse('2026-11-18T12:00:00Z');

const pupilIndex = fc.nat(2);
const classIndex = fc.nat(1);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('class' as const), classIndex, deletes: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), pupilIndex, classIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('archive' as const), pupilIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unarchive' as const), pupilIndex }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), pupilIndex }) },
);

interface ModelPupil {
  id: number;
  /** The class that the pupil is in, or returns to from the archive. */
  classId: number | null;
  isArchived: boolean;
  isErased: boolean;
}

test('random orders of deleting, restoring, archiving, moving and erasing match a model and leave all figures right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      app.setTime(new Date(START).toISOString());
      const school = await app.build.school();
      const at = { params: { id: school.id }, token: school.admin.token };
      const classIds = [school.ownClass.id, school.otherClass.id] as const;
      const pupils: ModelPupil[] = [
        ...school.ownClass.pupils.map(({ id }) => ({ id, classId: classIds[0] })),
        ...school.otherClass.pupils.map(({ id }) => ({ id, classId: classIds[1] })),
        { id: school.unplaced.id, classId: null },
      ].map((pupil) => ({ ...pupil, isArchived: false, isErased: false }));
      for (const { id } of pupils) await app.build.reading(school, id, [{ started_at: '2026-11-17T09:00:00Z' }]);
      /** The pupils of each deleted class; the latest of a pupil counts, so that a pupil is in one of the sets. */
      const deleted = new Map<number, Set<number>>();
      const leaveDeleted = (pupilId: number) => deleted.forEach((members) => members.delete(pupilId));

      const readFigures = async () => {
        const { rows } = await sql`
          select 'school' as of, day::text, reading_level, reading_time, words_attempted, words_correct
          from school_reading_days where school_id = ${school.id} and words_attempted > 0
          union all
          select pupil_id::text, day::text, reading_level, reading_time, words_attempted, words_correct
          from reading_days where school_id = ${school.id}
          union all
          select 'sessions', null, null, count(*), sum(words_attempted), sum(words_correct)
          from reading_sessions where school_id = ${school.id}
          order by 1, 2`.execute(app.database.kysely);
        return rows;
      };

      for (const [index, next] of steps.entries()) {
        app.setTime(new Date(START + index * 1000).toISOString());
        const before = await readFigures();
        if (next.kind === 'class') {
          const classId = classIds[next.classIndex]!;
          const params = { id: school.id, groupId: classId };
          const members = deleted.get(classId);
          const call = next.deletes ? classCalls.removeClass : deletedClassCalls.restoreClass;
          const { status } = await app.call(call, { ...at, params });
          expect(status).toBe(next.deletes && members ? 404 : 200);
          if (next.deletes && !members) {
            const leaving = pupils.filter((pupil) => pupil.classId === classId && !pupil.isArchived);
            for (const pupil of leaving) {
              leaveDeleted(pupil.id);
              pupil.classId = null;
            }
            deleted.set(classId, new Set(leaving.map(({ id }) => id)));
          }
          if (!next.deletes && members) {
            for (const pupil of pupils) if (members.has(pupil.id) && pupil.classId === null) pupil.classId = classId;
            deleted.delete(classId);
          }
          expect(await readFigures()).toEqual(before);
          continue;
        }
        const pupil = pupils[next.pupilIndex]!;
        const body = { reader_ids: [pupil.id] };
        if (next.kind === 'move') {
          const classId = classIds[next.classIndex]!;
          if (pupil.isArchived || pupil.isErased || deleted.has(classId) || pupil.classId === classId) continue;
          const params = { id: school.id, groupId: classId };
          const { status } = await app.call(classMembershipCalls.movePupils, {
            ...at,
            params,
            body: { ...body, source: pupil.classId },
          });
          expect(status).toBe(200);
          pupil.classId = classId;
          expect(await readFigures()).toEqual(before);
        } else if (next.kind === 'archive') {
          const { status } = await app.call(archiveCalls.archivePupils, { ...at, body });
          expect(status).toBe(pupil.isArchived || pupil.isErased ? 404 : 200);
          if (status === 200) pupil.isArchived = true;
        } else if (next.kind === 'unarchive') {
          const { status } = await app.call(archiveCalls.restorePupils, { ...at, body });
          expect(status).toBe(pupil.isArchived ? 200 : 404);
          if (!pupil.isArchived) continue;
          pupil.isArchived = false;
          const home = pupil.classId === null ? undefined : deleted.get(pupil.classId);
          if (home) {
            leaveDeleted(pupil.id);
            home.add(pupil.id);
            pupil.classId = null;
          }
        } else {
          if (!pupil.isArchived) continue;
          const params = { id: school.id, readerId: pupil.id };
          expect((await app.call(archiveCalls.erasePupil, { ...at, params })).status).toBe(200);
          Object.assign(pupil, { isArchived: false, isErased: true });
          leaveDeleted(pupil.id);
        }
      }

      const { enterprise: whole } = (await app.call(schoolCalls.getSchool, { ...at, query: { include: 'readers' } }))
        .reply;
      const shown = new Map(whole.readers?.map((pupil) => [pupil.id, pupil.group?.id ?? null]));
      const present = pupils.filter(({ isArchived, isErased }) => !isArchived && !isErased);
      expect(shown).toEqual(new Map(present.map(({ id, classId }) => [id, classId])));
      const { groups: listed } = (await app.call(deletedClassCalls.listDeletedClasses, at)).reply;
      expect(listed.map(({ id }) => id).sort()).toEqual([...deleted.keys()].sort());
      const findings = await inPlatform(app.database, checkInvariants);
      expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
