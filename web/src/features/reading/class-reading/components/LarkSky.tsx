import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { seriesLook } from '../../../../ui/series.ts';
import { LARK } from '../model/lark-layout.ts';
import type { Lark, LarkPicture, Mark } from '../model/larks.ts';
import { FLYING_LARK, LarkShapes, GROUND_LARK } from './LarkShape.tsx';
import css from './ReadingLine.module.css';

interface Props {
  picture: LarkPicture;
  /** The picture in one sentence. */
  summary: string;
  isNameless: boolean;
}

/** Positions for both layouts, of which the style sheet uses one. */
const placed = ({ wide, narrow }: Pick<Mark, 'wide' | 'narrow'>) => ({ '--wide-x': wide, '--narrow-x': narrow });

const place = ({ wide, narrow, level }: Lark) =>
  ({
    ...placed({ wide: wide.x, narrow: narrow.x }),
    '--wide-row': wide.row,
    '--narrow-row': narrow.row,
    '--level': level === null ? 'var(--edge)' : seriesLook(level).colour,
  }) as CSSProperties;

const STEPS: Record<string, (index: number, last: number) => number> = {
  ArrowRight: (index, last) => Math.min(last, index + 1),
  ArrowLeft: (index) => Math.max(0, index - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** The larks over their axis. One of them takes the Tab key; arrow keys lead to the others. */
export function LarkSky({ picture, summary, isNameless }: Props) {
  const { larks, ticks, median, wideRows, narrowRows } = picture;
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [tabKey, setTabKey] = useState<string | null>(null);
  // A first tap names the lark, a second one opens it.
  const [isTouch, setTouch] = useState(false);
  const links = useRef(new Map<string, HTMLAnchorElement>());
  const active = larks.find(({ key }) => key === activeKey);
  const tabStop = larks.some(({ key }) => key === tabKey) ? tabKey : larks[0]?.key;

  function move(event: KeyboardEvent, index: number) {
    const target = larks[STEPS[event.key]?.(index, larks.length - 1) ?? -1];
    if (!target) return;
    event.preventDefault();
    links.current.get(target.key)?.focus();
  }

  return (
    <div
      className={css.sky}
      style={{ '--wide-rows': wideRows, '--narrow-rows': narrowRows } as CSSProperties}
      onPointerLeave={() => setActiveKey(null)}
    >
      <svg width="100%" height="100%" role="group" aria-label={summary}>
        <LarkShapes />
        <line className={css.ground} x1="0" x2="100%" />
        {ticks.map((tick) => (
          <g key={tick.text} className={css.tick} style={placed(tick) as CSSProperties} aria-hidden>
            <line y1="0" y2="4" />
            <text y="0.9375rem">{tick === ticks.at(-1) ? `${tick.text} min` : tick.text}</text>
          </g>
        ))}
        {larks.some(({ isOnGround }) => isOnGround) && (
          <text className={css.groundText} aria-hidden>
            Did not read
          </text>
        )}
        {median && (
          <g className={css.median} style={placed(median) as CSSProperties} aria-hidden>
            <rect width="1" />
            <text data-side={median.wide > 75 ? 'left' : 'right'} y="0.625rem">
              {median.text}
            </text>
          </g>
        )}
        {larks.map((lark, index) => (
          <Link
            key={lark.key}
            ref={(link) => {
              if (link) links.current.set(lark.key, link);
              return () => void links.current.delete(lark.key);
            }}
            to={lark.to}
            className={css.lark}
            style={place(lark)}
            aria-label={`${lark.name}: ${lark.facts}`}
            tabIndex={lark.key === tabStop ? 0 : -1}
            data-ground={lark.isOnGround || undefined}
            onKeyDown={(event) => move(event, index)}
            onFocus={() => {
              setActiveKey(lark.key);
              setTabKey(lark.key);
            }}
            onBlur={() => setActiveKey(null)}
            onPointerEnter={({ pointerType }) => {
              setTouch(pointerType === 'touch');
              if (pointerType !== 'touch') setActiveKey(lark.key);
            }}
            onClick={(event) => {
              if (!isTouch || activeKey === lark.key) return;
              event.preventDefault();
              setActiveKey(lark.key);
            }}
          >
            <rect className={css.area} width={LARK.width} height={LARK.height} rx="4" />
            <use href={`#${lark.isOnGround ? GROUND_LARK : FLYING_LARK}`} />
            <text x="14" y="19.300" aria-hidden>
              {lark.level ?? '–'}
            </text>
          </Link>
        ))}
      </svg>
      {active && (
        <p className={`raised ${css.tip} no-print`} style={place(active)} aria-hidden>
          {!isNameless && <strong>{active.name}</strong>} {active.facts}
          {isTouch && <span>Tap again to open</span>}
        </p>
      )}
    </div>
  );
}
