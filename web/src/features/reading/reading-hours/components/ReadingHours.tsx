import { formatShortDuration } from '../../../../shared/format.ts';
import { HelpText } from '../../../../ui/HelpText.tsx';

interface Props {
  /** Seconds. */
  inSchool: number;
  /** Seconds. */
  outside: number;
  /** What it is the reading of, at the start of the sentence: `Last six weeks: `. */
  prefix?: string;
}

/** Reading time in and out of school hours. Nothing without reading. */
export function ReadingHours({ inSchool, outside, prefix = '' }: Props) {
  if (inSchool + outside === 0) return null;
  const first = prefix === '' ? 'In' : 'in';
  return (
    <div>
      <span>
        {prefix}
        {first} school hours {formatShortDuration(inSchool)}, outside {formatShortDuration(outside)}
      </span>{' '}
      <HelpText about="school hours">
        Reading that began on a school day in the school hours that the School screen shows. It counts as a whole, even
        if it went on after school. School days are Monday to Friday in term, except the early May bank holiday. Single
        readings that your school’s retention periods have removed no longer count.
      </HelpText>
    </div>
  );
}
