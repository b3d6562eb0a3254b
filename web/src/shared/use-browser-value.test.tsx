// @vitest-environment happy-dom
import { act } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { readStored, store } from './storage.ts';
import { useStored } from './use-stored.ts';

const Greeting = () => <p>{String(useStored('greeting') ?? 'nothing stored')}</p>;

afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
});

it('a page hydrates what the server rendered, then shows the stored value and follows changes', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  store('greeting', 'hello');
  const container = document.createElement('div');
  container.innerHTML = renderToString(<Greeting />);
  expect(container.textContent).toBe('nothing stored');
  const onRecoverableError = vi.fn<() => unknown>();
  await act(async () => void hydrateRoot(container, <Greeting />, { onRecoverableError }));
  expect(onRecoverableError).not.toHaveBeenCalled();
  expect(container.textContent).toBe('hello');
  await act(async () => store('greeting', 'good morning'));
  expect(container.textContent).toBe('good morning');
  await act(async () => store('greeting', null));
  expect(container.textContent).toBe('nothing stored');
});

it('a value lasts as long as the page when storage is full', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('QuotaExceededError');
  });
  store('greeting', 'hello');
  expect(readStored('greeting')).toBe('hello');
  store('greeting', null);
  expect(readStored('greeting')).toBeNull();
});
