import type { DayRange } from '../../../../ui/date-range.ts';
import { HelpText } from '../../../../ui/HelpText.tsx';
import { comparedDays, comparedWith } from '../model/changes.ts';
import type { ShownComparison } from '../model/use-comparison.ts';
import css from '../DashboardPage.module.css';

/** States what the figures are compared with, if anything. */
export const ComparisonNote = ({ comparison, isStale, range }: ShownComparison & { range: DayRange }) =>
  comparison && (
    <div className={`soft ${css.note}`} data-stale={isStale || undefined} aria-busy={isStale}>
      Compared with {comparedDays(comparison)}
      <HelpText about="comparison">
        {comparedWith(comparison, range.to)}: the same pupils over the same number of school days directly before. Today
        is not counted, because it is not over. There is no comparison if no one had started to read, or if fewer than
        100 words were read.
      </HelpText>
    </div>
  );
