import { MAX_PUPIL_ASSISTANTS } from '#contract/calls/pupil-assistants.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { findStaffAccounts, lockMember } from '../../accounts/access/access.public.ts';
import { insertAssistant, listAssistantIds, removeAssistant } from './pupil-assistants.queries.ts';
import { getPupilToChange } from './pupils.access.ts';

export const pupilAssistantHandlers = defineHandlers({
  listPupilAssistants: {
    handle: async ({ db, me, params }) => {
      const { id } = await getPupilToChange(db, me, params.readerId);
      const userIds = await listAssistantIds(db, id);
      const accounts = await findStaffAccounts(db, userIds);
      return {
        assistants: userIds.flatMap((userId) => {
          const account = accounts.get(userId);
          return account ? [{ id: userId, first_name: account.first_name, last_name: account.last_name }] : [];
        }),
      };
    },
  },
  addPupilAssistant: {
    handle: async ({ db, me, params, now }) => {
      const { id } = await getPupilToChange(db, me, params.readerId);
      const role = await lockMember(db, params.userId);
      if (role !== 'teaching_assistant')
        throw new AppError('teacher_not_found', {
          ...(role && { text: 'This colleague is not a teaching assistant. Load the page again.' }),
        });
      const userIds = await listAssistantIds(db, id);
      if (userIds.includes(params.userId)) return {};
      if (userIds.length >= MAX_PUPIL_ASSISTANTS) throw new AppError('pupil_assistants_full');
      await insertAssistant(db, id, params.userId, now);
      await recordChange(db, me, now, {
        action: 'pupil_assistant_added',
        subjectKind: 'pupil',
        subjectId: id,
        details: { teacher_id: params.userId },
      });
      return {};
    },
  },
  removePupilAssistant: {
    handle: async ({ db, me, params, now }) => {
      const { id } = await getPupilToChange(db, me, params.readerId);
      if (!(await removeAssistant(db, id, params.userId))) return {};
      await recordChange(db, me, now, {
        action: 'pupil_assistant_removed',
        subjectKind: 'pupil',
        subjectId: id,
        details: { teacher_id: params.userId },
      });
      return {};
    },
  },
});
