import type { Comparison } from '#contract/calls/charts.ts';
import type { DayRange } from '../../../ui/date-range.ts';
import { HelpText } from '../../../ui/HelpText.tsx';
import { comparedWith } from '../model/changes.ts';
import css from './ComparisonNote.module.css';

/** What the figures are compared with, and how. Nothing where there is nothing to compare with. */
export const ComparisonNote = ({ comparison, range }: { comparison: Comparison | null | undefined; range: DayRange }) =>
  comparison && (
    <div className={css.note}>
      {comparedWith(comparison, range.to)}
      <HelpText about="comparison">
        The same pupils in as many school days directly before. Today does not count, because it is not over. Nothing is
        compared where nobody had begun to read, or where fewer than 100 words were read.
      </HelpText>
    </div>
  );
