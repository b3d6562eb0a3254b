import { Button } from '../../../../ui/Button.tsx';
import { type ReactNode, useId, useState } from 'react';
import { count, formatNumber } from '../../../../shared/format.ts';
import css from './PlanPart.module.css';

interface Props<Row> {
  title: string;
  /** Without any the part is not shown. */
  rows: readonly Row[];
  /** What a row is: `pupil`, and several of it. */
  noun?: readonly [string, string];
  note?: string;
  /** A button or checkbox above the list, which applies to all rows. */
  action?: ReactNode;
  /** Shows the list only after a click. */
  isFolded?: boolean | undefined;
  /** A list item with a key. */
  children: (row: Row, index: number) => ReactNode;
}

/** Rows shown at first, so that a plan for a whole school renders quickly. */
const INITIAL_ROW_COUNT = 50;

/** A part of a plan or of its result with its number of rows and its list. */
export function PlanPart<Row>({
  title,
  rows,
  noun: [singular, plural] = ['pupil', 'pupils'],
  note,
  action,
  isFolded = false,
  children,
}: Props<Row>) {
  const id = useId();
  const [showsAll, setShowsAll] = useState(false);
  if (rows.length === 0) return null;
  const shown = showsAll ? rows : rows.slice(0, INITIAL_ROW_COUNT);
  const list = (
    <>
      {action && <div className="below-s">{action}</div>}
      <ul className={css.list}>{shown.map(children)}</ul>
      {rows.length > INITIAL_ROW_COUNT && (
        <Button variant="default" className="above-m" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the first ${INITIAL_ROW_COUNT}` : `Show all ${count(rows.length, singular, plural)}`}
        </Button>
      )}
    </>
  );
  return (
    <section className={css.part} aria-labelledby={id}>
      <h2 id={id}>
        {title} ({formatNumber(rows.length)})
      </h2>
      {note && <p>{note}</p>}
      {isFolded ? (
        <details>
          <summary>Show {rows.length === 1 ? 'this pupil' : 'them'}</summary>
          <div className="above-s">{list}</div>
        </details>
      ) : (
        list
      )}
    </section>
  );
}
