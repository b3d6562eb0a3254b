import { expect, it } from 'vitest';
import { isInLondonZone } from './time-zone.ts';

it.each(['Europe/London', 'Europe/Belfast', 'GB'])('%s is London', (zone) => expect(isInLondonZone(zone)).toBe(true));
it.each(['Europe/Dublin', 'Asia/Kolkata', 'America/New_York', 'UTC', ''])('%j is not', (zone) =>
  expect(isInLondonZone(zone)).toBe(false),
);
