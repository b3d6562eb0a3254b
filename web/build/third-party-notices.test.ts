import { expect, test } from 'vitest';
import { formatNotices } from './third-party-notices.ts';

const modules = `${import.meta.dirname.replaceAll('\\', '/')}/../../node_modules`;

test('each package is named once, with the text of its licence', () => {
  const text = formatNotices([
    `${modules}/react/index.js`,
    `${modules}/react/jsx-runtime.js`,
    `${modules}/@fontsource-variable/public-sans/index.css`,
    `${import.meta.dirname}/third-party-notices.ts`,
  ]);
  expect(text.match(/^react \d+\.\d+\.\d+ \(MIT\)$/gm)).toHaveLength(1);
  expect(text).toContain('Copyright (c) Meta Platforms');
  expect(text).toMatch(/^@fontsource-variable\/public-sans [\d.]+ \(OFL-1\.1\)$/m);
  expect(text).toMatch(/SIL Open Font License/i);
});
