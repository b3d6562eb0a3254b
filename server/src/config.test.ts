import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('settings are read with full hash cost by default', () => {
  expect(readConfig({}).hashCost).toBe('full');
});

test.each(['production', 'staging', 'development'])('HASH_COST=least is refused in the stage %s', (STAGE) => {
  expect(() => readConfig({ STAGE, HASH_COST: 'least' })).toThrow(/HASH_COST: is full/);
});

test('a wrong setting is named with what it should be', () => {
  expect(() => readConfig({ PORT: '70000', DATABASE_URL: 'mysql://x' })).toThrow(
    /PORT: .*\n.*DATABASE_URL: begins with postgres/,
  );
});
