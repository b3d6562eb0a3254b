import { api } from '#contract/api.ts';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { isForFile } from './file-queue.ts';

const app = testApp();

test.each([
  ['getChart', {}, false],
  ['getChart', { output: 'json' }, false],
  ['getChart', { output: 'csv' }, true],
  ['exportPupils', {}, true],
  ['listPupils', { output: 'csv' }, false],
] as const)('a request for %s with %j is for a file: %j', (name, query, isFile) => {
  expect(isForFile(api[name], query)).toBe(isFile);
});

test('of many files that need no worker at once, one person gets some and is asked to send the others again', async () => {
  const { id, admin } = await app.build.school();
  const download = (output: string) =>
    app.ask('GET', `/enterprises/${id}/groups/export?output=${output}`, { token: admin.token });
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => download('csv')))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await download('csv')).status).toBe(200);
});

test('of many files at once, one person gets five and another school all of theirs', async () => {
  const [school, other] = [await app.build.school(), await app.build.school()];
  const download = ({ id, admin }: typeof school) =>
    app.ask('GET', `/enterprises/${id}/groups/export?output=xlsx`, { token: admin.token });
  const greedy = Array.from({ length: 20 }, () => download(school));
  const files = await Promise.all([1, 2, 3].map(() => download(other)));
  expect(files.map(({ status }) => status)).toEqual([200, 200, 200]);
  const answers = await Promise.all(greedy);
  const rejected = answers.filter(({ status }) => status === 503);
  expect(rejected.length).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
  for (const { reply, headers } of rejected) {
    expect(reply).toMatchObject({ code: 'busy' });
    expect(headers['retry-after']).toBe('5');
  }
});
