import { ButtonSummary } from './Button.tsx';
import { VisuallyHidden } from './VisuallyHidden.tsx';
import { IconCalendar } from '@tabler/icons-react';
import { formatDate } from '../shared/format.ts';
import { today } from '../shared/school-day.ts';
import { type DayRange, type NamedRange, nameOf, PRESETS } from './date-range.ts';
import css from './DateRange.module.css';
import { DateRangePanel } from './DateRangePanel.tsx';
import { Popover } from './Popover.tsx';
import { SearchParamsLink } from './SearchParamsLink.tsx';
import { rangeChanges, storeRange } from './use-date-range.ts';

interface Props {
  value: DayRange;
  onChange: (range: DayRange) => void;
  /** Ranges by names beside the presets. */
  more?: readonly NamedRange[];
}

/** `1 November 2026 to 22 November 2026`. */
export const rangeInWords = ({ from, to }: DayRange): string =>
  from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`;

/** A range of days by preset or by two dates. Use with `useDateRange`, which keeps it in the address. */
export function DateRange({ value, onChange, more = [] }: Props) {
  const now = today();
  const preset = nameOf(value, more, now);
  return (
    <div className={`row ${css.line}`}>
      <Popover
        className={css.root}
        button={(ref) => (
          <ButtonSummary
            ref={ref}
            variant="default"
            className={css.button}
            leftSection={<IconCalendar size={20} aria-hidden />}
          >
            <VisuallyHidden>Dates: </VisuallyHidden>
            {preset && <strong className={css.preset}>{preset}</strong>}
            <span className={css.days}>{rangeInWords(value)}</span>
          </ButtonSummary>
        )}
      >
        {({ close }) => (
          <div role="group" aria-label="Choose dates" className={`raised ${css.panel} no-print`}>
            <DateRangePanel
              key={`${value.from} ${value.to}`}
              value={value}
              more={more}
              onClose={close}
              onChoose={(range) => {
                close();
                onChange(range);
              }}
            />
          </div>
        )}
      </Popover>
      {!preset && (
        <SearchParamsLink
          changes={rangeChanges(PRESETS['This month'](now))}
          className="tall no-print"
          onClick={() => storeRange(PRESETS['This month'](now))}
        >
          Back to this month
        </SearchParamsLink>
      )}
    </div>
  );
}
