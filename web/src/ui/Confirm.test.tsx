// @vitest-environment happy-dom
import { act } from '@testing-library/react';
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

it('a confirmation whose action fails stays open, says what was not saved, and can be tried again', async () => {
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

it('a confirmation that is closed and opened again shows no earlier failure', async () => {
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

it('a confirmation cannot be closed while its action runs, and then shows the failure', async () => {
  let fail: (error: unknown) => void = () => {};
  const remove = () => new Promise((_, reject) => void (fail = reject));
  const { user, getByRole, findByRole, findByText } = renderInApp(<Page remove={remove} />);
  await user.click(getByRole('button', { name: 'Delete…' }));
  await findByRole('dialog');
  await user.click(getByRole('button', { name: 'Delete class' }));
  await user.keyboard('{Escape}');
  await user.click(getByRole('button', { name: 'Cancel' }));
  expect(getByRole('dialog', { name: 'Delete Year 3 Badgers?' })).toBeTruthy();
  act(() => fail(failure));
  await findByText(LOST);
});

it('a confirmation shows no failure of the previous question', async () => {
  const remove = vi.fn<() => Promise<unknown>>().mockRejectedValue(failure);
  function Questions() {
    const [name, setName] = useState('Badgers');
    return (
      <>
        <Confirm isOpen title={`Delete ${name}?`} action="Delete class" onClose={() => {}} onConfirm={remove}>
          <button type="button" onClick={() => setName('Owls')}>
            Next class
          </button>
        </Confirm>
      </>
    );
  }
  const { user, findByRole, findByText, queryByText } = renderInApp(<Questions />);
  await user.click(await findByRole('button', { name: 'Delete class' }));
  await findByText(/The database is away/);
  await user.click(await findByRole('button', { name: 'Next class' }));
  await findByRole('dialog', { name: 'Delete Owls?' });
  expect(queryByText(/The database is away/)).toBeNull();
});
