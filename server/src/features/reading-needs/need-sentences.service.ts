import type { Need } from '#contract/calls/reading-needs.ts';
import { formatLongDay } from '../../clock.ts';

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** A day as a sentence says it: `6 November`, with the year where it is not today's. */
const dayInWords = (day: string, today: string): string =>
  day.slice(0, 4) === today.slice(0, 4) ? dayAndMonth.format(new Date(`${day}T00:00:00Z`)) : formatLongDay(day);

const thousands = new Intl.NumberFormat('en-GB');
const count = (number: number, one: string): string => `${thousands.format(number)} ${one}${number === 1 ? '' : 's'}`;
/** Floored, as accuracies are shown everywhere. */
const percent = (value: number): string => (value < 1 ? 'under 1%' : `${Math.floor(value)}%`);
const list = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** The one plain sentence of a need. */
export function needSentence(need: Need, today: string): string {
  switch (need.kind) {
    case 'nothing_assigned':
      return 'No book is assigned';
    case 'not_read':
      return need.last_read_on === null
        ? `Has not read yet, in ${count(need.school_days, 'school day')}`
        : `No reading for ${count(need.school_days, 'school day')}, since ${dayInWords(need.last_read_on, today)}`;
    case 'low_accuracy':
      return `Accuracy ${percent(need.accuracy)} on level ${need.reading_level}, over ${count(need.words, 'word')}`;
    case 'falling': {
      const points = Math.floor(need.from) - Math.floor(need.to);
      return `Accuracy fell from ${percent(need.from)} to ${percent(need.to)} over three readings, by ${count(points, 'point')}`;
    }
    case 'same_words':
      return `${need.words.length === 1 ? 'The same word was' : 'The same words were'} hard again and again: ${list(
        need.words.map(({ word, sittings }) => `“${word}” in ${sittings}`),
      )} of the last ${count(need.sittings, 'reading')}`;
    case 'unfinished':
      return `Began “${need.book_title}” ${need.times} times and has not finished it`;
  }
}
