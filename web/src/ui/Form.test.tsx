// @vitest-environment happy-dom
import { TextInput } from '@mantine/core';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../shared/api-error.ts';
import { useSchemaForm } from '../shared/use-schema-form.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
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

it('puts what the server found wrong on its fields, and the rest into the summary, which has the focus', async () => {
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

it('says a failure without fields in the summary alone, and is sent again', async () => {
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

it('sends nothing that the schema rejects, and moves the focus to the summary at each attempt', async () => {
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
