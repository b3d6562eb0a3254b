// @vitest-environment happy-dom
import { TextInput } from './Field.tsx';
import { Link } from './Link.tsx';
import { useNavigate } from '../shared/router.ts';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { call } from '../shared/api-client.ts';
import { onLeave } from '../shared/ended-session.ts';
import { useSchemaForm } from '../shared/use-schema-form.ts';
import { fakeApi, rejectWith } from '../testing/fake-api.ts';
import { makeUser } from '../testing/make-school.ts';
import { renderRoutes, signIn } from '../testing/render-in-app.tsx';
import { Form } from './Form.tsx';

const RENAME = { params: { id: 7, readerId: 2 }, body: { name: 'Hill' } };

const schema = z.object({ name: z.string() });

function Page({ save }: { save: () => Promise<unknown> }) {
  const navigate = useNavigate();
  const form = useSchemaForm({ schema, initialValues: { name: '' }, unsavedText: 'The school is not registered yet.' });
  const submit = form.onSubmit(async () => {
    await save();
    await navigate('/done');
  });
  return (
    <Form form={form} onSubmit={submit}>
      <TextInput label="Name" {...form.field('name')} />
      <button type="submit">Save</button>
      <Link to="/elsewhere">Elsewhere</Link>
      <Link to="/?tab=2">Tab</Link>
    </Form>
  );
}

const open = (save: () => Promise<unknown> = () => Promise.resolve()) =>
  renderRoutes([
    { path: '/', element: <Page save={save} /> },
    { path: '/elsewhere', element: <h1>Elsewhere</h1> },
    { path: '/done', element: <h1>Done</h1> },
  ]);

const closeTab = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

it('an untouched form is left without a question', async () => {
  const { user, getByRole, findByRole } = open();
  expect(closeTab()).toBe(false);
  await user.click(getByRole('link', { name: 'Elsewhere' }));
  await findByRole('heading', { name: 'Elsewhere' });
});

it('a form asks before a link or a closed tab loses what was typed', async () => {
  const { user, getByRole, findByRole, getByLabelText, queryByRole } = open();
  await user.type(getByRole('textbox', { name: 'Name' }), 'Hill');
  expect(closeTab()).toBe(true);
  await user.click(getByRole('link', { name: 'Tab' }));
  expect(queryByRole('dialog')).toBeNull();
  await user.click(getByRole('link', { name: 'Elsewhere' }));
  const dialog = await findByRole('dialog', { name: 'Leave this page?' });
  expect(dialog.textContent).toContain('The school is not registered yet.');
  await user.click(getByRole('button', { name: 'Stay' }));
  expect(getByLabelText('Name')).toHaveProperty('value', 'Hill');
  await user.click(getByRole('link', { name: 'Elsewhere' }));
  await user.click(await findByRole('button', { name: 'Leave' }));
  await findByRole('heading', { name: 'Elsewhere' });
});

it('a submission leaves the form without a question, and one that failed brings the question back', async () => {
  const save = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(new Error('Away')).mockResolvedValue(undefined);
  const { user, getByRole, findByRole } = open(save);
  await user.type(getByRole('textbox', { name: 'Name' }), 'Hill');
  await user.click(getByRole('button', { name: 'Save' }));
  await findByRole('alert');
  await user.click(getByRole('link', { name: 'Elsewhere' }));
  await user.click(await findByRole('button', { name: 'Stay' }));
  await user.click(getByRole('button', { name: 'Save' }));
  await findByRole('heading', { name: 'Done' });
});

it('a page asks before a link leaves while a save is unanswered', async () => {
  signIn(makeUser());
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const { user, getByRole, findByRole } = open(() => call(pupilCalls.renamePupil, RENAME));
  await user.type(getByRole('textbox', { name: 'Name' }), 'Hill');
  await user.click(getByRole('button', { name: 'Save' }));
  await user.click(getByRole('link', { name: 'Elsewhere' }));
  await findByRole('dialog', { name: 'Leave this page?' });
});

it('a page asks before a 403 to a save leads to /logout', async () => {
  signIn(makeUser());
  fakeApi({ 'POST /v1/enterprises/7/readers/2': () => rejectWith(403, { error: 'Your role does not allow this.' }) });
  const { user, getByRole, findByRole, getByLabelText } = open(() => call(pupilCalls.renamePupil, RENAME));
  onLeave({ toLogout: () => getByRole('link', { name: 'Elsewhere' }).click(), toLogin: () => expect.unreachable() });
  await user.type(getByRole('textbox', { name: 'Name' }), 'Hill');
  await user.click(getByRole('button', { name: 'Save' }));
  await findByRole('dialog', { name: 'Leave this page?' });
  expect(getByLabelText('Name')).toHaveProperty('value', 'Hill');
});

it('a submission leaves the page without a question while an earlier change is unanswered', async () => {
  signIn(makeUser());
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  void call(pupilCalls.renamePupil, RENAME);
  const { user, getByRole, findByRole } = open();
  await user.type(getByRole('textbox', { name: 'Name' }), 'Hill');
  await user.click(getByRole('button', { name: 'Save' }));
  await findByRole('heading', { name: 'Done' });
});
