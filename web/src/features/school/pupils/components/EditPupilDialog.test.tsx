// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makePupil, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { EditPupilForm } from './EditPupilDialog.tsx';

it('the form of a pupil disables Save and marks the field while the name is invalid', async () => {
  signIn(makeUser());
  const { user, findByLabelText, getByRole } = renderInApp(
    <EditPupilForm pupil={makePupil()} onDone={vi.fn<() => void>()} />,
  );
  const field = await findByLabelText('Name');
  const isDisabled = () => getByRole('button', { name: 'Save' }).getAttribute('aria-disabled') === 'true';
  await user.clear(field);
  await user.type(field, 'R2 D2');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(isDisabled()).toBe(true);
  await user.clear(field);
  await user.type(field, 'Ada Byron');
  expect(field.getAttribute('aria-invalid')).not.toBe('true');
  expect(isDisabled()).toBe(false);
});

it('the form of a pupil sends a changed name without the spaces around it, and nothing for the same name', async () => {
  signIn(makeUser());
  const RENAME = 'POST /v1/enterprises/7/readers/5';
  const sent = fakeApi({ [RENAME]: () => ({ reader: makePupil({ name: 'Ada Byron' }) }) });
  const done = vi.fn<() => void>();
  const { user, findByLabelText, getByRole } = renderInApp(<EditPupilForm pupil={makePupil()} onDone={done} />);
  const field = await findByLabelText('Name');
  const save = async (name: string) => {
    await user.clear(field);
    await user.type(field, name);
    await user.click(getByRole('button', { name: 'Save' }));
  };
  await save(' Ada Baker ');
  await waitFor(() => expect(done).toHaveBeenCalledTimes(1));
  expect(sent[RENAME]).toBeUndefined();
  await save('  Ada Byron ');
  await waitFor(() => expect(done).toHaveBeenCalledTimes(2));
  expect(sent[RENAME]).toEqual([{ name: 'Ada Byron' }]);
});

it('the form of a pupil sends a changed year group with the name, and null for one that is not known', async () => {
  signIn(makeUser());
  const RENAME = 'POST /v1/enterprises/7/readers/5';
  const sent = fakeApi({ [RENAME]: () => ({ reader: makePupil() }) });
  const done = vi.fn<() => void>();
  const pupil = makePupil({ year_group: '3' });
  const { user, findByLabelText, getByRole } = renderInApp(<EditPupilForm pupil={pupil} onDone={done} />);
  await user.selectOptions(await findByLabelText('Year group'), 'P4');
  await user.click(getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(done).toHaveBeenCalledTimes(1));
  await user.selectOptions(await findByLabelText('Year group'), 'Not known');
  await user.click(getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(done).toHaveBeenCalledTimes(2));
  expect(sent[RENAME]).toEqual([
    { name: 'Ada Baker', year_group: 'P4' },
    { name: 'Ada Baker', year_group: null },
  ]);
});
