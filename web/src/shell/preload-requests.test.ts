import { expect, it } from 'vitest';
import { accessCalls, type User } from '#contract/calls/access.ts';
import { pupilCalls, PUPIL_SORTS } from '#contract/calls/pupils.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { pupilTable } from '../features/pupils/pupils.public.ts';
import { readTableState, tableQuery } from '../ui/table-url-state.ts';
import { addressOf } from '../shared/address.ts';
import { preloadRequests } from './preload-requests.ts';

const session = { key: 't', user: { enterprise_id: 7 } as User };

it('asks for what the pages will ask for, to the letter', () => {
  const search = '?page=2&search=ann&sort=-last_read_at&groups=3,none';
  const tableState = readTableState(new URLSearchParams(search), 25, pupilTable);
  expect(preloadRequests({ pathname: '/pupils', search }, session, 25)).toEqual([
    addressOf(accessCalls.getMe.path),
    addressOf(schoolCalls.getSchool.path, { id: 7 }),
    addressOf(pupilCalls.listPupils.path, { id: 7 }, tableQuery(tableState)),
  ]);
  expect(pupilCalls.listPupils.query.safeParse({ ...tableQuery(tableState), page: '2', per_page: '25' }).success).toBe(
    true,
  );
});

it('sorts the pupils by fields that the call knows', () => {
  expect(pupilTable.sorts).toEqual(PUPIL_SORTS);
});

it('asks no school of somebody who has none', () => {
  expect(
    preloadRequests({ pathname: '/pupils', search: '' }, { key: 't', user: { enterprise_id: null } as User }, null),
  ).toEqual(['/v1/users/me']);
});
