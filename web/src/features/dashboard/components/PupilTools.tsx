import { NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import css from './PupilTools.module.css';
import type { Measure } from '../model/measures.ts';
import type { PupilOrder } from '../model/pupil-rows.ts';

const ORDERS: Record<PupilOrder, string> = { name: 'By name', highest: 'Highest first', lowest: 'Lowest first' };

interface Props {
  title: string;
  measure: Measure;
  /** Pupils in the chart. */
  count: number;
  /** Those of them who have not read. */
  without: number;
  order: PupilOrder;
  onOrder: (order: PupilOrder) => void;
  page: number;
  pages: number;
  /** Pupils on a page. */
  size: number;
  onPage: (page: number) => void;
}

/** Who has not read, the order of the pupils, and the way to the rest of a long list. */
export function PupilTools({ title, measure, count, without, order, onOrder, page, pages, size, onPage }: Props) {
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
  const what = measure === 'books' ? 'completed a book' : 'read';
  const said =
    without === 0
      ? `All ${count} have ${what}`
      : `${without} of ${count} ${without === 1 ? 'has' : 'have'} not ${what}`;
  return (
    <div className={css.tools}>
      {count > 0 && (
        <>
          <p className={css.text}>{said}</p>
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
