import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../clock.ts';
import { chooseExpired, MIN_BACKUPS, nameBackup, type StoredBackup } from './backup-folder.ts';

const DAYS = 35;
const FIRST_NIGHT = Date.parse('2026-01-05T02:15:00Z');

/** A backup in a simulated folder: the night on which it was made, and the time that the clock showed. */
interface NightBackup extends StoredBackup {
  night: number;
}

interface Simulation {
  folder: NightBackup[];
  /** Makes the backup of a night, with a clock that is wrong by a number of days, and deletes what has expired. */
  run(night: number, daysAhead?: number): { deleted: NightBackup[]; reason: string | undefined };
}

function simulate(): Simulation {
  const simulation: Simulation = {
    folder: [],
    run(night, daysAhead = 0) {
      const madeAt = FIRST_NIGHT + (night + daysAhead) * DAY_MS;
      const name = `${nameBackup(new Date(madeAt), { isEncrypted: true })}-${night}`;
      const made = { name, madeAt, isComplete: true, night };
      const { expired, reason } = chooseExpired([...simulation.folder, made], made, DAYS);
      const names = new Set(expired.map((backup) => backup.name));
      const deleted = simulation.folder.filter((backup) => names.has(backup.name));
      simulation.folder = [...simulation.folder.filter((backup) => !names.has(backup.name)), made];
      return { deleted, reason };
    },
  };
  return simulation;
}

const nightsOf = (backups: readonly NightBackup[]) => backups.map(({ night }) => night);

describe('the nightly deletion with a right clock', () => {
  test('each night deletes the backup that is older than the limit', () => {
    const { run } = simulate();
    for (let night = 0; night <= DAYS; night += 1) expect(nightsOf(run(night).deleted)).toEqual([]);
    for (let night = DAYS + 1; night < 100; night += 1)
      expect(nightsOf(run(night).deleted)).toEqual([night - DAYS - 1]);
  });

  test('the first night after a stop of ten days deletes no backup, and the second does', () => {
    const { run } = simulate();
    for (let night = 0; night < 40; night += 1) run(night);
    expect(run(50)).toEqual({ deleted: [], reason: 'the clock is more than two days after the last backup' });
    const { deleted, reason } = run(51);
    expect([nightsOf(deleted).at(-1), reason]).toEqual([15, undefined]);
  });

  test('the night after a missed one deletes old backups', () => {
    const { run } = simulate();
    for (let night = 0; night < 40; night += 1) run(night);
    expect(run(41).reason).toBe(undefined);
  });

  test('the nights after a stop of a year leave the newest seven backups', () => {
    const simulation = simulate();
    for (let night = 0; night < 40; night += 1) simulation.run(night);
    simulation.run(405);
    simulation.run(406);
    expect(nightsOf(simulation.folder)).toEqual([35, 36, 37, 38, 39, 405, 406]);
  });
});

describe('the nightly deletion with a clock that is 60 days ahead for one night', () => {
  test('a night 60 days ahead deletes no backup, and the next night deletes the backup from the future', () => {
    const simulation = simulate();
    for (let night = 0; night < 40; night += 1) simulation.run(night);
    expect(simulation.run(40, 60)).toEqual({
      deleted: [],
      reason: 'the clock is more than two days after the last backup',
    });
    expect(nightsOf(simulation.run(41).deleted)).toEqual([4, 5, 40]);
    expect(nightsOf(simulation.run(42).deleted)).toEqual([6]);
  });

  test('a backup from the future neither counts nor blocks until the others reach back', () => {
    const simulation = simulate();
    for (let night = 0; night < 3; night += 1) simulation.run(night);
    simulation.run(3, 60);
    for (let night = 4; night < DAYS - 1; night += 1) expect(simulation.run(night).deleted).toEqual([]);
    expect(nightsOf(simulation.run(DAYS - 1).deleted)).toEqual([3]);
  });
});

test('a night before the last backup deletes no backup', () => {
  const simulation = simulate();
  for (let night = 0; night < 40; night += 1) simulation.run(night);
  expect(simulation.run(40, -2)).toEqual({ deleted: [], reason: 'the clock is before the last backup' });
  expect(simulation.run(41).reason).toBe(undefined);
});

test('a night years behind deletes none of the backups whose time is then in the future', () => {
  const simulation = simulate();
  for (let night = 0; night < 40; night += 1) simulation.run(night);
  expect(simulation.run(40, -2000).deleted).toEqual([]);
  expect(simulation.run(41, -2000).deleted).toEqual([]);
  expect(simulation.run(42).deleted.every(({ madeAt, night }) => night < 7 || madeAt < FIRST_NIGHT)).toBe(true);
});

test('an incomplete backup does not count among the newest seven, and is deleted by its age', () => {
  const simulation = simulate();
  for (let night = 0; night < 7; night += 1) simulation.run(night);
  simulation.folder.forEach((backup, index) => (backup.isComplete = index < 6));
  simulation.run(60);
  expect(nightsOf(simulation.run(61).deleted)).toEqual([0, 6]);
});

/** Nights, each with the days since the one before and the error of the clock. */
const nights = (daysAhead: fc.Arbitrary<number>) =>
  fc.array(
    fc.record({ gap: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 60 })), daysAhead }),
    {
      maxLength: 120,
    },
  );

test('whatever the clock shows, seven backups stay if there were as many, with that of the night among them', () => {
  const anyClock = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -4000, max: 4000 }));
  fc.assert(
    fc.property(nights(anyClock), (steps) => {
      const simulation = simulate();
      let night = 0;
      let made = 0;
      for (const { gap, daysAhead } of steps) {
        night += gap;
        made += 1;
        simulation.run(night, daysAhead);
        expect(simulation.folder.length).toBeGreaterThanOrEqual(Math.min(made, MIN_BACKUPS));
        expect(nightsOf(simulation.folder)).toContain(night);
      }
    }),
  );
});

test('a clock that is wrong for one night deletes no backup that is younger than the limit', () => {
  const wrong = fc.record({
    before: fc.integer({ min: 1, max: 80 }),
    after: fc.integer({ min: 1, max: 40 }),
    daysAhead: fc.oneof(fc.integer({ min: 3, max: 4000 }), fc.integer({ min: -4000, max: -3 })),
  });
  fc.assert(
    fc.property(wrong, ({ before, after, daysAhead }) => {
      const simulation = simulate();
      for (let night = 0; night < before + 1 + after; night += 1) {
        const { deleted } = simulation.run(night, night === before ? daysAhead : 0);
        // The backup of the wrong night has no time that could be trusted.
        const young = deleted.filter((backup) => backup.night !== before && backup.night >= night - DAYS);
        expect(nightsOf(young)).toEqual([]);
      }
    }),
  );
});

test('whatever the clock showed, after twice the limit without an error no backup is older than the limit', () => {
  fc.assert(
    fc.property(nights(fc.oneof(fc.constant(0), fc.integer({ min: -4000, max: 4000 }))), (steps) => {
      const simulation = simulate();
      let night = 0;
      for (const { gap, daysAhead } of steps) simulation.run((night += gap), daysAhead);
      // A backup dated up to a limit ahead counts by its time once that has come.
      const end = night + 2 * DAYS + 5;
      while (night < end) simulation.run((night += 1));
      expect(nightsOf(simulation.folder).filter((made) => made < end - DAYS)).toEqual([]);
    }),
  );
});
