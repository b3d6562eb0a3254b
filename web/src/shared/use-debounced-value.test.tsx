// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useDebouncedValue } from './use-debounced-value.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const DELAY_MS = 200;

const renderValue = () =>
  renderHook(({ value }) => useDebouncedValue(value, DELAY_MS), { initialProps: { value: '' } });
const wait = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

it('a debounced value changes once its source has stayed the same for the delay', () => {
  const { result, rerender } = renderValue();
  rerender({ value: 'a' });
  wait(DELAY_MS - 1);
  rerender({ value: 'an' });
  wait(DELAY_MS - 1);
  expect(result.current).toBe('');
  wait(1);
  expect(result.current).toBe('an');
});

it('a debounced value leaves no timer behind when its component has gone', () => {
  const { rerender, unmount } = renderValue();
  rerender({ value: 'a' });
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
