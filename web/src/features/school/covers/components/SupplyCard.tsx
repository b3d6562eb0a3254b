import type { SupplyCard as Card } from '#contract/calls/covers.ts';
import { untilFromNow } from '../../../../shared/moment-in-words.ts';
import css from './SupplyCard.module.css';

/** The printed card with which a supply teacher logs in. */
export const SupplyCard = ({ card }: { card: Card }) => (
  <article className={css.card} aria-label={`Card for ${card.name}`} data-printed-alone>
    <div className={css.who}>
      <p className={css.quiet}>{card.school}</p>
      <h3 className={css.name}>{card.name}</h3>
      <p>
        covers <strong>{card.group}</strong>
      </p>
    </div>
    <svg
      className={css.qr}
      viewBox={`0 0 ${card.qr.size} ${card.qr.size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code that opens the page with the code filled in"
    >
      <path d={card.qr.path} fill="#000" />
    </svg>
    <p className={css.code} aria-label={`Code ${card.code}`}>
      {card.code.split('-').map((letters, index) => (
        <span key={index}>{letters}</span>
      ))}
    </p>
    <p className={css.where}>
      Scan the square, or go to <strong>{withoutScheme(card.url)}</strong> and enter the code.
    </p>
    <p className={css.quiet}>Works once, on one device, until {untilFromNow(card.works_until)}.</p>
  </article>
);

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');
