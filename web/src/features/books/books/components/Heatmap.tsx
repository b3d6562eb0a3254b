import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { type Attention, attentionByPage, heatmapColumns } from '../model/attention.ts';
import css from './Heatmap.module.css';

const WORDS: Record<Attention, string> = { high: 'high attention', low: 'low attention', none: 'no attention' };
const LEGEND: readonly [Attention, string][] = [
  ['high', 'High'],
  ['low', 'Low'],
  ['none', 'None'],
];

/** The attention that each page got, as a grid of cells. Arrow keys move between pages; the text below describes the chosen page. */
export function Heatmap({ heatmap, pages }: { heatmap: readonly number[]; pages: number }) {
  const cells = attentionByPage(heatmap, pages);
  const columns = heatmapColumns(cells.length);
  const [chosen, setChosen] = useState(0);
  const [isShown, setShown] = useState(false);
  const grid = useRef<HTMLDivElement>(null);
  const titleId = useId();
  if (cells.length === 0) return null;

  const choose = (index: number) => {
    const next = Math.min(cells.length - 1, Math.max(0, index));
    setChosen(next);
    setShown(true);
    grid.current?.querySelectorAll('button')[next]?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    const to = step === undefined ? { Home: 0, End: cells.length - 1 }[event.key] : chosen + step;
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };

  return (
    <div className={css.heatmap}>
      <h3 id={titleId}>Attention by page</h3>
      <div
        ref={grid}
        className={css.grid}
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        data-many={columns > 5 || undefined}
        role="group"
        aria-labelledby={titleId}
        onKeyDown={onKey}
      >
        {cells.map((attention, index) => (
          <button
            key={index}
            type="button"
            className={css.cell}
            data-attention={attention}
            data-chosen={(isShown && index === chosen) || undefined}
            tabIndex={index === chosen ? 0 : -1}
            aria-label={`Page ${index + 1}: ${WORDS[attention]}`}
            onClick={() => choose(index)}
            onPointerEnter={() => {
              setChosen(index);
              setShown(true);
            }}
          >
            {index + 1}
          </button>
        ))}
      </div>
      <p className={`soft small ${css.chosen}`} aria-hidden>
        {isShown ? `Page ${chosen + 1}: ${WORDS[cells[chosen] ?? 'none']}` : 'Choose a page to see its attention.'}
      </p>
      <ul className={css.legend} aria-label="Legend">
        {LEGEND.map(([attention, text]) => (
          <li key={attention}>
            <span className={css.cell} data-attention={attention} aria-hidden />
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
