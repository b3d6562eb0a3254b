/** Most cards that are made while somebody waits. The contract's `CARDS_AT_ONCE`, said again without its schemas; a test holds them together. */
export const CARDS_AT_ONCE = 60;
