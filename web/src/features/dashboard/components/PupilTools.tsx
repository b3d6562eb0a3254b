import { NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Fragment } from 'react';
import css from './PupilTools.module.css';
import { hasReading, type Measure } from '../model/measures.ts';
import { countBands, type PupilOrder, type PupilRow } from '../model/pupil-rows.ts';

const ORDERS: Record<PupilOrder, string> = { name: 'By name', highest: 'Highest first', lowest: 'Lowest first' };

interface Props {
  title: string;
  measure: Measure;
  /** All pupils of the chart; none while there is nothing to order. */
  rows: readonly PupilRow[];
  order: PupilOrder;
  onOrder: (order: PupilOrder) => void;
  page: number;
  pages: number;
  /** Pupils on a page. */
  size: number;
  onPage: (page: number) => void;
}

/** How many read how, or have not read, the order of the pupils, and the way to the rest of a long list. */
export function PupilTools({ title, measure, rows, order, onOrder, page, pages, size, onPage }: Props) {
  const count = rows.length;
  const step = (to: number, label: string, Icon: typeof IconChevronLeft) => {
    const isOff = to < 1 || to > pages;
    return (
      <button
        type="button"
        className={css.step}
        aria-label={`${label}: ${title}`}
        aria-disabled={isOff}
        onClick={() => !isOff && onPage(to)}
      >
        <Icon size={18} aria-hidden />
      </button>
    );
  };
  return (
    <div className={css.tools}>
      {count > 0 && (
        <>
          <p className={css.text}>
            {measure === 'accuracy' ? <Bands rows={rows} /> : withoutReadingInWords(rows, measure)}
          </p>
          <NativeSelect
            size="sm"
            aria-label={`Order of pupils: ${title}`}
            value={order}
            onChange={(event) => onOrder(event.currentTarget.value as PupilOrder)}
            data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
          />
          {pages > 1 && (
            <span className={css.pages}>
              {step(page - 1, 'Previous pupils', IconChevronLeft)}
              <span aria-live="polite">
                {(page - 1) * size + 1}–{Math.min(page * size, count)} of {count}
              </span>
              {step(page + 1, 'Next pupils', IconChevronRight)}
            </span>
          )}
        </>
      )}
    </div>
  );
}

/** `Under 90%: 3 · 90 to 94%: 10 · 95% and over: 14` */
const Bands = ({ rows }: { rows: readonly PupilRow[] }) =>
  countBands(rows).map(({ name, pupils }, index) => (
    <Fragment key={name}>
      {index > 0 && ' · '}
      <span className={css.band}>
        {name}: {pupils}
      </span>
    </Fragment>
  ));

function withoutReadingInWords(rows: readonly PupilRow[], measure: Measure): string {
  const what = measure === 'books' ? 'completed a book' : 'read';
  const without = rows.filter(({ total }) => !hasReading(measure, total)).length;
  return without === 0
    ? `All ${rows.length} have ${what}`
    : `${without} of ${rows.length} ${without === 1 ? 'has' : 'have'} not ${what}`;
}
