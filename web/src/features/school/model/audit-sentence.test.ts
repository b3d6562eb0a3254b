import { expect, it } from 'vitest';
import type { AuditEntry } from '#contract/calls/school.ts';
import { auditSentence } from './audit-sentence.ts';

const say = (action: string, details: AuditEntry['details'] = {}, changes: Partial<AuditEntry> = {}) =>
  auditSentence(
    {
      id: 1,
      at: '2026-11-21T09:30:00.000Z',
      actor: null,
      impersonator: null,
      action,
      subject_kind: 'class',
      subject_id: '5',
      details,
      ...changes,
    },
    (id) => `staff ${id}`,
  );

it.each([
  ['class_renamed', { from: 'Owls', to: 'Wrens' }, 'renamed the class Owls to Wrens'],
  ['class_deleted', { name: 'Owls', pupils: 1 }, 'deleted the class Owls, which had 1 pupil'],
  ['teacher_removed', { name: 'Owls', teacher: 'Tom Ford' }, 'removed Tom Ford from Owls'],
  [
    'pupils_created',
    { count: 5, pupils: ['Ada', { name: 'Bob' }, 'Cat', 'Dan', 'Eve'] },
    'added 5 pupils: Ada, Bob, Cat and 2 more',
  ],
  ['pupils_moved', { pupils: [{ name: 'Ada' }], from: null, to: 'Owls' }, 'moved 1 pupil: Ada to Owls'],
  ['school_changed', { from: { recording_enabled: false }, to: { recording_enabled: true } }, 'enabled recordings'],
  [
    'school_changed',
    { from: { name: 'A', urn: null }, to: { name: 'B', urn: null } },
    "changed the school's name to B",
  ],
  ['account_changed', { fields: ['email', 'password'] }, 'changed their own email, password'],
])('%s is said as a sentence', (action, details, sentence) => {
  expect(say(action, details)).toBe(sentence);
});

it('names a member of staff who was deleted, and says an action that it does not know', () => {
  expect(say('teacher_removed', { role: 'teacher' }, { subject_kind: 'user', subject_id: '7' })).toBe(
    'deleted staff 7 from the school',
  );
  expect(say('something_new')).toBe('something new');
});
