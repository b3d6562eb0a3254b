// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { BodyOf } from '#contract/call.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { yearGroupCalls } from '#contract/calls/year-groups.ts';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makePupil, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { YearGroupDialog } from './YearGroupDialog.tsx';

const SET = 'POST /v1/enterprises/7/readers/year-group';
const ADA = makePupil({ id: 11, name: 'Ada Baker', year_group: '3' });
const BEN = makePupil({ id: 12, name: 'Ben Crane', year_group: null });
const CLEO = makePupil({ id: 13, name: 'Cleo Diaz', year_group: '3' });

/** Answers as the server does: 404 while a pupil has left. */
function answer(body: unknown, pupils: readonly Pupil[], gone: ReadonlySet<number>) {
  const { reader_ids: ids, year_group } = body as BodyOf<typeof yearGroupCalls.setYearGroups>;
  const missing = ids.filter((id) => gone.has(id));
  if (missing.length > 0) return rejectWith(404, { error: 'Not found', error_type: 'not_found', reader_ids: missing });
  const others = pupils.filter((pupil) => ids.includes(pupil.id) && pupil.year_group !== year_group);
  return { changed: others.map((pupil) => ({ reader_id: pupil.id, year_group: pupil.year_group })) };
}

function show(pupils: readonly Pupil[]) {
  signIn(makeUser());
  const gone = new Set<number>();
  const sent = fakeApi({ [SET]: (body) => answer(body, pupils, gone) });
  const done = vi.fn<() => void>();
  const view = renderInApp(<YearGroupDialog pupils={pupils} isOpen onClose={() => undefined} onDone={done} />);
  const choose = async (label: string) => {
    await view.user.selectOptions(await screen.findByLabelText('Year group'), label);
    await view.user.click(screen.getByRole('button', { name: 'Change year group' }));
  };
  return { ...view, sent, gone, done, choose };
}

it('the year group of the selected pupils is set at once, and Undo restores each former one', async () => {
  const { user, sent, done, choose } = show([ADA, BEN, CLEO]);
  expect(await screen.findByRole('dialog', { name: 'Change year group of 3 pupils' })).toBeTruthy();
  await choose('Year 4');
  await waitFor(() => expect(done).toHaveBeenCalledTimes(1));
  await screen.findByText('Year group of 3 pupils: Year 4');
  await user.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  await waitFor(() =>
    expect(sent[SET]).toEqual([
      { reader_ids: [11, 12, 13], year_group: '4' },
      { reader_ids: [11, 13], year_group: '3' },
      { reader_ids: [12], year_group: null },
    ]),
  );
});

it('Undo of a change of year groups restores the other pupils when one has left since', async () => {
  const { user, sent, gone, choose } = show([ADA, BEN, CLEO]);
  await choose('Year 4');
  await screen.findByText('Year group of 3 pupils: Year 4');
  gone.add(11);
  await user.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  await waitFor(() => expect(sent[SET]).toContainEqual({ reader_ids: [13], year_group: '3' }));
  await screen.findByText('Ada Baker is no longer in the school');
});

it('starts with the year group that the selected pupils share, and offers no Undo when nothing changed', async () => {
  const { choose } = show([ADA, CLEO]);
  expect(await screen.findByLabelText<HTMLSelectElement>('Year group')).toHaveProperty('value', '3');
  await choose('Year 3');
  await screen.findByText('They had this year group already');
  expect(screen.queryByRole('button', { name: 'Undo', hidden: true })).toBeNull();
});

it('removes the year group of one pupil, whom the title names', async () => {
  const { sent, choose } = show([ADA]);
  expect(await screen.findByRole('dialog', { name: 'Change year group of Ada Baker' })).toBeTruthy();
  await choose('Not known');
  await screen.findByText('Year group of 1 pupil: not known');
  expect(sent[SET]).toEqual([{ reader_ids: [11], year_group: null }]);
});
