// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useLocation } from '../shared/router.ts';
import { setPreference } from '../shared/preferences.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { TablePager } from './TablePager.tsx';
import { useTableState } from './use-table-state.ts';

const DEFAULTS = {};

function Page() {
  const controls = useTableState(DEFAULTS);
  return (
    <>
      <output aria-label="URL">{useLocation().search}</output>
      <TablePager controls={controls} total={312} noun={['pupil', 'pupils']} tableId="table" />
    </>
  );
}
const rows = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' });

// Other files of this worker share the preferences.
afterEach(() => setPreference('rows', undefined));

it('a table offers 10, 25, 50, 100 and 200 rows per page, and shows 50 by default', () => {
  renderInApp(<Page />);
  const options = within(rows()).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['10', '25', '50', '100', '200']);
  expect(rows().value).toBe('50');
  expect(screen.getByText('1 to 50 of 312 pupils')).toBeTruthy();
});

it('the chosen rows per page are stored in this browser, for the next page that is opened', async () => {
  const { user, unmount } = renderInApp(<Page />);
  await user.selectOptions(rows(), '25');
  expect(screen.getByText('1 to 25 of 312 pupils')).toBeTruthy();
  expect(decodeURIComponent(document.cookie)).toContain('"rows":25');
  unmount();
  renderInApp(<Page />);
  expect(screen.getByLabelText('URL').textContent).toBe('');
  expect(rows().value).toBe('25');
});
