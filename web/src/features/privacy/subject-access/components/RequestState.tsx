import type { SubjectRequest } from '#contract/calls/subject-requests.ts';
import { formatDate } from '../../../../shared/format.ts';
import { Chip } from '../../../../ui/Chip.tsx';
import { REQUEST_WORDS } from '../model/request-words.ts';

/** When a request is due, whether that has passed, why no time runs, or how it ended. */
export function RequestState({ request }: { request: SubjectRequest }) {
  const { kind, outcome, clock, due_on: dueOn, is_overdue: isOverdue, is_extended: isExtended } = request;
  if (outcome === 'erased') return <Chip>Closed: the data was erased</Chip>;
  if (outcome)
    return (
      <Chip tone={outcome === 'released' ? 'success' : 'neutral'}>{REQUEST_WORDS[kind].outcomes[outcome].state}</Chip>
    );
  if (clock === 'waiting_for_identity') return <Chip tone="attention">Waiting for proof of identity</Chip>;
  if (clock === 'paused') return <Chip tone="attention">Paused until they answer</Chip>;
  if (clock === 'no_fixed_day')
    return <Chip tone="action">Last in touch {formatDate(request.last_told_on ?? request.received_on)}</Chip>;
  const day = formatDate(dueOn ?? request.received_on);
  if (isOverdue) return <Chip tone="danger">Overdue since {day}</Chip>;
  return (
    <Chip tone="action">
      {kind === 'complaint' ? `Acknowledge by ${day}` : `${isExtended ? 'Extended, due' : 'Due'} ${day}`}
    </Chip>
  );
}
