import type { CardSize } from '#contract/calls/login-cards.ts';

/** Where a part of a card stands, from the card's left upper corner. */
interface Place {
  x: number;
  y: number;
  width: number;
}

/** A field: what it is called, and what is typed. */
interface Field {
  label: Place;
  value: Place;
  /** Largest type of the value. */
  size: number;
}

/** One way of printing cards, all in points on A4. The cards are cut along the lines. */
export interface CardLayout {
  columns: number;
  rows: number;
  name: Place & { largest: number; height: number; isCentred: boolean };
  username: Field;
  password: Field;
  /** The QR code, a square of this width. */
  code: Place;
  instruction: Place & { size: number; isCentred: boolean };
  /** Where a hole is punched, or the peg goes through. */
  hole?: { y: number; radius: number };
}

export const PAGE = { width: 595.28, height: 841.89, side: 28, top: 58, bottom: 26 };
const cardWidth = (columns: number) => (PAGE.width - 2 * PAGE.side) / columns;
const cardHeight = (rows: number) => (PAGE.height - PAGE.top - PAGE.bottom) / rows;

export const sizeOf = ({ columns, rows }: CardLayout) => ({ width: cardWidth(columns), height: cardHeight(rows) });

const PAD = 14;
const CODE = 58;

/** Ten a page, the size of a bank card and a little more. */
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

/** Four a page, to hang on a coat peg. */
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
