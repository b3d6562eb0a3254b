// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { ClassNameDialog } from './ClassNameDialog.tsx';

const NAME = 'I am the teacher of this class';

it.each([true, false])('assigns a new class to its creator if offered and ticked: %j', async (isTicked) => {
  const save = vi.fn<(name: string, assignSelf: boolean) => Promise<void>>(async () => undefined);
  const { user, findByRole, getByRole } = renderInApp(
    <ClassNameDialog isOpen onClose={() => undefined} title="Add Class" action="Add class" offersSelf onSave={save} />,
  );
  const box = await findByRole('checkbox', { name: NAME });
  if (isTicked) await user.click(box);
  await user.type(getByRole('textbox'), 'Kingfishers');
  await user.click(getByRole('button', { name: 'Add class' }));
  expect(save).toHaveBeenCalledWith('Kingfishers', isTicked);
});

it('the dialog for a new class hides the option to become its teacher unless that is offered', async () => {
  const { findByRole, queryByRole } = renderInApp(
    <ClassNameDialog
      isOpen
      onClose={() => undefined}
      title="Add Class"
      action="Add class"
      onSave={async () => undefined}
    />,
  );
  await findByRole('textbox');
  expect(queryByRole('checkbox')).toBeNull();
});

it('the dialog for a new class requires a name', async () => {
  const save = vi.fn<() => Promise<void>>(async () => undefined);
  const { user, findByRole, findAllByText, getByRole } = renderInApp(
    <ClassNameDialog isOpen onClose={() => undefined} title="Add Class" action="Add class" onSave={save} />,
  );
  const field = await findByRole('textbox');
  await user.type(field, '  ');
  await user.click(getByRole('button', { name: 'Add class' }));
  await findAllByText('Enter a name for the class.');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(save).not.toHaveBeenCalled();
});
