import { NativeSelect } from '../../../../ui/Field.tsx';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Fragment } from 'react';
import pager from '../../../../ui/TablePager.module.css';
import { announce } from '../../../../shared/announcements.ts';
import css from './PupilTools.module.css';
import { hasReading, type Measure } from '../model/measures.ts';
import { type Band, countBands, type PupilOrder, type PupilRow } from '../model/pupil-rows.ts';
import type { PupilList } from '../model/use-pupil-list.ts';

const ORDERS: Record<PupilOrder, string> = { name: 'By name', highest: 'Highest first', lowest: 'Lowest first' };

interface Props {
  title: string;
  measure: Measure;
  list: PupilList;
}

/** How many pupils read at which accuracy or not at all, their order, and the pages of a long list. */
export function PupilTools({ title, measure, list }: Props) {
  const { rows, order, setOrder, page, setPage, pageCount, pageSize } = list;
  const count = rows.length;
  const firstOf = (shown: number) => (shown - 1) * pageSize + 1;
  const lastOf = (shown: number) => Math.min(shown * pageSize, count);
  const step = (to: number, label: string, Icon: typeof IconChevronLeft) => {
    const isOff = to < 1 || to > pageCount;
    return (
      <button
        type="button"
        className={pager.step}
        aria-label={`${label}: ${title}`}
        aria-disabled={isOff}
        onClick={() => {
          if (isOff) return;
          setPage(to);
          announce(`Pupils ${firstOf(to)} to ${lastOf(to)} of ${count}`);
        }}
      >
        <Icon size={18} aria-hidden />
      </button>
    );
  };
  return (
    <div className={`row small ${css.tools}`}>
      {count > 0 && (
        <>
          <p className={css.text}>
            {measure.bands ? <Bands rows={rows} bands={measure.bands} /> : formatWithoutReading(rows, measure)}
          </p>
          <NativeSelect
            size="sm"
            aria-label={`Order of pupils: ${title}`}
            value={order}
            onChange={(event) => setOrder(event.currentTarget.value as PupilOrder)}
            data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
          />
          {pageCount > 1 && (
            <span className={`figures ${css.pages} no-print`}>
              {step(page - 1, 'Previous pupils', IconChevronLeft)}
              <span>
                {firstOf(page)}–{lastOf(page)} of {count}
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
const Bands = ({ rows, bands }: { rows: readonly PupilRow[]; bands: readonly Band[] }) =>
  countBands(rows, bands).map(({ name, pupils }, index) => (
    <Fragment key={name}>
      {index > 0 && ' · '}
      <span className="nowrap">
        {name}: {pupils}
      </span>
    </Fragment>
  ));

/** `All 28 have read`, `3 of 28 have not completed a book`, `The one pupil has read` */
function formatWithoutReading(rows: readonly PupilRow[], measure: Measure): string {
  const without = rows.filter(({ total }) => !hasReading(measure, total)).length;
  if (rows.length === 1) return `The one pupil has ${without === 1 ? 'not ' : ''}${measure.pastParticiple}`;
  return without === 0
    ? `All ${rows.length} have ${measure.pastParticiple}`
    : `${without} of ${rows.length} ${without === 1 ? 'has' : 'have'} not ${measure.pastParticiple}`;
}
