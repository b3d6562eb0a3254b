import '@mantine/dates/styles.layer.css';
import { Button, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { DatePicker } from '@mantine/dates';
import { useState, type FormEvent } from 'react';
import { today as todayIs } from '../shared/school-day.ts';
import { EARLIEST_DAY, presetOf, PRESETS, tidyRange, type DayRange, type PresetName } from './date-range.ts';
import css from './DateRangePanel.module.css';

interface Props {
  value: DayRange;
  onChoose: (range: DayRange) => void;
}

/** The open part of a DateRange. A preset or a second day in the calendar chooses at once; typed days wait for Apply. */
export default function DateRangePanel({ value, onChoose }: Props) {
  const today = todayIs();
  const [from, setFrom] = useState(value.from);
  const [to, setTo] = useState(value.to);
  const [problem, setProblem] = useState('');
  const hasRoom = useMediaQuery('(min-width: 600px)', true, { getInitialValueInEffect: false });
  const current = presetOf(value, today);

  const apply = (event: FormEvent) => {
    event.preventDefault();
    const range = tidyRange(from, to, today);
    if (!range)
      setProblem(from > to ? 'The first day lies after the last one.' : 'Choose days from 1 January 2018 until today.');
    else onChoose(range);
  };
  const pick = ([start, end]: [string | null, string | null]) => {
    setFrom(start ?? '');
    setTo(end ?? '');
    setProblem('');
    if (start && end) onChoose({ from: start, to: end });
  };

  return (
    <div className={css.panel}>
      <ul className={css.presets} aria-label="Ranges">
        {(Object.keys(PRESETS) as PresetName[]).map((name) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={name === current}
              autoFocus={name === (current ?? 'Today')}
              onClick={() => onChoose(tidyPreset(name, today))}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <form className={css.custom} onSubmit={apply} noValidate>
        {hasRoom && (
          <DatePicker
            type="range"
            allowSingleDateInRange
            hideOutsideDates
            weekendDays={[]}
            value={[from || null, to || null]}
            onChange={pick}
            defaultDate={value.to}
            minDate={EARLIEST_DAY}
            maxDate={today}
            size="md"
            ariaLabels={{
              previousMonth: 'Previous month',
              nextMonth: 'Next month',
              previousYear: 'Previous year',
              nextYear: 'Next year',
              previousDecade: 'Previous ten years',
              nextDecade: 'Next ten years',
            }}
          />
        )}
        <div className={css.typed}>
          <TextInput
            size="sm"
            type="date"
            label="From"
            value={from}
            min={EARLIEST_DAY}
            max={today}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            size="sm"
            type="date"
            label="To"
            value={to}
            min={EARLIEST_DAY}
            max={today}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        </div>
        {problem && (
          <p role="alert" className={css.problem}>
            {problem}
          </p>
        )}
        <Button size="sm" type="submit" variant="default" fullWidth>
          Apply
        </Button>
      </form>
    </div>
  );
}

const tidyPreset = (name: PresetName, today: string): DayRange => {
  const range = PRESETS[name](today);
  return tidyRange(range.from, range.to, today) ?? range;
};
