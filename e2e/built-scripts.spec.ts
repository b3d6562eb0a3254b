import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findTooNew } from '../checks/built-scripts.ts';

const FOLDER = join(import.meta.dirname, '../dist/web');

test('the built scripts use nothing that the oldest supported browsers lack', async () => {
  expect(readdirSync(join(FOLDER, 'assets')).filter((name) => name.endsWith('.js')).length).toBeGreaterThan(50);
  expect(await findTooNew(FOLDER)).toEqual([]);
});
