import { compareWithAge, formatLevel, formatLevelAges } from '#contract/reading-levels.ts';
import { formatYearGroup, type YearGroup } from '#contract/year-group.ts';
import { HelpText } from '../../../../ui/HelpText.tsx';
import { useReadingLevel } from '../reading-levels.api.ts';

const COMPARISON = { at: 'the age of', above: 'above', below: 'below' } as const;

/**
 * `Level 3 (Orange) is for ages 6 to 7: below Year 4.` Nothing unless an operator has entered ages and the year group has
 * one. Not on paper, which parents may see.
 */
export function LevelAges({ level, yearGroup }: { level: number; yearGroup: YearGroup | null }) {
  const readingLevel = useReadingLevel(level);
  const comparison = readingLevel && compareWithAge(readingLevel, yearGroup);
  if (!readingLevel || !comparison || !yearGroup) return null;
  const { book_band: band, from_age: from, to_age: to } = readingLevel;
  return (
    <div className="below-l no-print">
      <span>
        {formatLevel(level, band)} is for {from === to ? 'age' : 'ages'} {formatLevelAges(readingLevel)}:{' '}
        {COMPARISON[comparison]} {formatYearGroup(yearGroup)}.
      </span>{' '}
      <HelpText about="The ages of a level">
        The company that runs the portal enters the ages that the books of a level are for, in whole years on 1
        September: Reception and P1 are 4, Year 1 and P2 are 5, and so on. A level is below a year group if its books
        are for younger pupils, and above it if they are for older ones. It compares books with a year group and does
        not measure progress. It is not on pages for parents.
      </HelpText>
    </div>
  );
}
