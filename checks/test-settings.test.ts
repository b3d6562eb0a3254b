import { describe, expect, it } from 'vitest';
import type { OwnSettings, SharedSetting } from '../server/src/testing/test-settings.ts';
import { inspectTestSettings } from './test-settings.ts';

const PATH = 'server/src/a.test.ts';
const inspect = (source: string, own: OwnSettings[] = [], shared: SharedSetting[] = [], path = PATH) =>
  inspectTestSettings({ [path]: source }, shared, own);

describe('inspectTestSettings', () => {
  it.each([
    ['an object', "const app = testApp({ HASH_COST: 'full' });", 'HASH_COST'],
    ['a variable of the same name', 'const app = testApp({ PUBLIC_URL });', 'PUBLIC_URL'],
    ['a quoted name', "spawn(node, { env: { 'STAGE': 'local' } });", 'STAGE'],
    ['an assignment', "process.env.MAX_EVENT_LOOP_DELAY = '0';", 'MAX_EVENT_LOOP_DELAY'],
    ['a stub', "vi.stubEnv('LOG_LEVEL', 'silent');", 'LOG_LEVEL'],
  ])('finds an unlisted setting in %s', (_what, source, setting) => {
    expect(inspect(source).findings).toEqual([
      `${PATH}:1: sets ${setting}, which server/src/testing/test-settings.ts does not list for this file`,
    ]);
  });

  it.each([
    ['reading a setting', 'connect(process.env.DATABASE_URL);'],
    ['destructuring a setting', 'const { PORT } = process.env;'],
    ['another variable', "spawn(node, { env: { NODE_ENV: 'production' } });"],
    ['the shared settings', 'readConfig({ ...testSettings });'],
  ])('allows %s', (_what, source) => {
    expect(inspect(source).findings).toEqual([]);
  });

  it.each([
    ['e2e/server.ts', 1],
    ['bench/chaos/a.ts', 1],
    ['guides/main.ts', 1],
    ['seeds/a.test.ts', 1],
    ['server/src/testing/app.ts', 1],
    ['server/src/testing/test-settings.ts', 0],
    ['server/src/config.ts', 0],
  ])('inspects %s: %i', (path, count) => {
    const { files, findings } = inspect("const a = { STAGE: 'local' };", [], [], path);
    expect([files, findings.length]).toEqual([count, count]);
  });

  it('allows and prints a listed setting, in the listed file only', () => {
    const own: OwnSettings[] = [{ settings: ['LOG_LEVEL'], files: [PATH], reason: 'Subject: what is logged.' }];
    const source = "const app = testApp({ LOG_LEVEL: 'warn' });";
    const list = [`LOG_LEVEL=warn in ${PATH}. Subject: what is logged.`];
    expect(inspect(source, own)).toEqual({ files: 1, list, findings: [] });
    expect(inspect(source, own, [], 'server/src/b.test.ts').findings[0]).toContain('server/src/b.test.ts:1: sets');
  });

  it('finds files and settings that no longer need their entry', () => {
    const reason = 'Subject: what is logged.';
    const own: OwnSettings[] = [{ settings: ['LOG_LEVEL', 'STAGE'], files: [PATH, 'e2e/gone.ts'], reason }];
    const { findings } = inspect("const app = testApp({ LOG_LEVEL: 'warn' });", own);
    expect(findings).toEqual(
      ['e2e/gone.ts', 'STAGE'].map(
        (name) => `server/src/testing/test-settings.ts: ${name} is no longer needed with the reason "${reason}"`,
      ),
    );
  });

  it('prints shared settings, and finds those with their default or without a reason', () => {
    const shared: SharedSetting[] = [
      { setting: 'HASH_COST', tests: 'least', reason: 'Hashes are slow by design.' },
      { setting: 'STAGE', journeys: 'production', reason: 'As in a school’s portal.' },
      { setting: 'LOG_LEVEL', tests: 'silent', reason: '' },
    ];
    const { list, findings } = inspect('', [], shared);
    expect(list[0]).toBe(
      'HASH_COST=least in server tests; HASH_COST=(default) in journeys. Hashes are slow by design.',
    );
    expect(findings).toEqual([
      'server/src/testing/test-settings.ts: STAGE has its default',
      'server/src/testing/test-settings.ts: LOG_LEVEL has no reason',
    ]);
  });
});
