// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { call } from '../shared/api-client.ts';
import { useSchemaForm } from '../shared/use-schema-form.ts';
import { fakeApi, rejectWith } from '../testing/fake-api.ts';
import { makeUserOfTwo } from '../testing/make-school.ts';
import { renderInApp, signIn } from '../testing/render-in-app.tsx';
import { TextInput } from '../ui/Field.tsx';
import { Form } from '../ui/Form.tsx';

const SAVE = 'POST /v1/enterprises/7/readers/2';
const SWITCH = 'POST /v1/users/me/enterprise';
const SWITCHED =
  'You have switched to another school in the meantime. Nothing has been changed. Switch back, then repeat.';

let isBack: boolean;
let sent: Record<string, unknown[]>;
beforeEach(() => {
  isBack = false;
});

function answerSwitch(reply: () => object) {
  sent = fakeApi({
    [SAVE]: () => (isBack ? { reader: { id: 2 } } : rejectWith(409, { error: SWITCHED, code: 'school_switched' })),
    [SWITCH]: reply,
  });
}

const schema = z.object({ name: z.string() });

function Page() {
  const form = useSchemaForm({ schema, initialValues: { name: '' }, unsavedText: 'The name has not been saved yet.' });
  const submit = form.onSubmit((body) => call(pupilCalls.renamePupil, { params: { id: 7, readerId: 2 }, body }));
  return (
    <Form form={form} onSubmit={submit}>
      <TextInput label="Name" {...form.field('name')} />
      <button type="submit">Save</button>
    </Form>
  );
}

/** Types a name and saves it, after a switch of school in another tab. */
async function saveName() {
  signIn(makeUserOfTwo());
  const { user } = renderInApp(<Page />);
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Amara');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'You have switched to another school' });
  const press = (name: string) => user.click(within(dialog).getByRole('button', { name }));
  return { dialog, press };
}

it('a save for a school that the user has left asks them to switch back, and then saves', async () => {
  answerSwitch(() => {
    isBack = true;
    return { user: makeUserOfTwo() };
  });
  const { press } = await saveName();
  await press('Switch back to Oak Row');
  await waitFor(() => expect(sent[SAVE]).toEqual([{ name: 'Amara' }, { name: 'Amara' }]));
  expect(sent[SWITCH]).toEqual([{ enterprise_id: 7 }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a user who does not switch back keeps what they typed, and reads why it was not saved', async () => {
  answerSwitch(() => ({}));
  const { press } = await saveName();
  await press('Cancel');
  expect((await screen.findByRole('alert')).textContent).toContain(SWITCHED);
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Amara');
  expect([sent[SAVE]?.length, sent[SWITCH]]).toEqual([1, undefined]);
});

it('a user who cannot switch back reads why in the question', async () => {
  answerSwitch(() => rejectWith(404, { error: 'You do not work at this school.', error_type: 'not_found' }));
  const { dialog, press } = await saveName();
  await press('Switch back to Oak Row');
  expect((await within(dialog).findByRole('alert')).textContent).toContain('You do not work at this school.');
  expect(screen.getByRole('textbox', { name: 'Name', hidden: true })).toHaveProperty('value', 'Amara');
});
