// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { useRef, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { DataTable } from './DataTable.tsx';
import { RowMenu } from './RowMenu.tsx';
import { useRowMenu } from './use-row-menu.ts';

interface Pupil {
  id: number;
  name: string;
}

const PUPILS = [2, 3].map((id) => ({ id, name: `Pupil ${id}` }));

const ROW_MODEL = {
  key: ({ id }: Pupil) => id,
  name: ({ name }: Pupil) => name,
  menu: ({ name }: Pupil, act: (name: string) => void) => (
    <button type="button" onClick={() => act(name)}>
      Act on {name}
    </button>
  ),
};

function Page() {
  const [chosen, setChosen] = useState('');
  return (
    <>
      <output aria-label="Chosen">{chosen}</output>
      <DataTable
        label="Pupils"
        columns={[]}
        rows={PUPILS}
        rowModel={ROW_MODEL}
        onRowAction={setChosen}
        empty="No pupils"
      />
    </>
  );
}

it('the actions of a row are rendered when its menu is pressed, for one row at a time, until it closes', async () => {
  const { user, getByLabelText, queryAllByRole } = renderInApp(<Page />);
  const buttons = () => queryAllByRole('button').map(({ textContent }) => textContent);
  expect(buttons()).toEqual([]);
  await user.click(getByLabelText('Actions for Pupil 2'));
  expect(buttons()).toEqual(['Act on Pupil 2']);
  await user.click(getByLabelText('Actions for Pupil 3'));
  expect(buttons()).toEqual(['Act on Pupil 3']);
  await user.keyboard('{Escape}');
  expect(buttons()).toEqual([]);
  expect(document.activeElement).toBe(getByLabelText('Actions for Pupil 3'));
});

it('an action in the menu of a row is reported with its row, and closes the menu with the focus on its button', async () => {
  const { user, getByLabelText, getByRole, queryAllByRole } = renderInApp(<Page />);
  await user.click(getByLabelText('Actions for Pupil 2'));
  await user.click(getByRole('button', { name: 'Act on Pupil 2' }));
  expect(getByLabelText('Chosen').textContent).toBe('Pupil 2');
  expect(document.activeElement).toBe(getByLabelText('Actions for Pupil 2'));
  expect(queryAllByRole('button')).toEqual([]);
});

it('a menu of a row that was opened before hydration has its actions after it', () => {
  const keys = PUPILS.map(({ id }) => id);
  function Table() {
    const table = useRef<HTMLTableElement>(null);
    const { menuKey, openMenu, closeMenu } = useRowMenu(table, keys);
    return (
      <table ref={table}>
        <tbody onClick={openMenu}>
          {PUPILS.map(({ id, name }) => (
            <tr key={id}>
              <td>
                <RowMenu label={`Actions for ${name}`} onClose={() => closeMenu(id)}>
                  {id === menuKey && <button type="button">Act on {name}</button>}
                </RowMenu>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    );
  }
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = renderToString(<Table />);
  container.querySelectorAll('details')[1]!.open = true;
  const { getAllByRole } = render(<Table />, { container, hydrate: true });
  expect(getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Act on Pupil 3']);
});
