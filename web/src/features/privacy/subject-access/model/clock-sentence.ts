import type { SubjectRequestDetails } from '#contract/calls/subject-requests.ts';
import type { RequestStep } from '#contract/rights.ts';
import { formatDate } from '../../../../shared/format.ts';

type ClockOfRequest = Pick<
  SubjectRequestDetails,
  'kind' | 'clock' | 'starts_on' | 'due_on' | 'is_extended' | 'is_overdue' | 'received_on' | 'last_told_on'
> & { steps: readonly Pick<SubjectRequestDetails['steps'][number], 'step' | 'on'>[] };

/** Describes the clock of an open request: by when to answer and from when that counts, or why no time runs. */
export function clockSentence(request: ClockOfRequest): string {
  const { kind, clock, due_on: dueOn, starts_on: startsOn, received_on: receivedOn } = request;
  const dayOf = (step: RequestStep) =>
    formatDate(request.steps.findLast((recorded) => recorded.step === step)?.on ?? receivedOn);
  if (clock === 'waiting_for_identity')
    return `The clock has not started. You asked for proof of identity on ${dayOf('identity_asked')}, and it starts on the day the proof arrives.`;
  if (clock === 'paused')
    return `The clock has stopped. You asked which information is meant on ${dayOf('clarification_asked')}, and it goes on when the answer arrives.`;
  if (clock === 'no_fixed_day')
    return `You acknowledged it on ${dayOf('acknowledged')}. Look into it, keep the person informed, and tell them the outcome without undue delay. You were last in touch on ${formatDate(request.last_told_on ?? receivedOn)}.`;
  const deadline = formatDate(dueOn ?? receivedOn);
  const duty = kind === 'complaint' ? 'Acknowledge it' : kind === 'educational_record' ? 'Hand it over' : 'Answer';
  const first = request.is_overdue ? `This was due by ${deadline}.` : `${duty} by ${deadline}.`;
  const cause =
    startsOn === receivedOn
      ? `the ${kind === 'complaint' ? 'complaint' : 'request'} arrived`
      : 'proof of identity arrived';
  const start = `The clock started on ${formatDate(startsOn ?? receivedOn)}, when ${cause}.`;
  const length =
    kind === 'educational_record'
      ? ' You have 15 school days by your term dates. They cannot be extended.'
      : kind === 'complaint'
        ? ' You have 30 days, or until the next working day.'
        : '';
  const extension = request.is_extended ? ' It was extended by two months.' : '';
  const pause = request.steps.some(({ step }) => step === 'clarification_answered')
    ? ' The days until the person said which information they mean do not count.'
    : '';
  return `${first} ${start}${length}${extension}${pause}`;
}
