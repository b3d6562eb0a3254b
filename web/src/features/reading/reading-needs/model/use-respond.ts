import type { NeedKind, NeedResponse } from '#contract/calls/reading-needs.ts';
import { showToast } from '../../../../ui/toasts.ts';
import { useRespondToNeed, useUndoResponse } from '../reading-needs.api.ts';

/** Marks a reason of a pupil as done or snoozes it, with Undo. */
export function useRespond(schoolId: number, { id: pupilId, name }: { id: number; name: string }) {
  const { mutateAsync: respond } = useRespondToNeed(schoolId, pupilId);
  const { mutateAsync: undo } = useUndoResponse(schoolId, pupilId);
  return async (need: NeedKind, response: NeedResponse['response'], remark?: string | null) => {
    const { response: saved } = await respond({ need, response, ...(remark && { remark }) });
    showToast(response === 'done' ? 'Done, and hidden for now' : 'Hidden for two weeks', {
      detail: name,
      undo: () => undo(saved.id),
    });
  };
}
