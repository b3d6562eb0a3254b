import { Button, VisuallyHidden } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, Suspense, useId } from 'react';
import { formatDate } from '../shared/format.ts';
import { today } from '../shared/school-day.ts';
import { presetOf, type DayRange } from './date-range.ts';
import css from './DateRange.module.css';
import { usePopover } from './use-popover.ts';
import { PageSkeleton } from './PageSkeleton.tsx';

// The calendar is heavy: it is fetched when somebody reaches for it.
const loadPanel = () => import('./DateRangePanel.tsx');
const DateRangePanel = lazy(loadPanel);

interface Props {
  value: DayRange;
  onChange: (range: DayRange) => void;
}

const inWords = ({ from, to }: DayRange): string =>
  from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`;

/** A range of days by preset, by calendar or typed. Use with `useDateRange`, which keeps it in the address. */
export function DateRange({ value, onChange }: Props) {
  const { isOpen, toggle, close, root, button } = usePopover();
  const id = useId();
  const preset = presetOf(value, today());

  const choose = (range: DayRange) => {
    close();
    button.current?.focus();
    onChange(range);
  };

  return (
    <div className={css.root} ref={root}>
      <Button
        ref={button}
        variant="default"
        className={css.button}
        leftSection={<IconCalendar size={20} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={id}
        onPointerEnter={() => void loadPanel()}
        onFocus={() => void loadPanel()}
        onClick={toggle}
      >
        <VisuallyHidden>Dates: </VisuallyHidden>
        {preset && <strong className={css.preset}>{preset}</strong>}
        <span className={css.days}>{inWords(value)}</span>
      </Button>
      {isOpen && (
        <div id={id} role="dialog" aria-label="Choose dates" className={css.panel}>
          <Suspense fallback={<PageSkeleton />}>
            <DateRangePanel value={value} onChoose={choose} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
