// @vitest-environment happy-dom
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ApiError } from '../shared/api-error.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { OutOfDateNotice } from './OutOfDateNotice.tsx';

/** A page with a name that the server sends, and a button that makes it load the name again. */
function openPage(answers: (string | ApiError)[]) {
  function Page() {
    const client = useQueryClient();
    const { data, status } = useQuery({
      queryKey: ['name'],
      queryFn: async () => {
        const answer = answers.shift();
        if (typeof answer !== 'string') throw answer;
        return answer;
      },
      retry: false,
    });
    return (
      <>
        <OutOfDateNotice />
        <p>{data}</p>
        <output>{status}</output>
        <button type="button" onClick={() => void client.invalidateQueries()}>
          Change
        </button>
      </>
    );
  }
  return renderInApp(<Page />);
}

const away = new ApiError(503, { error: 'Away', error_type: 'server' });

it('a page that could not load a change says that it may be out of date, until it has loaded the change', async () => {
  const { user } = openPage(['Ada', away, away, 'Ada Baker']);
  await screen.findByText('Ada');
  expect(screen.queryByText('This page may be out of date')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Change' }));
  await screen.findByText('This page may be out of date');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await screen.findByText('Ada Baker');
  await waitFor(() => expect(screen.queryByText('This page may be out of date')).toBeNull());
});

it('a page does not say that it may be out of date when the server rejects its call', async () => {
  const gone = new ApiError(404, { error: 'Gone', error_type: 'not_found' });
  const { user } = openPage(['Ada', gone]);
  await screen.findByText('Ada');
  await user.click(screen.getByRole('button', { name: 'Change' }));
  await screen.findByText('error');
  expect(screen.queryByText('This page may be out of date')).toBeNull();
});
