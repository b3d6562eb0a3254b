// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useLocation } from '../shared/router.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { DataTable } from './DataTable.tsx';
import { TableSearch } from './TableSearch.tsx';
import type { TableDefaults } from './table-url-state.ts';
import { useTableState } from './use-table-state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Pupil {
  id: number;
  name: string;
}
const PUPILS = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, name: `Pupil ${index + 1}` }));
const DEFAULTS: TableDefaults = { sorts: ['name'], filters: ['groups'] };
const ROW_MODEL = { key: ({ id }: Pupil) => id };

const renderedRows = new Set<number>();
const COLUMNS = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ id, name }: Pupil) => {
      renderedRows.add(id);
      return name;
    },
  },
];

function Page() {
  const controls = useTableState(DEFAULTS);
  return (
    <>
      <output aria-label="URL">{useLocation().search}</output>
      <TableSearch label="Search" />
      <button type="button" onClick={() => controls.setFilter('groups', '3')}>
        Year 3
      </button>
      <DataTable
        label="Pupils"
        columns={COLUMNS}
        rows={PUPILS}
        rowModel={ROW_MODEL}
        controls={controls}
        total={60}
        empty="None"
      />
    </>
  );
}

const url = () => screen.getByLabelText('URL').textContent;
const passTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('a table keeps a sort and a filter that follow each other quickly', async () => {
  renderInApp(<Page />);
  fireEvent.click(screen.getByRole('link', { name: 'Name' }));
  fireEvent.click(screen.getByRole('button', { name: 'Year 3' }));
  await passTime(0);
  expect(url()).toBe('?sort=name&groups=3');
});

it('a table keeps its filter when a link sorts whose URL still lacks the filter', async () => {
  renderInApp(<Page />);
  fireEvent.click(screen.getByRole('button', { name: 'Year 3' }));
  fireEvent.click(screen.getByRole('link', { name: 'Name' }));
  await passTime(0);
  expect(url()).toBe('?groups=3&sort=name');
});

it('a letter in the search re-renders no row of the table', async () => {
  renderInApp(<Page />);
  await passTime(1000);
  renderedRows.clear();
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'a' } });
  await passTime(1);
  expect([...renderedRows]).toEqual([]);
});

it('a list is searched 500 ms after the last letter', async () => {
  renderInApp(<Page />);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'a' } });
  await passTime(300);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'ad' } });
  await passTime(499);
  expect(url()).toBe('');
  await passTime(1);
  expect(url()).toBe('?search=ad');
});
