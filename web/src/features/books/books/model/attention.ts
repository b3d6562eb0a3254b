export type Attention = 'none' | 'low' | 'high';

/** How much attention a page got: 0 none; 50 or more, or -1, high; otherwise low. */
export const attentionOf = (value: number): Attention =>
  value === 0 ? 'none' : value === -1 || value >= 50 ? 'high' : 'low';

/** The attention of each page of a book; pages that were not reached got none. */
export const attentionByPage = (heatmap: readonly number[], pages: number): Attention[] =>
  Array.from({ length: Math.max(pages, heatmap.length) }, (_, index) => attentionOf(heatmap[index] ?? 0));

/** Columns of the heatmap: 5 for a book of up to 30 pages, 10 for a longer one. */
export const heatmapColumns = (pages: number): number => (pages <= 30 ? 5 : 10);

/** The number of occurrences of each word, in order of first occurrence. */
export function countWords(words: readonly string[]): { word: string; times: number }[] {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return [...times].map(([word, count]) => ({ word, times: count }));
}
