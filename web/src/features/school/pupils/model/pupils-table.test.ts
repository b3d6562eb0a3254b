import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Member } from '../../../../shared/can.ts';
import { readTableState } from '../../../../ui/table-url-state.ts';
import { isOwnByDefault, pupilTable, toCallState } from './pupils-table.ts';

const admin = { enterprise_id: 1, enterprise_user_role: 'admin' as const, role: 'admin' as const };
const teacher = { enterprise_id: 1, enterprise_user_role: 'teacher' as const, role: 'teacher' as const };
const filters = (address: string, user: Member) =>
  toCallState(readTableState(new URLSearchParams(address), undefined, pupilTable), user).filters;

describe('an address without classes', () => {
  it('a list of pupils without classes in its URL shows a teacher their classes, and an administrator all pupils', () => {
    expect(filters('', teacher)).toEqual({ groups: 'mine' });
    expect(filters('search=ada&level=3', teacher)).toEqual({ groups: 'mine', level: '3' });
    expect(filters('', admin)).toEqual({});
  });

  it('a list of pupils ignores mistyped classes in its URL', () => {
    expect(filters('groups=owls', teacher)).toEqual({ groups: 'mine' });
    expect(filters('groups=owls', admin)).toEqual({});
  });
});

it.each([
  ['groups=all', {}],
  ['groups=3,none', { groups: '3,none' }],
  ['groups=3&groups=4', { groups: '3,4' }],
])('a list of pupils shows the classes of %s to every user', (address, expected) => {
  for (const user of [admin, teacher]) expect(filters(address, user)).toEqual(expected);
  expect(isOwnByDefault('all', teacher)).toBe(false);
});

it('a list of pupils leaves out filters that the call would reject', () => {
  expect(filters('not_read_days=8&level=9', admin)).toEqual({});
  expect(filters('not_read_days=14&level=6', admin)).toEqual({ not_read_days: '14', level: '6' });
  expect(filters('tag=x&run=-1', admin)).toEqual({});
  expect(filters('tag=5&run=9', admin)).toEqual({ tag: '5', run: '9' });
});

it('the filter by this week’s reading begins on Monday at midnight in London', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-07-17T22:59:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  expect(filters('not_read_days=week', admin)).toEqual({ not_read_since: '2026-07-12T23:00:00.000Z' });
});

it('a list of pupils shows reading leads all pupils, and asks for no classes, tags or runs for a teaching assistant', () => {
  const lead = { enterprise_id: 1, role: 'reading_lead' as const };
  const assistant = { enterprise_id: 1, role: 'teaching_assistant' as const };
  expect(filters('', lead)).toEqual({});
  expect(filters('tag=5&run=9', lead)).toEqual({ tag: '5', run: '9' });
  expect(filters('', assistant)).toEqual({});
  expect(filters('tag=5&run=9&level=3', assistant)).toEqual({ level: '3' });
});
