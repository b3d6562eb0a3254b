import { roleScopes } from '#contract/permissions.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { lockClassToEditPupils } from '../classes/classes.public.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { setClassOfPupils } from './class-membership.queries.ts';
import { getPupil, getPupils, getPupilsToEdit } from './pupils.access.ts';
import type { PupilRecord } from './pupils.queries.ts';

/** States where the first of the pupils is now. */
function alreadyMovedError(pupils: readonly PupilRecord[], source: string | null): AppError {
  const [first, ...others] = pupils as [PupilRecord, ...PupilRecord[]];
  const here = source === null ? 'without a class' : `in ${source}`;
  const now = first.group ? `is in ${first.group.name} now` : 'has no class now';
  const more = others.length > 0 ? ` ${others.length} more ${others.length === 1 ? 'has' : 'have'} moved too.` : '';
  return new AppError('pupils_already_moved', {
    text: `${first.name} is no longer ${here}; the pupil ${now}.${more} Nothing was changed. Load the list again.`,
  });
}

export const classMembershipHandlers = defineHandlers({
  movePupils: {
    handle: async ({ db, me, params, body: { reader_ids: pupilIds, source = null }, now }) => {
      // Locked in the order of IDs, so that two moves in opposite directions cannot deadlock.
      const ids = [params.groupId, ...(source === null ? [] : [source])].sort((a, b) => a - b);
      const names = new Map<number, string>();
      for (const id of ids) names.set(id, (await lockClassToEditPupils(db, me, id)).name);
      // Who changes no class, or a program some alone, does not see pupils without a class, unless they help them.
      if (source === null && (roleScopes[me.role].changes === 'none' || me.program?.classIds))
        await getPupils(db, me, pupilIds);
      const moved = await setClassOfPupils(db, params.groupId, pupilIds, source);
      if (moved.length < pupilIds.length) {
        const movedIds = new Set(moved.map(({ id }) => id));
        throw alreadyMovedError(
          await getPupils(
            db,
            me,
            pupilIds.filter((id) => !movedIds.has(id)),
          ),
          source === null ? null : (names.get(source) ?? null),
        );
      }
      await recordChange(db, me, now, {
        action: 'pupils_moved',
        subjectKind: 'class',
        subjectId: params.groupId,
        details: {
          pupils: moved.map(({ id }) => id),
          from: source === null ? null : names.get(source),
          to: names.get(params.groupId),
        },
      });
      return {};
    },
  },
  removePupilFromClass: {
    handle: async ({ db, me, params, now }) => {
      const schoolClass = await lockClassToEditPupils(db, me, params.groupId);
      const [removed] = await setClassOfPupils(db, null, [params.pupilId], schoolClass.id);
      if (!removed) throw alreadyMovedError([await getPupil(db, me, params.pupilId)], schoolClass.name);
      await recordChange(db, me, now, {
        action: 'pupil_removed_from_class',
        subjectKind: 'pupil',
        subjectId: removed.id,
        details: { class: schoolClass.name },
      });
      return {};
    },
  },
  removePupilsFromClasses: {
    handle: async ({ db, me, body, now }) => {
      const pupils = await getPupilsToEdit(db, me, body.reader_ids);
      const placed = pupils.flatMap(({ id, group: schoolClass }) => (schoolClass ? [id] : []));
      const removed = await setClassOfPupils(db, null, placed);
      if (removed.length > 0)
        await recordChange(db, me, now, {
          action: 'pupils_unplaced',
          subjectKind: 'school',
          subjectId: db.schoolId,
          details: { pupils: removed.map(({ id }) => id) },
        });
      return {};
    },
  },
});
