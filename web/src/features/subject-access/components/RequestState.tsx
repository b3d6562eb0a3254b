import type { SubjectRequest } from '#contract/calls/subject-requests.ts';
import { formatDate } from '../../../shared/format.ts';
import { Chip } from '../../../ui/Chip.tsx';

const OUTCOMES = {
  released: 'Released',
  not_released: 'Closed without release',
  erased: 'Closed: the data was erased',
} as const;

/** When a request is due, whether that has passed, or how it ended. */
export function RequestState({
  request: { outcome, due_on: dueOn, is_overdue: isOverdue },
}: {
  request: SubjectRequest;
}) {
  if (outcome) return <Chip tone={outcome === 'released' ? 'success' : 'neutral'}>{OUTCOMES[outcome]}</Chip>;
  return (
    <Chip tone={isOverdue ? 'danger' : 'action'}>
      {isOverdue ? `Overdue since ${formatDate(dueOn)}` : `Due ${formatDate(dueOn)}`}
    </Chip>
  );
}

/** "Dilys Quaglino", or what remains after an erasure. */
export const subjectName = ({ subject: { kind, id, name } }: SubjectRequest): string =>
  name ?? `${kind === 'pupil' ? 'A pupil' : 'A member of staff'}, erased (no. ${id})`;
