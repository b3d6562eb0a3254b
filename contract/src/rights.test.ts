import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  lastDayOf,
  listNextSteps,
  NO_OWN_TERMS,
  readClock,
  REQUEST_KINDS,
  type RequestDates,
  type RequestStep,
} from './rights.ts';
import { plusDays, type SchoolYear, usualYear } from './school-calendar.ts';
import { isWorkingDay } from './working-days.ts';

type Steps = [RequestStep, string][];
const request = (kind: RequestDates['kind'], receivedOn: string, ...steps: Steps): RequestDates => ({
  kind,
  received_on: receivedOn,
  steps: steps.map(([step, on]) => ({ step, on })),
});

const MONTH_KINDS = ['access', 'rectification', 'erasure', 'objection'] as const;

describe.each(MONTH_KINDS)('%s', (kind) => {
  test.each([
    ['2026-11-18', '2026-12-18', 'an ordinary day'],
    ['2026-09-03', '2026-10-05', 'the 3rd of October is a Saturday'],
    ['2026-11-25', '2026-12-29', 'Christmas Day, a weekend and the substitute of Boxing Day follow each other'],
    ['2026-12-25', '2027-01-25', 'received on a bank holiday, which counts'],
    ['2026-11-21', '2026-12-21', 'received on a Saturday, which counts'],
    ['2027-01-31', '2027-03-01', 'February has no 31st, and its last day is a Sunday'],
    ['2028-01-31', '2028-02-29', 'a leap year'],
    ['2028-02-29', '2028-03-29', 'received on 29 February'],
  ])('the time to answer ends a month after receipt: received on %s, due on %s, %s', (received, due) => {
    expect(readClock(request(kind, received))).toMatchObject({ state: 'running', startsOn: received, dueOn: due });
  });

  test('the clock starts when the proof of identity arrives that the school asked for', () => {
    const waiting = request(kind, '2026-11-18', ['identity_asked', '2026-11-19']);
    expect(readClock(waiting)).toMatchObject({
      state: 'waiting_for_identity',
      startsOn: null,
      dueOn: null,
      extendBy: null,
    });
    const late = request(kind, '2026-11-18', ['identity_asked', '2026-11-19'], ['identity_confirmed', '2027-01-04']);
    expect(readClock(late)).toMatchObject({ state: 'running', startsOn: '2027-01-04', dueOn: '2027-02-04' });
  });

  test('the clock starts on receipt when identity is confirmed without a question', () => {
    const confirmed = request(kind, '2026-11-18', ['identity_confirmed', '2026-11-30']);
    expect(readClock(confirmed)).toMatchObject({ startsOn: '2026-11-18', dueOn: '2026-12-18' });
  });

  test.each([
    ['2026-11-18', '2027-02-18'],
    ['2027-01-31', '2027-04-30'],
    ['2026-11-30', '2027-03-01'],
    ['2027-11-29', '2028-02-29'],
  ])(
    'the time to answer can be extended to three months from its start: received on %s, due on %s',
    (received, due) => {
      const before = readClock(request(kind, received));
      expect(before).toMatchObject({ isExtended: false, extendBy: before.dueOn });
      expect(lastDayOf('extended', request(kind, received))).toBe(before.dueOn);
      const extended = request(kind, received, ['extended', before.extendBy ?? '']);
      expect(readClock(extended)).toMatchObject({ isExtended: true, dueOn: due, extendBy: null });
      expect(listNextSteps(extended, true)).not.toContain('extended');
    },
  );

  test('the time to answer cannot be extended before the clock has started', () => {
    expect(listNextSteps(request(kind, '2026-11-18', ['identity_asked', '2026-11-19']), false)).toEqual([
      'identity_confirmed',
      ...(kind === 'access' ? ['clarification_asked'] : []),
    ]);
  });
});

test.each(REQUEST_KINDS.filter((kind) => kind !== 'access'))(
  'the clock of a request of the kind %s cannot be paused',
  (kind) => {
    expect(listNextSteps(request(kind, '2026-11-18'), true)).not.toContain('clarification_asked');
  },
);

describe('access', () => {
  const question: Steps[number] = ['clarification_asked', '2026-11-20'];
  const answer: Steps[number] = ['clarification_answered', '2026-11-24'];

  test('the clock of an access request stops while the school waits to hear which information is meant', () => {
    const paused = request('access', '2026-11-18', question);
    expect(readClock(paused)).toMatchObject({ state: 'paused', dueOn: null, extendBy: null });
    expect(listNextSteps(paused, true)).toEqual(['clarification_answered', 'extended']);
    expect(readClock(request('access', '2026-11-18', question, answer))).toMatchObject({
      state: 'running',
      dueOn: '2026-12-22',
      extendBy: '2026-12-22',
    });
  });

  test('the clock of an access request stops twice, and the days of neither pause count', () => {
    const twice: Steps = [
      question,
      answer,
      ['clarification_asked', '2026-11-30'],
      ['clarification_answered', '2026-12-05'],
    ];
    // 4 and 5 days after 18 December is Sunday the 27th; the 28th is a bank holiday.
    expect(readClock(request('access', '2026-11-18', ...twice)).dueOn).toBe('2026-12-29');
    expect(readClock(request('access', '2026-11-18', ...twice, ['extended', '2026-12-29'])).dueOn).toBe('2027-03-01');
  });

  test('a question about which information is meant does not count before the clock has started', () => {
    const identity: Steps = [['identity_asked', '2026-11-19'], question, answer, ['identity_confirmed', '2026-11-25']];
    expect(readClock(request('access', '2026-11-18', ...identity)).dueOn).toBe('2026-12-29');
    const acrossStart: Steps = [
      ['identity_asked', '2026-11-19'],
      question,
      ['identity_confirmed', '2026-11-22'],
      answer,
    ];
    // 2 days after 22 December.
    expect(readClock(request('access', '2026-11-18', ...acrossStart)).dueOn).toBe('2026-12-24');
  });

  test('an access request whose clock stopped on its last day is due on the day of the answer', () => {
    const late = request(
      'access',
      '2026-09-03',
      ['clarification_asked', '2026-10-05'],
      ['clarification_answered', '2026-10-14'],
    );
    expect(readClock(late).dueOn).toBe('2026-10-14');
  });

  test('no question stops the clock or starts it again once the time to answer is over', () => {
    expect(lastDayOf('clarification_asked', request('access', '2026-11-18'))).toBe('2026-12-18');
    expect(lastDayOf('identity_asked', request('access', '2026-11-18'))).toBe('2026-12-18');
    expect(lastDayOf('identity_confirmed', request('access', '2026-11-18'))).toBeNull();
  });

  test('a pause never makes an access request due earlier, or before the answer has arrived', () => {
    const gap = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), fc.array(fc.tuple(gap, gap), { maxLength: 4 }), (start, gaps) => {
        const received = plusDays('2024-01-01', start);
        const steps: Steps = [];
        let on = received;
        for (const [before, pause] of gaps) {
          const dueOn = readClock(request('access', received, ...steps)).dueOn ?? '';
          on = plusDays(on, before);
          if (on > dueOn) break;
          steps.push(['clarification_asked', on]);
          on = plusDays(on, pause);
          steps.push(['clarification_answered', on]);
          const after = readClock(request('access', received, ...steps)).dueOn ?? '';
          expect(after >= dueOn && after >= on && isWorkingDay(after)).toBe(true);
        }
      }),
    );
  });
});

describe('educational_record', () => {
  /** A year whose autumn half-term holiday is two weeks long. */
  const ownYear: SchoolYear = [
    { from: '2026-09-02', to: '2026-10-16' },
    { from: '2026-11-02', to: '2026-12-18' },
    { from: '2027-01-04', to: '2027-02-12' },
    { from: '2027-02-22', to: '2027-04-09' },
    { from: '2027-04-12', to: '2027-05-28' },
    { from: '2027-06-07', to: '2027-07-21' },
  ];

  test.each([
    ['2026-09-14', '2026-10-05', 'three weeks of school'],
    ['2026-10-12', '2026-11-16', 'a half-term holiday of two weeks'],
    ['2026-10-24', '2026-11-20', 'received in the holiday'],
    ['2026-12-14', '2027-01-18', 'the Christmas holiday'],
    ['2027-03-12', '2027-04-06', 'Good Friday and Easter Monday are in this term, and are no school days'],
    ['2027-04-19', '2027-05-11', 'the May bank holiday is no school day'],
  ])(
    'the educational record is due after 15 days of the school’s own calendar: received on %s, due on %s, %s',
    (received, due) => {
      const clock = readClock(request('educational_record', received), { ...NO_OWN_TERMS, years: { 2026: ownYear } });
      expect(clock).toEqual({
        state: 'running',
        startsOn: received,
        dueOn: due,
        extendBy: null,
        isExtended: false,
        usesUsualTerms: false,
      });
    },
  );

  test('the clock uses the usual term dates of a year that the school has not entered, and says so', () => {
    const summer = request('educational_record', '2027-07-12');
    expect(readClock(summer, { ...NO_OWN_TERMS, years: { 2026: ownYear } })).toMatchObject({
      dueOn: '2027-09-13',
      usesUsualTerms: true,
    });
    expect(readClock(summer, { ...NO_OWN_TERMS, years: { 2026: ownYear, 2027: usualYear(2027) } })).toMatchObject({
      dueOn: '2027-09-13',
      usesUsualTerms: false,
    });
    expect(readClock(request('educational_record', '2026-10-12'))).toMatchObject({
      dueOn: '2026-11-09',
      usesUsualTerms: true,
    });
  });

  test('the clock uses the usual term dates where the entered ones have too few school days', () => {
    const saturday: SchoolYear = usualYear(2026).map(() => ({ from: '2026-11-21', to: '2026-11-21' }));
    const years = { ...NO_OWN_TERMS, years: { 2026: saturday, 2027: saturday } };
    expect(readClock(request('educational_record', '2026-10-12'), years)).toMatchObject({
      dueOn: '2026-11-09',
      usesUsualTerms: true,
    });
  });

  test('the clock of the educational record has no extension and no pause, and does not wait for proof of identity', () => {
    const waiting = request('educational_record', '2026-10-12', ['identity_asked', '2026-10-13']);
    expect(readClock(waiting)).toMatchObject({ state: 'running', startsOn: '2026-10-12', dueOn: '2026-11-09' });
    expect(listNextSteps(waiting, false)).toEqual(['identity_confirmed']);
    expect(lastDayOf('identity_asked', request('educational_record', '2026-10-12'))).toBeNull();
  });
});

describe('complaint', () => {
  test.each([
    ['2026-11-18', '2026-12-18', 'an ordinary day'],
    ['2026-11-26', '2026-12-29', 'the 30th day is Boxing Day, a Saturday'],
    ['2028-02-29', '2028-03-30', 'received on 29 February'],
  ])('a complaint has to be acknowledged within 30 days: received on %s, due on %s, %s', (received, due) => {
    expect(readClock(request('complaint', received))).toMatchObject({ dueOn: due, extendBy: null });
    expect(listNextSteps(request('complaint', received), false)).toEqual(['acknowledged']);
  });

  test('an acknowledged complaint has no fixed day, and progress can be told any number of times', () => {
    const letters: Steps = [
      ['acknowledged', '2026-11-20'],
      ['progress_told', '2026-12-20'],
      ['progress_told', '2027-01-20'],
    ];
    for (const steps of [letters.slice(0, 1), letters]) {
      const acknowledged = request('complaint', '2026-11-18', ...steps);
      expect(readClock(acknowledged)).toMatchObject({ state: 'no_fixed_day', dueOn: null });
      expect(listNextSteps(acknowledged, false)).toEqual(['progress_told']);
    }
  });
});
