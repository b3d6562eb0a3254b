// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Link } from '../ui/Link.tsx';
import { useLocation, useNavigate } from './router.ts';
import { renderInApp, renderRoutes } from '../testing/render-in-app.tsx';
import { SearchParamsLink } from '../ui/SearchParamsLink.tsx';
import { useSearchParamDraft } from './use-search-param-draft.ts';
import { useUpdateSearchParams } from './use-update-search-params.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DELAY_MS = 500;

function Page() {
  const { draft, setDraft, commit } = useSearchParamDraft('search', DELAY_MS);
  const update = useUpdateSearchParams();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (
    <>
      <input aria-label="Search" value={draft} onChange={(event) => setDraft(event.currentTarget.value)} />
      <output aria-label="URL">{pathname + search}</output>
      <button type="button" onClick={() => commit()}>
        Search now
      </button>
      <button type="button" onClick={() => commit('')}>
        Clear
      </button>
      <button type="button" onClick={() => update({ sort: 'name' })}>
        Sort
      </button>
      <button type="button" onClick={() => update({ groups: '3' })}>
        Filter
      </button>
      <button type="button" onClick={() => void navigate(-1)}>
        Back
      </button>
      <SearchParamsLink changes={{ level: '2' }}>Level 2</SearchParamsLink>
      <Link to="/?search=ben">Ben</Link>
      <Link to="/elsewhere">Elsewhere</Link>
    </>
  );
}

const box = () => screen.getByRole<HTMLInputElement>('textbox');
const url = () => screen.getByLabelText('URL').textContent;
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const follow = (name: string) => fireEvent.click(screen.getByRole('link', { name }));

it('a search keeps the space at its end when it reaches the URL', async () => {
  renderInApp(<Page />);
  type('Amelia ');
  await wait(DELAY_MS);
  expect(url()).toBe('/?search=Amelia');
  expect(box().value).toBe('Amelia ');
  type('Amelia S');
  await wait(DELAY_MS);
  expect(url()).toBe('/?search=Amelia+S');
});

it('a search keeps a letter typed between the debounce and the render of the new URL', async () => {
  renderInApp(<Page />);
  type('ann');
  // The router navigates, and has not rendered the new URL when the next key is pressed.
  vi.advanceTimersByTime(DELAY_MS);
  type('anna');
  await wait(0);
  expect(box().value).toBe('anna');
  await wait(DELAY_MS);
  expect(url()).toBe('/?search=anna');
  expect(box().value).toBe('anna');
});

it('a search field ignores an earlier search that renders after a later one was sent', async () => {
  renderInApp(<Page />);
  type('an');
  vi.advanceTimersByTime(DELAY_MS);
  type('anna');
  press('Search now');
  await wait(DELAY_MS);
  expect(box().value).toBe('anna');
  expect(url()).toBe('/?search=anna');
});

it('a search field adopts the URL of a link and of Back, and drops a pending search', async () => {
  renderInApp(<Page />);
  type('ann');
  await wait(DELAY_MS);
  type('anne');
  follow('Ben');
  await wait(0);
  expect(box().value).toBe('ben');
  await wait(DELAY_MS);
  expect(url()).toBe('/?search=ben');
  press('Back');
  await wait(0);
  expect(box().value).toBe('ann');
});

it('a search field adopts its own earlier search when Back returns to that search', async () => {
  renderInApp(<Page />);
  type('ann');
  await wait(DELAY_MS);
  follow('Ben');
  await wait(0);
  type('');
  await wait(DELAY_MS);
  press('Back');
  await wait(0);
  expect(box().value).toBe('ann');
});

it('a search field adopts the search that Back returns to, also when it has just sent the same', async () => {
  renderInApp(<Page />, '/?search=ann');
  follow('Ben');
  await wait(0);
  // The router goes on to the second search before the page renders the first.
  act(() => {
    for (const text of ['ann', 'ben']) {
      type(text);
      vi.advanceTimersByTime(DELAY_MS);
    }
  });
  await wait(0);
  expect(url()).toBe('/?search=ben');
  press('Back');
  await wait(0);
  expect(url()).toBe('/?search=ann');
  expect(box().value).toBe('ann');
});

it('a search field that is cleared drops a pending search', async () => {
  renderInApp(<Page />);
  type('ann');
  await wait(DELAY_MS - 1);
  press('Clear');
  await wait(DELAY_MS);
  expect(url()).toBe('/');
  expect(box().value).toBe('');
});

it('two changes of the URL before the page renders the first both apply', async () => {
  renderInApp(<Page />);
  press('Sort');
  press('Filter');
  follow('Level 2');
  await wait(0);
  expect(url()).toBe('/?sort=name&groups=3&level=2');
});

it('a pending search does not change the URL of a page that is being left', async () => {
  const loader = () => new Promise((resolve) => void setTimeout(resolve, DELAY_MS, null));
  renderRoutes([
    { path: '/', element: <Page /> },
    { path: '/elsewhere', element: <Page />, loader },
  ]);
  type('ann');
  follow('Elsewhere');
  await wait(DELAY_MS);
  expect(url()).toBe('/elsewhere');
  expect(box().value).toBe('');
  await wait(DELAY_MS);
  expect(url()).toBe('/elsewhere');
});

it('a search field that has gone does not change the URL', async () => {
  function Hiding() {
    const [isHidden, setHidden] = useState(false);
    return (
      <>
        <output aria-label="Where">{useLocation().search}</output>
        <button type="button" onClick={() => setHidden(true)}>
          Hide
        </button>
        {!isHidden && <Page />}
      </>
    );
  }
  renderInApp(<Hiding />);
  type('ann');
  press('Hide');
  await wait(DELAY_MS);
  expect(screen.getByLabelText('Where').textContent).toBe('');
});

it('a search parameter has the several values that a form without scripts sends', () => {
  renderInApp(<Page />, '/?search=3&search=&search=4');
  expect(box().value).toBe('3,4');
});

it('a new search starts on the first page', async () => {
  renderInApp(<Page />, '/?page=3');
  type('ann');
  press('Search now');
  await wait(0);
  expect(url()).toBe('/?search=ann');
});
