import '@mantine/dates/styles.layer.css';
import { DatePicker } from '@mantine/dates';
import { useMediaQuery } from '@mantine/hooks';
import { today } from '../shared/school-day.ts';
import { EARLIEST_DAY } from './date-range.ts';

interface Props {
  from: string;
  to: string;
  onPick: (days: [string | null, string | null]) => void;
}

/** The calendar of a DateRange, where there is room for one. */
export default function DateRangeCalendar({ from, to, onPick }: Props) {
  const hasRoom = useMediaQuery('(min-width: 600px)', true, { getInitialValueInEffect: false });
  if (!hasRoom) return null;
  return (
    <DatePicker
      type="range"
      allowSingleDateInRange
      hideOutsideDates
      weekendDays={[]}
      value={[from || null, to || null]}
      onChange={onPick}
      defaultDate={to}
      minDate={EARLIEST_DAY}
      maxDate={today()}
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
  );
}
