import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';

describe.each<{ stage: string; settings: Record<string, string> }>([
  { stage: 'local', settings: {} },
  { stage: 'production', settings: { STAGE: 'production', HASH_COST: 'full' } },
])('in $stage', ({ stage, settings }) => {
  const app = testApp({ LOG_LEVEL: 'warn', ...settings });

  test('an unknown parameter is rejected outside production, and there ignored and logged', async () => {
    const written: string[] = [];
    Object.assign(app.fastify.log, { [pino.symbols.streamSym]: { write: (line: string) => written.push(line) } });
    const school = await app.build.school();
    const path = `/enterprises/${school.id}/groups/export?outptu=csv&Ada%20Baker=1&__proto__=1&toString=1`;
    const { status, error, text } = await app.ask('GET', path, { token: school.admin.token });
    const lines = written.filter((line) => line.includes('unknown parameters were ignored'));
    if (stage === 'production') {
      expect(status).toBe(200);
      expect(text.startsWith('PK')).toBe(true);
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0]!)).toMatchObject({ call: 'exportClasses', names: ['outptu'] });
      expect(lines[0]).not.toContain('Ada');
    } else {
      expect(status).toBe(422);
      expect(error).toMatchObject({ errors: { outptu: ['This parameter is unknown.'] } });
      expect(lines).toEqual([]);
    }
  });
});
