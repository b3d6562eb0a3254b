import type { ReactNode } from 'react';
import css from './StatBox.module.css';
import { HelpText } from './HelpText.tsx';

interface Props {
  /** The figure as shown: `3 hours 12 minutes`. */
  value: ReactNode;
  label: string;
  /** What the figure means, one click away. */
  help?: ReactNode;
  /** A button in its place where the explanation needs more room. */
  helpButton?: ReactNode;
}

/** One large figure with what it counts. Use inside `StatBoxes`. */
export function StatBox({ value, label, help, helpButton }: Props) {
  return (
    <div className={`box ${css.box}`}>
      <dt className={`row ${css.label}`}>
        {label}
        {(help || helpButton) && <div>{help ? <HelpText about={label}>{help}</HelpText> : helpButton}</div>}
      </dt>
      <dd className={css.value}>{value}</dd>
    </div>
  );
}

/** Two to five figures: in a row, in two rows of which neither has one alone, or, where it is narrow, one under the other. */
export const StatBoxes = ({ children }: { children: ReactNode }) => (
  <div className={css.room}>
    <dl className={css.row}>{children}</dl>
  </div>
);
