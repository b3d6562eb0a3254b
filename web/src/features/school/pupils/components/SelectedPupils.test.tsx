// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { isForbidden } from '../../../../testing/forbidden-calls.ts';
import { makeClass, makePupil, makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { UndoFailure } from '../../../../ui/UndoFailure.tsx';
import { SelectedPupils } from './SelectedPupils.tsx';

const pupilIn = (id: number, classId: number) => makePupil({ id, group: { id: classId, name: `Class ${classId}` } });

it('Undo returns the selected pupils to every class that remains, and reports the class that is gone', async () => {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'POST /v1/enterprises/7/readers/unplace': () => ({}),
    'POST /v1/enterprises/7/groups/1/readers/move': () =>
      rejectWith(404, { error: 'Class not found', error_type: 'not_found', code: 'class_not_found' }),
    'POST /v1/enterprises/7/groups/2/readers/move': () => ({}),
  });
  const { user } = renderInApp(
    <>
      <UndoFailure />
      <SelectedPupils pupils={[pupilIn(11, 1), pupilIn(12, 2), pupilIn(13, 2)]} isAdmin onDone={() => undefined} />
    </>,
  );
  await user.click(screen.getByRole('button', { name: 'Remove from class', hidden: true }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove from class' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('This could not be undone: 3 pupils removed from their classes');
  await waitFor(() =>
    expect(sent['POST /v1/enterprises/7/groups/2/readers/move']).toEqual([{ reader_ids: [12, 13], source: null }]),
  );
});

it('removing selected pupils from their class is confirmed with “The action was successful”', async () => {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'POST /v1/enterprises/7/readers/unplace': () => ({}),
  });
  const { user } = renderInApp(<SelectedPupils pupils={[pupilIn(11, 1)]} isAdmin onDone={() => undefined} />);
  await user.click(screen.getByRole('button', { name: 'Remove from class', hidden: true }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove from class' }));
  expect(await screen.findByText('The action was successful')).toBeTruthy();
});

it.each([
  ['Remove from class', 'Remove from class', 'readers/unplace', '1 pupil removed from the class'],
  ['Delete', 'Delete 2 pupils', 'archive', 'Ben Crane has been deleted'],
])('%s names the pupil who is gone, and is done for the other', async (action, confirm, path, detail) => {
  signIn(makeUser());
  const gone = makePupil({ id: 11, name: 'Amara Nwachukwu', group: { id: 1, name: 'Class 1' } });
  const other = makePupil({ id: 12, name: 'Ben Crane', group: { id: 1, name: 'Class 1' } });
  const url = `POST /v1/enterprises/7/${path}`;
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    [url]: (body) =>
      (body as Record<'reader_ids', number[]>).reader_ids.includes(11)
        ? rejectWith(404, { error: 'Some were not found', error_type: 'not_found', reader_ids: [11] })
        : {},
  });
  const { user } = renderInApp(<SelectedPupils pupils={[gone, other]} isAdmin onDone={() => undefined} />);
  await user.click(screen.getByRole('button', { name: action, hidden: true }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: confirm }));
  await screen.findByText('Amara Nwachukwu is no longer in the school');
  await screen.findByText(detail);
  expect(sent[url]).toEqual([{ reader_ids: [11, 12] }, { reader_ids: [12] }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

const ACTIONS_OF = {
  teacher: [
    'Reset Passwords',
    'Change Class',
    'Print words',
    'Assign books',
    'Change year group',
    'Remove from class',
    'Pages for parents’ evening',
    'Certificates',
    'CSV',
  ],
  teaching_assistant: ['Reset Passwords', 'Certificates', 'CSV'],
} as const;

it.each(['teacher', 'reading_lead', 'teaching_assistant'] as const)(
  'the actions for selected pupils are those that the role %s can ever use',
  async (role) => {
    signIn(makeUser({ enterprise_user_role: 'teacher', role }));
    fakeApi({
      'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ features: ['new_statistics'] }) }),
    });
    renderInApp(<SelectedPupils pupils={[pupilIn(11, 1)]} isAdmin={false} onDone={() => undefined} />);
    await screen.findByRole('button', { name: 'Reset Passwords' });
    const expected = role === 'teaching_assistant' ? ACTIONS_OF.teaching_assistant : ACTIONS_OF.teacher;
    await waitFor(() =>
      expect(
        screen
          .getAllByRole('button', { hidden: true })
          .map(({ textContent }) => textContent)
          .filter((text) => (ACTIONS_OF.teacher as readonly string[]).includes(text)),
      ).toEqual(expected),
    );
  },
);

/** Which actions for a pupil in a class of another teacher are disabled. */
it.each([
  ['teaching_assistant', []],
  ['reading_lead', ['Reset Passwords', 'Change Class', 'Change year group', 'Remove from class']],
  [
    'teacher',
    [
      'Reset Passwords',
      'Change Class',
      'Print words',
      'Assign books',
      'Change year group',
      'Remove from class',
      'Pages for parents’ evening',
    ],
  ],
] as const)('for a pupil whom they cannot change, the role %s cannot use %j', async (role, expected) => {
  signIn(makeUser({ enterprise_user_role: 'teacher', role }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ features: ['new_statistics'] }) }),
  });
  const pupil = { ...pupilIn(11, 1), can_update: false };
  renderInApp(<SelectedPupils pupils={[pupil]} isAdmin={false} onDone={() => undefined} />);
  await screen.findByRole('button', { name: 'Certificates', hidden: true });
  await waitFor(() =>
    expect(
      screen
        .getAllByRole('button', { hidden: true })
        .filter((button) => button.getAttribute('aria-disabled') === 'true')
        // The reason stands below the action.
        .map(({ textContent }) => ACTIONS_OF.teacher.find((label) => textContent.startsWith(label))),
    ).toEqual(expected),
  );
});

/** A colleague who covers classes 1 and 2, with some of their pupils selected. Returns the requests. */
function showCovered(role: 'teacher' | 'teaching_assistant') {
  const covers = [1, 2].map((id) => ({ group_id: id, ends_at: '2099-01-01T15:30:00.000Z' }));
  signIn(makeUser({ enterprise_user_role: 'teacher', role, covers }));
  const classes = [1, 2, 3].map((id) => makeClass({ id, name: `Class ${id}` }));
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ groups: classes }) }),
    'POST /v1/enterprises/7/groups/1/readers/move': () => ({}),
    'POST /v1/enterprises/7/groups/2/readers/move': () => ({}),
    'POST /v1/enterprises/7/readers/unplace': () => ({}),
  });
  const pupils = [pupilIn(11, 1), pupilIn(12, 1)].map((pupil) => ({ ...pupil, can_update: false }));
  return { sent, ...renderInApp(<SelectedPupils pupils={pupils} isAdmin={false} onDone={() => undefined} />) };
}

it.each(['teacher', 'teaching_assistant'] as const)(
  'a colleague with the role %s moves pupils of a class that they cover to another that they cover, and back',
  async (role) => {
    const { sent, user } = showCovered(role);
    await user.click(await screen.findByRole('button', { name: 'Change Class' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change class of 2 pupils' });
    const choice = within(dialog).getByRole('combobox', { name: 'New class' });
    await waitFor(() =>
      expect(
        within(choice)
          .getAllByRole('option')
          .map(({ textContent }) => textContent),
      ).toEqual(['Choose a class', 'Class 2 (1 pupil)']),
    );
    await user.selectOptions(choice, '2');
    await user.click(within(dialog).getByRole('button', { name: 'Change class' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(sent['POST /v1/enterprises/7/groups/1/readers/move']).toEqual([{ reader_ids: [11, 12], source: 2 }]),
    );
    expect(sent['POST /v1/enterprises/7/groups/2/readers/move']).toEqual([{ reader_ids: [11, 12], source: 1 }]);
    expect(Object.keys(sent).filter((name) => isForbidden(role, name))).toEqual([]);
  },
);

it('a teaching assistant who covers a class is warned that they cannot put a removed pupil back, and gets no Undo', async () => {
  const { user } = showCovered('teaching_assistant');
  await user.click(await screen.findByRole('button', { name: 'Remove from class', hidden: true }));
  const dialog = await screen.findByRole('dialog');
  within(dialog).getByText('Only a teacher of the class or an admin can put them back.');
  await user.click(within(dialog).getByRole('button', { name: 'Remove from class' }));
  await screen.findByText('The action was successful');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});
