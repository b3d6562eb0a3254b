/*
 * Words in the texts of books, and in what the reading app sends. docs/reading-needs.md says how they are counted.
 */

/** Letters with their marks and digits of any script, with apostrophes and hyphens inside. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;

/** The words of a text in order, without punctuation, in their spelling there. */
export const wordsOf = (text: string): string[] => text.normalize('NFC').match(WORD) ?? [];

/** What the forms of one word have in common: `don’t` and `Don't`. */
export const wordKey = (form: string): string => form.normalize('NFC').toLowerCase().replaceAll('’', "'");

/** A share of fewer meetings says little: a class's words have at least so many, a pupil's are marked if they have fewer. */
export const MIN_MEETINGS = 8;

/** The most words in the list of a pupil or a class. */
export const MAX_LISTED_WORDS = 60;

/** How words are printed, and how many fit on one sheet of paper. */
export const WORDS_A_SHEET = { sheet: 45, flashcards: 8, tick_list: 21 } as const;
export type WordPrint = keyof typeof WORDS_A_SHEET;
