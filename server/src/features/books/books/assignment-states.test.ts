import { archiveCalls } from '#contract/calls/archive.ts';
import { bookCalls } from '#contract/calls/books.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';

const app = testApp();
const BOOKS = [101, 204, 305];

const books = fc.uniqueArray(fc.constantFrom(...BOOKS), { minLength: 1 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('class' as const), who: fc.nat(1), books, assigns: fc.boolean() }),
  fc.record({ kind: fc.constant('pupil' as const), who: fc.nat(2), books, assigns: fc.boolean() }),
  fc.record({ kind: fc.constant('move' as const), who: fc.nat(2), to: fc.nat(1) }),
  fc.record({ kind: fc.constant('delete-class' as const), who: fc.nat(1) }),
  fc.record({ kind: fc.constant('delete-pupil' as const), who: fc.nat(2) }),
);

test('random sequences of assigning, removing, moving and deleting match a model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const school = await app.build.school();
      const { token } = school.admin;
      const classIds = [school.ownClass.id, school.otherClass.id];
      const pupilIds = [...school.ownClass.pupils, school.unplaced].map(({ id }) => id);
      const ofClass = new Map(classIds.map((id) => [id, new Set<number>()]));
      const ofPupil = new Map(
        pupilIds.map((id, index) => [id, { own: new Set<number>(), classId: index < 2 ? school.ownClass.id : null }]),
      ) as Map<number, { own: Set<number>; classId: number | null }>;
      const change = (set: Set<number>, ids: readonly number[], assigns: boolean) =>
        ids.forEach((id) => (assigns ? set.add(id) : set.delete(id)));

      for (const next of steps) {
        const classId = classIds[next.kind === 'move' ? next.to : next.who % 2] as number;
        const pupilId = pupilIds[next.who] as number;
        if (next.kind === 'class') {
          const call = next.assigns ? bookCalls.assignBooksToClass : bookCalls.removeBooksFromClass;
          const params = { id: school.id, groupId: classId };
          const { status } = await app.call(call, { token, params, body: { book_ids: next.books } });
          const set = ofClass.get(classId);
          expect(status).toBe(set ? 200 : 404);
          if (set) change(set, next.books, next.assigns);
        } else if (next.kind === 'pupil') {
          const call = next.assigns ? bookCalls.assignBooksToPupil : bookCalls.removeBooksFromPupil;
          const params = { id: school.id, readerId: pupilId };
          const { status } = await app.call(call, { token, params, body: { book_ids: next.books } });
          const pupil = ofPupil.get(pupilId);
          expect(status).toBe(pupil ? 200 : 404);
          if (pupil) change(pupil.own, next.books, next.assigns);
        } else if (next.kind === 'move') {
          const pupil = ofPupil.get(pupilId);
          if (!pupil || !ofClass.has(classId) || pupil.classId === classId) continue;
          const params = { id: school.id, groupId: classId };
          const body = { reader_ids: [pupilId], source: pupil.classId };
          expect((await app.call(classMembershipCalls.movePupils, { token, params, body })).status).toBe(200);
          pupil.classId = classId;
        } else if (next.kind === 'delete-class') {
          await app.call(classCalls.removeClass, { token, params: { id: school.id, groupId: classId } });
          ofClass.delete(classId);
          for (const pupil of ofPupil.values()) if (pupil.classId === classId) pupil.classId = null;
        } else {
          // Archived, then erased.
          await app.call(classMembershipCalls.deletePupil, { token, params: { readerId: pupilId } });
          await app.call(archiveCalls.erasePupil, { token, params: { id: school.id, readerId: pupilId } });
          ofPupil.delete(pupilId);
        }
      }

      for (const [pupilId, { own, classId }] of ofPupil) {
        const params = { id: school.id, readerId: pupilId };
        const { reply } = await app.call(bookCalls.listBooksForPupil, { token, params, query: { show: 'assigned' } });
        const via = (classId !== null && ofClass.get(classId)) || new Set<number>();
        expect(reply.books.map((book) => [book.id, book.is_assigned_via_group, book.is_assigned_to_reader])).toEqual(
          BOOKS.filter((id) => via.has(id) || own.has(id)).map((id) => [id, via.has(id), own.has(id)]),
        );
      }
      for (const table of ['class_books', 'pupil_books'] as const) {
        const rows = await app.database.kysely
          .selectFrom(table)
          .select('book_id')
          .where('school_id', '=', school.id)
          .execute();
        const sets = table === 'class_books' ? [...ofClass.values()] : [...ofPupil.values()].map(({ own }) => own);
        expect(rows.length).toBe(sets.reduce((all, { size }) => all + size, 0));
      }
    }),
    { numRuns: 15 },
  );
});
