import pino from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { testSettings } from '../testing/test-settings.ts';
import { AppError } from '../errors.ts';
import { LoadWarnings } from './load-warnings.ts';
import { createServer } from './server.ts';

test('rejected requests are reported once a second, with their number', () => {
  let now = 0;
  const warned: number[] = [];
  const warnings = new LoadWarnings(
    (rejected) => warned.push(rejected),
    () => now,
  );
  for (let count = 0; count < 50; count += 1) warnings.note();
  expect(warned).toEqual([1]);
  now = 1000;
  warnings.note();
  warnings.note();
  expect(warned).toEqual([1, 50]);
});

test('a request rejected for load is a warning without a stack', async () => {
  const app = await createServer(readConfig({ ...testSettings, LOG_LEVEL: 'warn' }), []);
  const lines: string[] = [];
  Object.assign(app.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
  app.get('/busy', () => {
    throw new AppError('unavailable', { retryAfter: 5 });
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject('/busy')));
  await app.close();
  expect(answers.every(({ statusCode }) => statusCode === 503)).toBe(true);
  expect(lines.length).toBeLessThan(50);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, rejected: 1, msg: 'requests were answered 503' });
  expect(lines.join('')).not.toContain('stack');
});
