import { MIN_MEETINGS, wordKey, wordsOf } from '#contract/words.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BookWords,
  countWords,
  hasRepeatedWord,
  rankWords,
  type WordDay,
  type WordSession,
} from './word-counts.service.ts';

const session = (given: Partial<WordSession> = {}): WordSession => ({
  pupil_id: 1,
  book_id: 1,
  last_page: 2,
  words_attempted: 100,
  has_words: false,
  hard_words: [],
  ...given,
});
const books = (...texts: string[][]) =>
  new BookWords(new Map(texts.map((pages, index) => [index + 1, pages.map(wordsOf)])));
const figures = (counts: ReturnType<typeof countWords>) =>
  Object.fromEntries([...counts].map(([key, { hard, met }]) => [key, [hard, met]]));

describe('words that a session met', () => {
  const pond = books(['Look at ponds.', 'A frog sits.', 'A newt swims.']);

  test('the pages read end at the last page and have as many words as were attempted', () => {
    expect(figures(countWords([session({ last_page: 3, words_attempted: 3 })], [], pond))).toEqual({
      newt: [0, 1],
      swims: [0, 1],
    });
    expect(figures(countWords([session({ last_page: 2, words_attempted: 4 })], [], pond))).toEqual({
      look: [0, 1],
      ponds: [0, 1],
      frog: [0, 1],
      sits: [0, 1],
    });
    expect(figures(countWords([session({ words_attempted: 0 })], [], pond))).toEqual({});
  });

  test('a hard word from an earlier page of the book was met, and one that the book has not is left out', () => {
    const read = session({ last_page: 3, words_attempted: 3, hard_words: ['look', 'swims', 'zebra', 'the'] });
    expect(figures(countWords([read], [], pond))).toEqual({ newt: [0, 1], swims: [1, 1], look: [1, 1] });
  });

  test('a hard word that comes after the last page is left out', () => {
    expect(figures(countWords([session({ hard_words: ['newt'] })], [], pond)).newt).toBeUndefined();
  });

  test('the words of a book without text are left out', () => {
    expect(countWords([session({ book_id: 9, hard_words: ['frog'] })], [], pond).size).toBe(0);
  });

  test('a word counts once in a session, in any case and with either apostrophe', () => {
    const text = books(['Don’t stop! Don’t.', 'Don’t!']);
    const read = session({ hard_words: ["Don't", 'DON’T', 'don’t'] });
    expect(figures(countWords([read], [], text))).toEqual({ "don't": [1, 1], stop: [0, 1] });
  });

  test('words of other scripts and with combining marks are words', () => {
    expect(wordsOf('Zoë’s café — नमस्ते, 42 Ю!')).toEqual(['Zoë’s', 'café', 'नमस्ते', '42', 'Ю']);
    expect(wordsOf('“… –” !')).toEqual([]);
  });

  test('words that the app sent take the place of those of the pages', () => {
    const days: WordDay[] = [{ pupil_id: 1, words: ['frog', 'Frog', 'the'], met: [2, 1, 9], hard: [1, 1, 9] }];
    const counts = countWords([session({ has_words: true, hard_words: ['frog'] })], days, pond);
    expect(figures(counts)).toEqual({ frog: [2, 3] });
    expect([...(counts.get('frog')?.books ?? [])]).toEqual([[1, 1]]);
  });
});

const VOCABULARY = ['the', 'was', 'frog', 'Frog', 'newt', 'breathes', 'don’t', 'mop'];
const anyText = fc.array(fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 5 }), { minLength: 1, maxLength: 4 });
const anySession = fc.record({
  pupil_id: fc.integer({ min: 1, max: 4 }),
  book_id: fc.integer({ min: 1, max: 3 }),
  last_page: fc.nat(5),
  words_attempted: fc.nat(14),
  has_words: fc.constantFrom(false, false, true),
  hard_words: fc.array(fc.constantFrom(...VOCABULARY, 'zebra'), { maxLength: 5 }),
});
const anyDay: fc.Arbitrary<WordDay> = fc
  .record({
    pupil_id: fc.integer({ min: 1, max: 4 }),
    counts: fc.uniqueArray(fc.tuple(fc.constantFrom(...VOCABULARY), fc.nat(6), fc.nat(6)), {
      selector: ([form]) => form,
    }),
  })
  .map(({ pupil_id, counts }) => ({
    pupil_id,
    words: counts.map(([form]) => form),
    met: counts.map(([, hard, others]) => hard + others),
    hard: counts.map(([, hard]) => hard),
  }));

/** The definition of docs/reading-needs.md, one meeting at a time. */
function model(sessions: readonly WordSession[], days: readonly WordDay[], texts: ReadonlyMap<number, string[][]>) {
  const meetings: { key: string; isHard: boolean; pupil: number }[] = [];
  for (const { pupil_id, book_id, last_page, words_attempted, has_words, hard_words } of sessions) {
    const pages = texts.get(book_id);
    if (!pages || has_words) continue;
    const upTo = pages.slice(0, last_page);
    let attempted = 0;
    const read: string[] = [];
    for (const page of upTo.toReversed()) {
      if (attempted >= words_attempted) break;
      attempted += page.length;
      read.push(...page.map(wordKey));
    }
    const hard = hard_words.map(wordKey).filter((key) => upTo.flat().map(wordKey).includes(key));
    for (const key of new Set([...read, ...hard])) meetings.push({ key, isHard: hard.includes(key), pupil: pupil_id });
  }
  for (const { pupil_id, words, met, hard } of days)
    for (const [index, form] of words.entries())
      for (let meeting = 0; meeting < met[index]!; meeting += 1)
        meetings.push({ key: wordKey(form), isHard: meeting < hard[index]!, pupil: pupil_id });
  return meetings.filter(({ key }) => key !== 'the');
}

test('words are counted and ranked as defined, over random readings', () => {
  let ranked = 0;
  fc.assert(
    fc.property(
      fc.tuple(anyText, anyText),
      fc.array(anySession, { maxLength: 40 }),
      fc.array(anyDay, { maxLength: 4 }),
      fc.boolean(),
      ([first, second], sessions, days, isClass) => {
        const texts = new Map([
          [1, first],
          [2, second],
        ]);
        const counts = countWords(sessions, days, new BookWords(texts));
        const meetings = model(sessions, days, texts);
        const byKey = Map.groupBy(meetings, ({ key }) => key);
        const expected = [...byKey].map(([key, same]) => ({
          key,
          met: same.length,
          hard: same.filter(({ isHard }) => isHard).length,
          pupils: new Set(same.filter(({ isHard }) => isHard).map(({ pupil }) => pupil)).size,
        }));
        const ofCounts = [...counts.values()].filter(({ met }) => met > 0);
        expect(
          ofCounts
            .map(({ key, met, hard, pupils }) => ({ key, met, hard, pupils: pupils.size }))
            .sort((a, b) => (a.key < b.key ? -1 : 1)),
        ).toEqual(expected.sort((a, b) => (a.key < b.key ? -1 : 1)));

        const mean = meetings.filter(({ isHard }) => isHard).length / Math.max(1, meetings.length);
        const listed = expected
          .filter(({ hard, met, pupils }) => {
            if (hard === 0 || hard / met < mean - 1e-12) return false;
            return !isClass || (met >= MIN_MEETINGS && pupils >= 3);
          })
          .map(({ key, hard, met }) => ({ key, share: (hard + 8 * mean) / (met + 8) }));
        const found = rankWords(counts, isClass ? { pupils: 4 } : 'pupil');
        expect(found.map(({ key }) => key).sort()).toEqual(listed.map(({ key }) => key).sort());
        const shares = new Map(listed.map(({ key, share }) => [key, share]));
        for (const [index, { key }] of found.entries())
          if (index > 0) expect(shares.get(key)).toBeLessThanOrEqual((shares.get(found[index - 1]!.key) ?? 0) + 1e-12);
        ranked += found.length;
      },
    ),
    { numRuns: 1500 },
  );
  expect(ranked).toBeGreaterThan(500);
});

describe('the order of hard words', () => {
  const count = (key: string, hard: number, met: number, pupils = 3) =>
    [
      key,
      {
        key,
        hard,
        met,
        pupils: new Set(Array.from({ length: pupils }, (_, id) => id)),
        forms: new Map([[key, hard]]),
        books: new Map(),
      },
    ] as const;
  const easy = Array.from({ length: 40 }, (_, index) => count(`easy${index}`, 1, 40));

  test('a word that is hard in half of its few readings comes before one that is hard often but seldom misread', () => {
    const found = rankWords(new Map([...easy, count('very', 12, 150), count('breathes', 7, 15)]), { pupils: 28 });
    expect(found.map(({ key }) => key)).toEqual(['breathes', 'very']);
  });

  test('a word met once counts less than one that was hard in eight of ten', () => {
    const found = rankWords(new Map([...easy, count('once', 1, 1), count('often', 8, 10)]), 'pupil');
    expect(found.map(({ key }) => key)).toEqual(['often', 'once']);
  });

  test('a class’s word needs eight meetings and three pupils, or all of a smaller class', () => {
    const words = new Map([...easy, count('seven', 7, 7), count('pair', 8, 8, 2), count('three', 8, 8)]);
    expect(rankWords(words, { pupils: 28 }).map(({ key }) => key)).toEqual(['three']);
    expect(rankWords(words, { pupils: 2 }).map(({ key }) => key)).toEqual(['pair', 'three']);
    expect(rankWords(new Map([...easy, count('own', 8, 8, 1)]), { pupils: 1 }).map(({ key }) => key)).toEqual(['own']);
  });

  test('a pupil for whom every word is hard has all of them listed', () => {
    expect(rankWords(new Map([count('frog', 2, 2), count('newt', 1, 1)]), 'pupil')).toHaveLength(2);
  });
});

test('a small word that is hard in every session is no repeated word', () => {
  const sessions = [{ hard_words: ['the', 'Frog'] }, { hard_words: ['The', 'frog', 'frog'] }];
  expect([hasRepeatedWord(sessions, 2), hasRepeatedWord(sessions, 3)]).toEqual([true, false]);
  expect(hasRepeatedWord([{ hard_words: ['the'] }, { hard_words: ['the'] }], 2)).toBe(false);
});

test('100,000 hard words of one pupil are counted', () => {
  const words = Array.from({ length: 1000 }, (_, index) => `word${index}`);
  const read = Array.from({ length: 100 }, () => session({ words_attempted: 1000, last_page: 1, hard_words: words }));
  const counts = countWords(read, [], new BookWords(new Map([[1, [words]]])));
  expect(counts.size).toBe(1000);
  expect(counts.get('word7')).toMatchObject({ hard: 100, met: 100 });
});
