// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useNavigate } from '../shared/router.ts';
import { announce, getAnnouncements } from '../shared/announcements.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { type Column, DataTable, ROWS_BY_ID } from './DataTable.tsx';
import { useSelection } from './use-selection.ts';
import { useTableState } from './use-table-state.ts';

interface Pupil {
  id: number;
  name: string;
}

const COLUMNS: readonly Column<Pupil>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: ({ name }) => name },
  { id: 'read', header: 'Last read', sort: 'read', sortWords: ['oldest first', 'latest first'], cell: () => '' },
];
const ROW_MODEL = { ...ROWS_BY_ID, name: ({ name }: Pupil) => name };
const PUPILS = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, name: `Pupil ${index + 1}` }));
const DEFAULTS = {
  sort: { field: 'need', direction: 'asc' },
  sortName: 'Who needs me first',
  filters: ['class'],
} as const;

function List() {
  const controls = useTableState(DEFAULTS);
  const selection = useSelection();
  const navigate = useNavigate();
  const { search, page, perPage } = controls.tableState;
  const found = PUPILS.filter(({ name }) => name.endsWith(search));
  const to = (query: string) => () => void navigate(`?${query}`);
  return (
    <>
      {['search=zz', 'search=60', 'class=4', 'sort=-name', 'sort=read', 'sort=need', 'page=2', ''].map((query) => (
        <button key={query} type="button" onClick={to(query)}>
          ?{query}
        </button>
      ))}
      <DataTable
        label="Pupils"
        columns={COLUMNS}
        rows={found.slice((page - 1) * perPage, page * perPage)}
        rowModel={ROW_MODEL}
        empty="None"
        total={found.length}
        controls={controls}
        selection={selection}
        noun={['pupil', 'pupils']}
      />
    </>
  );
}

const expectAnnounced = (text: string) => waitFor(() => expect(getAnnouncements().at(-1)?.text).toBe(text));

it.each([
  ['a search without a result', ['?search=zz'], 'No pupils found'],
  ['the rows that a search has found', ['?search=60'], '1 pupil'],
  ['all rows, when the search is cleared', ['?search=zz', '?'], '60 pupils'],
  ['the rows of a filter', ['?class=4'], '60 pupils'],
  ['a descending order', ['?sort=-name'], 'Sorted by name, Z to A'],
  ['an order with words of its own', ['?sort=read'], 'Sorted by last read, oldest first'],
  ['an order that no column has', ['?sort=-name', '?sort=need'], 'Sorted: Who needs me first'],
  ['another page', ['?page=2'], 'Page 2 of 2: 51 to 60 of 60 pupils'],
  ['a tick', ['Select Pupil 3'], '1 of 60 pupils selected'],
  ['the end of a selection', ['Select Pupil 3', 'Select Pupil 3'], 'No pupils selected'],
  [
    'a tick on a page that is not shown',
    ['Select Pupil 3', '?page=2', 'Select Pupil 51'],
    '2 pupils selected, 1 shown',
  ],
])('a table announces %s', async (_what, presses, text) => {
  const { user } = renderInApp(<List />);
  for (const press of presses) {
    await user.click(screen.queryByRole('button', { name: press }) ?? screen.getByRole('checkbox', { name: press }));
    await waitFor(() => expect(getAnnouncements()).not.toEqual([]));
  }
  await expectAnnounced(text);
});

it('a table announces nothing when it appears', async () => {
  renderInApp(<List />);
  announce('The end');
  await waitFor(() => expect(getAnnouncements().map((announcement) => announcement.text)).toEqual(['The end']));
});
