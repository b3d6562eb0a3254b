// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { ApiError } from '../shared/api-error.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';

const wrong = (errors: Record<string, string[]>) =>
  new ApiError(422, { error: 'Some of the details are not correct.', error_type: 'validation', errors });

it.each([[{ name: ['Enter a name.'] }], [{ name: ['Enter a name.'], email: ['Enter an email address.'] }]])(
  'lists what is wrong, be it one thing or more: %j',
  (errors) => {
    const { getAllByRole } = renderInApp(<ErrorNotice error={wrong(errors)} />);
    expect(getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(Object.values(errors).flat());
  },
);

it('an error that is not about fields is shown as a sentence', () => {
  const gone = new ApiError(409, { error: 'The class is gone.', error_type: 'conflict' });
  const { getByText, queryByRole } = renderInApp(<ErrorNotice error={gone} />);
  getByText('The class is gone.');
  expect(queryByRole('list')).toBeNull();
});
