// @vitest-environment happy-dom
import { getConfig } from '@testing-library/react';
import { expect, it } from 'vitest';

it('waitFor and findBy wait up to 30 seconds in a file that configures nothing', () => {
  expect(getConfig().asyncUtilTimeout).toBe(30_000);
});
