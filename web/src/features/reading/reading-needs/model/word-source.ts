/** Whose words are printed. */
export type WordSource =
  | { kind: 'class'; id: number; name: string }
  | { kind: 'pupils'; pupils: readonly { id: number; name: string }[] };
