// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { SearchParamsLink } from './SearchParamsLink.tsx';
import { dropFromSelections, useSelection } from './use-selection.ts';
import { useTableState } from './use-table-state.ts';

type Pupil = (typeof pupils)[number];

const pupils = Array.from({ length: 25 }, (_, index) => ({ id: index + 1, name: `Pupil ${index + 1}` }));

const ROW_MODEL = { key: ({ id }: Pupil) => id, name: ({ name }: Pupil) => name };

const matching = (search: string) => pupils.filter(({ name }) => name.includes(search));

function Page({ loadAllKeys = (search: string) => Promise.resolve(matching(search).map(({ id }) => id)) }) {
  const controls = useTableState({});
  const selection = useSelection();
  const { page, perPage, search } = controls.tableState;
  const found = matching(search);
  return (
    <>
      <SearchParamsLink changes={{ search: '5' }}>With 5</SearchParamsLink>
      <SearchParamsLink changes={{ search: '1' }}>With 1</SearchParamsLink>
      <SearchParamsLink changes={{ search: null }}>All</SearchParamsLink>
      <DataTable
        label="Pupils"
        columns={[{ id: 'name', header: 'Name', cell: ({ name }) => name }]}
        rows={found.slice((page - 1) * perPage, page * perPage)}
        rowModel={ROW_MODEL}
        empty="No pupils"
        controls={controls}
        total={found.length}
        noun={['pupil', 'pupils']}
        selection={selection}
        loadAllKeys={() => loadAllKeys(search)}
        selectionActions={
          <>
            <button aria-disabled="true">Delete</button>
            <button>Move</button>
          </>
        }
      />
    </>
  );
}

function open(page = <Page />) {
  const rendered = renderInApp(page, '/?per_page=10');
  const { user, getByRole, queryAllByRole } = rendered;
  const box = (name: string) => getByRole('checkbox', { name });
  return {
    ...rendered,
    press: (name: string) => user.click(getByRole('button', { name })),
    turnTo: (name: 'Next page' | 'Previous page' | 'With 5' | 'With 1' | 'All') =>
      user.click(getByRole('link', { name })),
    tick: (name: string) => user.click(box(name)),
    async tickWithShift(name: string) {
      await user.keyboard('{Shift>}');
      await user.click(box(name));
      await user.keyboard('{/Shift}');
    },
    isMixed: () => (box('Select all on this page') as HTMLInputElement).indeterminate,
    ticked: () => queryAllByRole('checkbox', { checked: true }).map((element) => element.getAttribute('aria-label')),
  };
}

it('rows stay ticked when the page of the table changes', async () => {
  const { tick, turnTo, ticked, isMixed, getByText } = open();
  await tick('Select Pupil 2');
  await tick('Select Pupil 9');
  expect(isMixed()).toBe(true);
  await turnTo('Next page');
  expect(ticked()).toEqual([]);
  expect(isMixed()).toBe(false);
  await tick('Select Pupil 11');
  expect(getByText('3 selected, 1 shown')).toBeTruthy();
  await turnTo('Previous page');
  expect(ticked()).toEqual(['Select Pupil 2', 'Select Pupil 9']);
  await tick('Select Pupil 9');
  expect(getByText('2 selected, 1 shown')).toBeTruthy();
});

it('Shift ticks and unticks a range of rows in both directions, never across pages', async () => {
  const { tick, tickWithShift, turnTo, ticked } = open();
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `Select Pupil ${from + index}`);
  await tick('Select Pupil 6');
  await tickWithShift('Select Pupil 3');
  expect(ticked()).toEqual(range(3, 6));
  await tickWithShift('Select Pupil 8');
  expect(ticked()).toEqual(range(3, 8));
  await tick('Select Pupil 4');
  await tickWithShift('Select Pupil 7');
  expect(ticked()).toEqual(['Select Pupil 3', 'Select Pupil 8']);
  await turnTo('Next page');
  await tickWithShift('Select Pupil 15');
  expect(ticked()).toEqual(['Select Pupil 15']);
});

it('the selection grows from the page to all results, and is cleared', async () => {
  const { tick, turnTo, ticked, press, queryByRole, getByText } = open();
  await tick('Select Pupil 1');
  expect(queryByRole('button', { name: 'Select all 25 pupils' })).toBeNull();
  await tick('Select all on this page');
  expect(getByText('10 of 25 selected')).toBeTruthy();
  await press('Select all 25 pupils');
  expect(getByText('25 of 25 selected')).toBeTruthy();
  expect(queryByRole('button', { name: 'Select all 25 pupils' })).toBeNull();
  await turnTo('Next page');
  expect(ticked()).toHaveLength(12);
  await press('Clear selection');
  expect(ticked()).toEqual([]);
  expect(queryByRole('button', { name: 'Clear selection' })).toBeNull();
  await turnTo('Previous page');
  expect(ticked()).toEqual([]);
});

it('“Select all” above the cards selects the same rows as the box in the head', async () => {
  const { tick, ticked, isMixed } = open();
  await tick('Select Pupil 4');
  expect(isMixed()).toBe(true);
  await tick('Select all');
  expect(ticked()).toHaveLength(12);
  await tick('Select all on this page');
  expect(ticked()).toEqual([]);
});

it('one Tab after a ticked row leads to the actions for the selection', async () => {
  const { tick, user, getByRole, queryAllByRole } = open();
  expect(queryAllByRole('button', { name: 'Go to the actions' })).toEqual([]);
  await tick('Select Pupil 3');
  await tick('Select Pupil 5');
  await user.tab();
  const link = document.activeElement!;
  expect(link.textContent).toBe('Go to the actions');
  expect(link.closest('tr')!.textContent).toContain('Pupil 5');
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(getByRole('button', { name: 'Move' }));
  await tick('Select Pupil 5');
  await tick('Select Pupil 3');
  expect(queryAllByRole('button', { name: 'Go to the actions' })).toEqual([]);
});

it('each row has a header, its first cell', () => {
  const { getAllByRole } = open();
  expect(getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(
    Array.from({ length: 10 }, (_, index) => `Pupil ${index + 1}`),
  );
});

it('the selection says how many of its rows a search hides', async () => {
  const { tick, turnTo, getByText } = open();
  for (const id of [1, 2, 3, 5]) await tick(`Select Pupil ${id}`);
  await turnTo('With 5');
  expect(getByText('4 selected, 1 shown')).toBeTruthy();
  await turnTo('All');
  expect(getByText('4 of 25 selected')).toBeTruthy();
});

it('“Select all” says that it takes the rows found, and adds them to those that a search hides', async () => {
  const { tick, turnTo, press, getByText, queryByRole } = open();
  await tick('Select Pupil 2');
  await turnTo('With 1');
  await tick('Select all on this page');
  await press('Select all 12 pupils found');
  expect(getByText('13 selected, 12 shown')).toBeTruthy();
  expect(queryByRole('button', { name: /^Select all/ })).toBeNull();
  await turnTo('All');
  await tick('Select all on this page');
  expect(getByText('20 selected, 10 shown')).toBeTruthy();
  await press('Select all 25 pupils');
  expect(getByText('25 of 25 selected')).toBeTruthy();
});

it('“Select all” takes no rows when another search is chosen before they have loaded', async () => {
  let resolve: (keys: number[]) => void;
  const promise = new Promise<number[]>((settle) => {
    resolve = settle;
  });
  const { tick, turnTo, press, findByText, queryByRole } = open(<Page loadAllKeys={() => promise} />);
  await turnTo('With 1');
  await tick('Select all on this page');
  await press('Select all 12 pupils found');
  await turnTo('All');
  await act(async () => resolve(pupils.map(({ id }) => id)));
  await findByText('10 selected, 2 shown');
  expect(queryByRole('button', { name: /^Select all/ })).toBeNull();
});

it('rows that no longer exist leave the selection, in the table that lists all rows and after a report', async () => {
  function Whole() {
    const [rows, setRows] = useState(pupils.slice(0, 3));
    const selection = useSelection(rows.map(({ id }) => id));
    return (
      <>
        <button type="button" onClick={() => setRows(rows.slice(1))}>
          Remove the first
        </button>
        <button type="button" onClick={() => dropFromSelections([2])}>
          Report
        </button>
        <button type="button" onClick={() => setRows(pupils.slice(0, 3))}>
          Undo
        </button>
        <DataTable
          label="Pupils"
          columns={[]}
          rows={rows}
          rowModel={ROW_MODEL}
          selection={selection}
          empty="No pupils"
        />
      </>
    );
  }
  const { tick, press, ticked } = open(<Whole />);
  for (const id of [1, 2, 3]) await tick(`Select Pupil ${id}`);
  await press('Remove the first');
  await press('Undo');
  expect(ticked()).toEqual(['Select Pupil 2', 'Select Pupil 3']);
  await press('Report');
  expect(ticked()).toEqual(['Select Pupil 3']);
});

it('the rows of the page stay ticked, with a message, when those of the other pages cannot be fetched', async () => {
  const { tick, press, findByRole, getByText } = open(<Page loadAllKeys={() => Promise.reject(new Error('Away'))} />);
  await tick('Select all on this page');
  await press('Select all 25 pupils');
  expect((await findByRole('alert')).textContent).toBe('We could not select all pupils. Please try again.');
  expect(getByText('10 of 25 selected')).toBeTruthy();
});

it('a tick re-renders only its row, and other changes on the page re-render none', async () => {
  const rendered = new Set<string>();
  const columns: Column<Pupil>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name }) => {
        rendered.add(name);
        return name;
      },
    },
  ];
  const withMenu = {
    ...ROW_MODEL,
    menu: ({ name }: Pupil, report: (text: string) => void) => (
      <button type="button" onClick={() => report(name)}>
        Act
      </button>
    ),
  };
  const rows = pupils.slice(0, 10);
  function Counting() {
    const selection = useSelection();
    const [text, setText] = useState('');
    const [chosen, setChosen] = useState('');
    return (
      <>
        <input aria-label="Elsewhere" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        <output>{chosen}</output>
        <DataTable
          label="Pupils"
          columns={columns}
          rows={rows}
          rowModel={withMenu}
          onRowAction={setChosen}
          selection={selection}
          empty="No pupils"
        />
      </>
    );
  }
  const { user, getByRole } = renderInApp(<Counting />);
  rendered.clear();
  await user.type(getByRole('textbox', { name: 'Elsewhere' }), 'abc');
  expect([...rendered]).toEqual([]);
  await user.click(getByRole('checkbox', { name: 'Select Pupil 4' }));
  expect([...rendered]).toEqual(['Pupil 4']);
});
