import { Button } from './Button.tsx';
import { TextInput } from './Field.tsx';
import { useState } from 'react';
import { today as todayIs } from '../shared/school-day.ts';
import {
  EARLIEST_DAY,
  nameOf,
  PRESETS,
  tidyRange,
  type DayRange,
  type NamedRange,
  type PresetName,
} from './date-range.ts';
import css from './DateRangePanel.module.css';
import { QueryForm } from './QueryForm.tsx';
import { SearchParamsLink } from './SearchParamsLink.tsx';
import { rangeChanges, storeRange } from './use-date-range.ts';

interface Props {
  value: DayRange;
  more: readonly NamedRange[];
  onClose: () => void;
  onChoose: (range: DayRange) => void;
}

/** The open part of a DateRange. Presets apply at once, the two date fields on Apply. */
export function DateRangePanel({ value, more, onClose, onChoose }: Props) {
  const today = todayIs();
  const [from, setFrom] = useState(value.from);
  const [to, setTo] = useState(value.to);
  const [problem, setProblem] = useState('');
  const current = nameOf(value, more, today);
  const link = (name: string, range: DayRange) => (
    <li key={name}>
      <SearchParamsLink
        changes={rangeChanges(range)}
        aria-current={name === current ? 'true' : undefined}
        onClick={() => {
          storeRange(range);
          onClose();
        }}
      >
        {name}
      </SearchParamsLink>
    </li>
  );

  const apply = () => {
    const range = tidyRange(from, to, today);
    if (!range)
      setProblem(
        from > to
          ? 'The end date must be on or after the start date.'
          : 'Choose dates between 1 January 2018 and today.',
      );
    else onChoose(range);
  };

  return (
    <div className={css.panel}>
      <ul className={css.presets} aria-label="Ranges">
        {(Object.keys(PRESETS) as PresetName[]).map((name) => link(name, tidyPreset(name, today)))}
      </ul>
      {more.length > 0 && (
        <ul className={css.presets} aria-label="School ranges">
          {more.map((range) => link(range.name, range))}
        </ul>
      )}
      <QueryForm sets={['from', 'to']} onSubmit={apply} className={`stack-m ${css.custom}`}>
        <div className={css.typed}>
          <TextInput
            size="sm"
            type="date"
            name="from"
            label="From"
            value={from}
            min={EARLIEST_DAY}
            max={today}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            size="sm"
            type="date"
            name="to"
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
      </QueryForm>
    </div>
  );
}

const tidyPreset = (name: PresetName, today: string): DayRange => {
  const range = PRESETS[name](today);
  return tidyRange(range.from, range.to, today) ?? range;
};
