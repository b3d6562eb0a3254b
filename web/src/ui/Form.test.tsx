// @vitest-environment happy-dom
import { TextInput } from './Field.tsx';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../shared/api-error.ts';
import { endSession, startSession } from '../shared/session.ts';
import { useSchemaForm } from '../shared/use-schema-form.ts';
import { makeUser } from '../testing/make-school.ts';
import { renderInApp, signIn } from '../testing/render-in-app.tsx';
import { Form } from './Form.tsx';

const schema = z.object({
  name: z.string().min(1, 'Enter a name.'),
  contact: z.object({ telephone: z.string() }),
});

function Page({ save }: { save: (body: z.output<typeof schema>) => Promise<unknown> }) {
  const form = useSchemaForm({
    schema,
    initialValues: { name: 'Hill School', contact: { telephone: '' } },
    unsavedText: 'What you changed has not been saved yet.',
  });
  const { field, onSubmit } = form;
  return (
    <Form form={form} onSubmit={onSubmit(save)}>
      <TextInput label="Name" {...field('name')} />
      <TextInput label="Telephone" {...field('contact.telephone')} />
      <button type="submit">Save</button>
    </Form>
  );
}

const rejected = (errors: Record<string, string[]>) =>
  new ApiError(422, { error: 'The details are wrong', error_type: 'validation', errors });

it('a form that is submitted again before the reply sends one call, and can be sent again after it', async () => {
  let fail = (_error: unknown) => {};
  const save = vi.fn<() => Promise<unknown>>(
    () =>
      new Promise((_resolve, reject) => {
        fail = reject;
      }),
  );
  const { container, findByRole } = renderInApp(<Page save={save} />);
  const form = container.querySelector('form')!;
  fireEvent.submit(form);
  fireEvent.submit(form);
  fail(rejected({ name: ['The name is taken.'] }));
  await findByRole('alert');
  expect(save).toHaveBeenCalledTimes(1);
  fireEvent.submit(form);
  expect(save).toHaveBeenCalledTimes(2);
});

it('errors from the server appear at their fields, all others in the summary, which has the focus', async () => {
  const save = vi.fn<() => Promise<unknown>>().mockRejectedValue(
    rejected({
      name: ['The name is taken.'],
      'contact.telephone': ['Too short.', 'Digits only.'],
      seats: ['There are no seats left.'],
    }),
  );
  const { user, getByRole, findByRole, getByLabelText } = renderInApp(<Page save={save} />);
  await user.click(getByRole('button', { name: 'Save' }));

  const summary = await findByRole('alert');
  expect([...summary.querySelectorAll('li')].map((item) => item.textContent).sort()).toEqual([
    'The name is taken.',
    'There are no seats left.',
    'Too short. Digits only.',
  ]);
  expect([...summary.querySelectorAll('a')].map((link) => link.textContent)).toEqual([
    'The name is taken.',
    'Too short. Digits only.',
  ]);
  expect(document.activeElement).toBe(summary);
  expect(getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  expect(getByRole('textbox', { name: 'Name', description: 'The name is taken.' })).toBeTruthy();
  expect(getByRole('textbox', { name: 'Telephone', description: 'Too short. Digits only.' })).toBeTruthy();

  await user.click(getByRole('link', { name: 'Too short. Digits only.' }));
  expect(document.activeElement).toBe(getByLabelText('Telephone'));
  expect(getByLabelText('Name')).toHaveProperty('value', 'Hill School');
});

it('a failure without fields appears in the summary alone, and the form can be sent again', async () => {
  const save = vi
    .fn<() => Promise<unknown>>()
    .mockRejectedValueOnce(new ApiError(0, { error: 'Error: Network Error', error_type: 'network' }))
    .mockResolvedValue(undefined);
  const { user, getByRole, findByRole, queryByRole } = renderInApp(<Page save={save} />);
  await user.click(getByRole('button', { name: 'Save' }));
  const summary = await findByRole('alert');
  expect(summary.textContent).toContain('Error: Network Error');
  expect(summary.textContent).toContain('What you typed is still here.');
  expect(summary.querySelector('a')).toBeNull();
  expect(document.activeElement).toBe(summary);

  await user.click(getByRole('button', { name: 'Save' }));
  expect(queryByRole('alert')).toBeNull();
  expect(save).toHaveBeenCalledTimes(2);
});

it('a form that the schema rejects is not sent, and each attempt moves the focus to the summary', async () => {
  const save = vi.fn<() => Promise<unknown>>();
  const { user, getByRole, getByLabelText } = renderInApp(<Page save={save} />);
  await user.clear(getByLabelText('Name'));
  for (let tries = 0; tries < 2; tries++) {
    await user.click(getByRole('button', { name: 'Save' }));
    expect(document.activeElement).toBe(getByRole('alert'));
    expect(getByRole('link', { name: 'Enter a name.' })).toBeTruthy();
  }
  expect(save).not.toHaveBeenCalled();
});

const DRAFT = 'portal.private.draft / name contact';

/** Stores what a user had typed. */
function storeDraft(more: object): void {
  const values = { name: 'Elm Row', contact: { telephone: '5' } };
  sessionStorage.setItem(DRAFT, JSON.stringify({ userId: 3, schoolId: 7, at: Date.now(), values, ...more }));
  onTestFinished(() => sessionStorage.clear());
}

const OFFER = 'We kept what you typed before your session ended';

it('a form offers the draft of its user, and deletes it once the form is saved', async () => {
  signIn(makeUser());
  storeDraft({});
  const save = vi.fn<() => Promise<unknown>>().mockResolvedValue(undefined);
  const { user, getByRole, findByText, queryByText } = renderInApp(<Page save={save} />);
  await findByText(OFFER);
  await user.click(getByRole('button', { name: 'Save' }));
  expect(save).toHaveBeenLastCalledWith({ name: 'Hill School', contact: { telephone: '' } });
  await waitFor(() => expect(sessionStorage.getItem(DRAFT)).toBeNull());
  storeDraft({});
  expect(queryByText(OFFER)).toBeNull();
});

it('“Use it” fills the form with the draft', async () => {
  signIn(makeUser());
  storeDraft({});
  const { user, getByRole, getByLabelText, queryByText } = renderInApp(
    <Page save={() => Promise.reject(new Error('Away'))} />,
  );
  await user.click(getByRole('button', { name: 'Use it' }));
  expect([getByLabelText('Name'), getByLabelText('Telephone')]).toMatchObject([{ value: 'Elm Row' }, { value: '5' }]);
  expect(queryByText(OFFER)).toBeNull();
  expect(sessionStorage.getItem(DRAFT)).toBeNull();
});

it('a draft that the user declines is deleted', async () => {
  signIn(makeUser());
  storeDraft({});
  const { user, getByRole, getByLabelText } = renderInApp(<Page save={() => Promise.resolve()} />);
  await user.click(getByRole('button', { name: 'Delete it' }));
  expect(getByLabelText('Name')).toHaveProperty('value', 'Hill School');
  expect(sessionStorage.getItem(DRAFT)).toBeNull();
});

it.each([
  ['of another user', { userId: 4 }],
  ['of another school', { schoolId: 8 }],
  ['older than seven days', { at: Date.now() - 7 * 86_400_000 - 1000 }],
])('does not offer a draft %s', async (_what, more) => {
  signIn(makeUser());
  storeDraft(more);
  const { findByLabelText, queryByText } = renderInApp(<Page save={() => Promise.resolve()} />);
  await findByLabelText('Name');
  expect(queryByText(OFFER)).toBeNull();
});

it.each([
  ['the user logs out', endSession],
  ['another user logs in', () => startSession(makeUser({ id: 4 }))],
])('deletes drafts when %s', (_when, change) => {
  signIn(makeUser());
  storeDraft({});
  change();
  expect(sessionStorage.getItem(DRAFT)).toBeNull();
});

it('a form submits text that was typed before hydration together with the press of its button', async () => {
  const save = vi.fn<() => Promise<unknown>>().mockResolvedValue(undefined);
  /** As `replayEarlyInput` does: in an effect, in which React renders nothing between two events. */
  function Replay() {
    useEffect(() => {
      const field = screen.getByLabelText<HTMLInputElement>('Name');
      fireEvent.change(field, { target: { value: 'Elm Row' } });
      fireEvent.submit(field.form!);
    }, []);
    return null;
  }
  renderInApp(
    <>
      <Page save={save} />
      <Replay />
    </>,
  );
  await waitFor(() => expect(save).toHaveBeenCalledWith({ name: 'Elm Row', contact: { telephone: '' } }));
});
