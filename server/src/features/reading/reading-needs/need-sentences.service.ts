import type { Need, NeedResponse } from '#contract/calls/reading-needs.ts';
import { formatLongDay } from '../../../clock.ts';

type WordOfNeed = Extract<Need, { kind: 'same_words' }>['words'][number];

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** A day within a sentence: `6 November`, with the year unless it is the current one. */
const dayInWords = (day: string, today: string): string =>
  day.slice(0, 4) === today.slice(0, 4) ? dayAndMonth.format(new Date(`${day}T00:00:00Z`)) : formatLongDay(day);

const thousands = new Intl.NumberFormat('en-GB');
const count = (number: number, noun: string): string => `${thousands.format(number)} ${noun}${number === 1 ? '' : 's'}`;
/** Rounded down, as every accuracy is. */
const percent = (value: number): string => (value < 1 ? 'under 1%' : `${Math.floor(value)}%`);
const list = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** How often a word was hard: for the first word in full. */
const inMeetings = ({ word, readings, met }: WordOfNeed, index: number): string =>
  index === 0
    ? `“${word}” in ${readings} of the ${met} recent readings that had it`
    : `“${word}” in ${readings} of ${met}`;

/** The sentence that explains a need. */
export function needSentence(need: Need, today: string): string {
  switch (need.kind) {
    case 'nothing_assigned':
      return 'No books assigned';
    case 'not_read':
      return need.last_read_on === null
        ? 'Has never read'
        : `No reading for ${count(need.school_days, 'school day')}, since ${dayInWords(need.last_read_on, today)}`;
    case 'low_accuracy':
      return `Level ${need.reading_level}: ${percent(need.accuracy)} accuracy in the last six weeks, over ${count(need.words, 'word')}`;
    case 'falling': {
      const points = Math.floor(need.from) - Math.floor(need.to);
      return `Accuracy fell ${count(points, 'point')} over three readings, from ${percent(need.from)} to ${percent(need.to)}`;
    }
    case 'same_words':
      return `Struggled with ${list(need.words.map(inMeetings))}`;
    case 'unfinished':
      return `Started “${need.book_title}” ${need.times} times without finishing it`;
  }
}

const WORDS_WITHOUT_FIGURES: Readonly<Record<Need['kind'], string>> = {
  nothing_assigned: 'No books assigned',
  not_read: 'No reading for some time',
  low_accuracy: 'Finds the current level hard',
  falling: 'Reading less accurately than before',
  same_words: 'The same words are hard again and again',
  unfinished: 'Keeps starting a book without finishing it',
};

/** The reason for emails, which show no figures about a child. */
export const needWithoutFigures = (need: Need): string =>
  need.kind === 'not_read' && need.last_read_on === null ? 'Has never read' : WORDS_WITHOUT_FIGURES[need.kind];

/** What staff tried about a need that holds again. */
export const triedSentence = ({ remark, responded_at }: Pick<NeedResponse, 'remark' | 'responded_at'>): string =>
  `Done on ${dayAndMonth.format(new Date(responded_at))}${remark ? `: ${remark}` : ''}`;
