import type { CardSize } from '#contract/calls/login-cards.ts';

/** The position of a part of a card, from the card's top left corner. */
interface Position {
  x: number;
  y: number;
  width: number;
}

/** A field with its label and value. */
interface Field {
  label: Position;
  value: Position;
  /** The largest font size of the value. */
  size: number;
}

/** A layout of cards, in points on A4. The cards are cut along the lines. */
export interface CardLayout {
  columns: number;
  rows: number;
  name: Position & { largest: number; height: number; isCentred: boolean };
  username: Field;
  password: Field;
  /** The QR code, a square of this width. */
  code: Position;
  instruction: Position & { size: number; isCentred: boolean };
  /** The hole for a punch or a peg. */
  hole?: { y: number; radius: number };
}

export const PAGE = { width: 595.28, height: 841.89, side: 28, top: 58, bottom: 26 };
const cardWidth = (columns: number) => (PAGE.width - 2 * PAGE.side) / columns;
const cardHeight = (rows: number) => (PAGE.height - PAGE.top - PAGE.bottom) / rows;

export const sizeOf = ({ columns, rows }: CardLayout) => ({ width: cardWidth(columns), height: cardHeight(rows) });

const PAD = 14;
const CODE = 58;

/** Ten to a page, slightly larger than a bank card. */
const POCKET: CardLayout = {
  columns: 2,
  rows: 5,
  name: { x: PAD, y: 10, width: cardWidth(2) - 2 * PAD - CODE - 8, height: 52, largest: 21, isCentred: false },
  username: {
    label: { x: PAD, y: 77, width: 52 },
    value: { x: PAD + 56, y: 70, width: cardWidth(2) - 2 * PAD - 56 },
    size: 18,
  },
  password: {
    label: { x: PAD, y: 107, width: 52 },
    value: { x: PAD + 56, y: 100, width: cardWidth(2) - 2 * PAD - 56 },
    size: 18,
  },
  code: { x: cardWidth(2) - PAD - CODE, y: 10, width: CODE },
  instruction: { x: PAD, y: cardHeight(5) - 19, width: cardWidth(2) - 2 * PAD, size: 9, isCentred: false },
};

const PEG_CODE = 108;

/** Four to a page, to hang on a coat peg. */
const PEG: CardLayout = {
  columns: 2,
  rows: 2,
  hole: { y: 24, radius: 9 },
  name: { x: PAD, y: 40, width: cardWidth(2) - 2 * PAD, height: 78, largest: 32, isCentred: true },
  username: {
    label: { x: PAD + 8, y: 124, width: 200 },
    value: { x: PAD + 8, y: 133, width: cardWidth(2) - 2 * PAD - 16 },
    size: 24,
  },
  password: {
    label: { x: PAD + 8, y: 177, width: 200 },
    value: { x: PAD + 8, y: 186, width: cardWidth(2) - 2 * PAD - 16 },
    size: 24,
  },
  code: { x: (cardWidth(2) - PEG_CODE) / 2, y: 236, width: PEG_CODE },
  instruction: { x: PAD, y: cardHeight(2) - 26, width: cardWidth(2) - 2 * PAD, size: 11, isCentred: true },
};

export const CARD_LAYOUTS: Record<CardSize, CardLayout> = { pocket: POCKET, peg: PEG };
