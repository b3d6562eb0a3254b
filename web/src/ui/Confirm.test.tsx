// @vitest-environment happy-dom
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../shared/api-error.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Confirm } from './Confirm.tsx';

function Page({ remove }: { remove: () => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Delete…
      </button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Delete Year 3 Badgers?"
        action="Delete class"
        lost="The class has not been deleted."
        onConfirm={remove}
      >
        Its 28 pupils stay in the school.
      </Confirm>
    </>
  );
}

const LOST = /The class has not been deleted\./;
const failure = new ApiError(503, { error: 'The database is away', error_type: 'server' });

it('stays open when its action fails, says what was not saved, and can be tried again', async () => {
  const remove = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(failure).mockResolvedValue(undefined);
  const { user, getByRole, findByRole, findByText, queryByRole, queryByText } = renderInApp(<Page remove={remove} />);
  await user.click(getByRole('button', { name: 'Delete…' }));
  await findByRole('dialog', { name: 'Delete Year 3 Badgers?' });
  expect(queryByText(LOST)).toBeNull();

  await user.click(getByRole('button', { name: 'Delete class' }));
  await findByText(LOST);
  expect(getByRole('dialog').textContent).toContain('The database is away');

  await user.click(getByRole('button', { name: 'Delete class' }));
  expect(remove).toHaveBeenCalledTimes(2);
  expect(queryByRole('dialog')).toBeNull();
});

it('forgets a failure when it is closed', async () => {
  const remove = vi.fn<() => Promise<unknown>>().mockRejectedValue(failure);
  const { user, getByRole, findByRole, findByText, queryByRole, queryByText } = renderInApp(<Page remove={remove} />);
  await user.click(getByRole('button', { name: 'Delete…' }));
  await findByRole('dialog');
  await user.click(getByRole('button', { name: 'Delete class' }));
  await findByText(LOST);
  await user.click(getByRole('button', { name: 'Cancel' }));
  expect(queryByRole('dialog')).toBeNull();

  await user.click(getByRole('button', { name: 'Delete…' }));
  await findByRole('dialog');
  expect(queryByText(LOST)).toBeNull();
  expect(remove).toHaveBeenCalledTimes(1);
});
