import { Button } from './Button.tsx';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { useFold } from './use-fold.ts';
import css from './ChartPanel.module.css';
import { EmptyState } from './EmptyState.tsx';
import { HelpText } from './HelpText.tsx';
import panel from './Panel.module.css';
import { useLoadingAnnouncement } from './use-announcement.ts';
import { useDelayed } from './use-delayed.ts';

interface Props {
  title: string;
  /** The name under which this browser remembers whether the chart is folded. */
  name: string;
  /** Whose figures and which days, for printing, where each chart is on its own page. */
  paperNote?: string;
  /** What the chart shows and how it is counted. */
  definition: ReactNode;
  /** The chart: fills a box 350 px high. */
  children: ReactNode;
  /** The same figures as a `table`, with a caption. */
  table: ReactNode;
  /** Figures above the chart: the average, the total. */
  figures?: ReactNode;
  /** Controls for what the chart shows. */
  tools?: ReactNode;
  /** The legend, hidden while the table is shown. */
  legend?: ReactNode;
  /** On a phone only its title and figures are visible until the user unfolds it. */
  isFoldedOnPhone?: boolean;
  /** Paper shows its figures in another way. */
  isOnScreenOnly?: boolean;
  isEmpty?: boolean;
  isLoading?: boolean;
  failure?: ReactNode;
}

/** A chart with its title, definition, table and download. */
export function ChartPanel({
  title,
  name,
  paperNote,
  definition,
  children,
  table,
  figures,
  tools,
  legend,
  isFoldedOnPhone = false,
  isOnScreenOnly = false,
  isEmpty = false,
  isLoading = false,
  failure,
}: Props) {
  const [isTable, setTable] = useState(false);
  const { fold, isOpen, setOpen } = useFold(name, isFoldedOnPhone);
  const isLate = useDelayed(isLoading);
  useLoadingAnnouncement(isLoading, `Loading ${title}`);
  const id = useId();
  const hasFigures = !failure && !isLoading && !isEmpty;

  return (
    <section
      className={`sheet ${css.panel} ${isOnScreenOnly ? 'no-print' : ''}`}
      aria-labelledby={id}
      aria-busy={isLoading}
      data-folded={failure ? undefined : fold}
    >
      <header className={`row ${panel.header} ${css.header}`}>
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className={`with-script ${css.fold} no-print`}
          aria-expanded={isOpen}
          aria-label={`Chart: ${title}`}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronDown size={20} aria-hidden />
        </button>
        <HelpText about={title}>{definition}</HelpText>
      </header>
      {paperNote && <p className={css.paperNote}>{paperNote}</p>}
      {figures && <div className="soft figures below-s">{figures}</div>}
      {tools && <div className={`below-s ${css.tools}`}>{tools}</div>}
      {legend && (!isTable || !hasFigures) && <div className={css.legend}>{legend}</div>}
      <div className={css.body} data-table={(isTable && hasFigures) || undefined}>
        {failure ??
          (isLoading ? (
            isLate && <div className={css.skeleton} />
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
      <footer className={`row spread ${css.footer} no-print`}>
        <Button
          size="sm"
          variant="subtle"
          disabled={!hasFigures}
          aria-label={`${isTable ? 'Show as chart' : 'Show as table'}: ${title}`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </footer>
    </section>
  );
}
