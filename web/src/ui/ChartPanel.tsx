import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import css from './ChartPanel.module.css';
import { EmptyState } from './EmptyState.tsx';
import { HelpText } from './HelpText.tsx';
import panel from './Panel.module.css';
import { useDelayed } from './use-delayed.ts';

interface Props {
  title: string;
  /** Whose figures of which days, said on paper, where each chart has a page of its own. */
  paperNote?: string;
  /** What the chart shows and how it is counted. */
  definition: ReactNode;
  /** The chart: fills a box 350 px high. */
  children: ReactNode;
  /** The same figures as a `table`, with a caption. */
  table: ReactNode;
  /** A link that downloads the figures. */
  download?: ReactNode;
  /** Figures above the chart: the average, the total. */
  figures?: ReactNode;
  /** What chooses among what is shown. */
  tools?: ReactNode;
  /** What the chart's signs mean; not shown above the table, which has none. */
  legend?: ReactNode;
  /** On a phone only its title and figures are seen at first. */
  isFolded?: boolean;
  isEmpty?: boolean;
  isLoading?: boolean;
  failure?: ReactNode;
}

/** A chart with its title, its meaning, its figures as a table and as a file. */
export function ChartPanel({
  title,
  paperNote,
  definition,
  children,
  table,
  download,
  figures,
  tools,
  legend,
  isFolded = false,
  isEmpty = false,
  isLoading = false,
  failure,
}: Props) {
  const [isTable, setTable] = useState(false);
  const [isOpen, setOpen] = useState(!isFolded);
  const isLate = useDelayed(isLoading);
  const id = useId();
  const hasFigures = !failure && !isLoading && !isEmpty;

  return (
    <section
      className={css.panel}
      aria-labelledby={id}
      aria-busy={isLoading}
      data-folded={(!isOpen && !failure) || undefined}
    >
      <header className={`${panel.header} ${css.header}`}>
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className={css.fold}
          aria-expanded={isOpen}
          aria-label={`Chart: ${title}`}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronDown size={20} aria-hidden />
        </button>
        <HelpText about={title}>{definition}</HelpText>
      </header>
      {paperNote && <p className={css.paperNote}>{paperNote}</p>}
      {figures && <div className={css.figures}>{figures}</div>}
      {tools && <div className={css.tools}>{tools}</div>}
      {legend && (!isTable || !hasFigures) && <div className={css.legend}>{legend}</div>}
      <div className={css.body} data-table={(isTable && hasFigures) || undefined}>
        {failure ??
          (isLoading ? (
            isLate && <div className={css.skeleton} role="status" aria-label={`Loading ${title}`} />
          ) : isEmpty ? (
            <EmptyState title="There is nothing here" />
          ) : null)}
        {hasFigures && (
          <div className={css.chart} hidden={isTable}>
            {children}
          </div>
        )}
        {/* Only when asked for: tables have many cells. On the smallest screens it scrolls, so the keyboard must reach it. */}
        {hasFigures && isTable && (
          <div className={css.table} tabIndex={0} role="region" aria-label={`${title}: table`}>
            {table}
          </div>
        )}
      </div>
      <footer className={css.footer}>
        <Button
          size="sm"
          variant="subtle"
          disabled={!hasFigures}
          aria-label={`${isTable ? 'Show as chart' : 'Show as table'}: ${title}`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
        {hasFigures && download}
      </footer>
    </section>
  );
}
