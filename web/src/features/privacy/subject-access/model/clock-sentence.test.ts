import { expect, it } from 'vitest';
import { readClock, type RequestDates, type RequestStep } from '#contract/rights.ts';
import { clockSentence } from './clock-sentence.ts';

function sentenceOf(kind: RequestDates['kind'], steps: [RequestStep, string][] = [], isOverdue = false): string {
  const request = { kind, received_on: '2026-11-18', steps: steps.map(([step, on]) => ({ step, on })) };
  const { state, startsOn, dueOn, isExtended } = readClock(request);
  return clockSentence({
    ...request,
    clock: state,
    starts_on: startsOn,
    due_on: dueOn,
    is_extended: isExtended,
    is_overdue: isOverdue,
    last_told_on: steps.at(-1)?.[1] ?? null,
  });
}

it.each<[string, RequestDates['kind'], [RequestStep, string][], string]>([
  [
    'arrived',
    'access',
    [],
    'Answer by 18 December 2026. The clock started on 18 November 2026, when the request arrived.',
  ],
  [
    'had to prove who they are',
    'erasure',
    [
      ['identity_asked', '2026-11-19'],
      ['identity_confirmed', '2026-12-03'],
    ],
    'Answer by 4 January 2027. The clock started on 3 December 2026, when proof of identity arrived.',
  ],
  [
    'has yet to prove who they are',
    'objection',
    [['identity_asked', '2026-11-19']],
    'The clock has not started. You asked for proof of identity on 19 November 2026, and it starts on the day the proof arrives.',
  ],
  [
    'was asked which information is meant',
    'access',
    [['clarification_asked', '2026-11-20']],
    'The clock has stopped. You asked which information is meant on 20 November 2026, and it goes on when the answer arrives.',
  ],
  [
    'answered, and was told of an extension',
    'access',
    [
      ['clarification_asked', '2026-11-20'],
      ['clarification_answered', '2026-11-24'],
      ['extended', '2026-11-24'],
    ],
    'Answer by 22 February 2027. The clock started on 18 November 2026, when the request arrived. It was extended by two months. The days until the person said which information they mean do not count.',
  ],
  [
    'wants the educational record',
    'educational_record',
    [],
    'Hand it over by 9 December 2026. The clock started on 18 November 2026, when the request arrived. You have 15 school days by your term dates. They cannot be extended.',
  ],
  [
    'complained',
    'complaint',
    [],
    'Acknowledge it by 18 December 2026. The clock started on 18 November 2026, when the complaint arrived. You have 30 days, or until the next working day.',
  ],
  [
    'complained, and was told about progress',
    'complaint',
    [
      ['acknowledged', '2026-11-19'],
      ['progress_told', '2026-11-30'],
    ],
    'You acknowledged it on 19 November 2026. Look into it, keep the person informed, and tell them the outcome without undue delay. You were last in touch on 30 November 2026.',
  ],
])('the clock is described to an admin when the person %s', (_, kind, steps, sentence) => {
  expect(sentenceOf(kind, steps)).toBe(sentence);
});

it('an overdue request says by when it was due', () => {
  expect(sentenceOf('access', [], true)).toMatch(/^This was due by 18 December 2026\. The clock started/);
});
