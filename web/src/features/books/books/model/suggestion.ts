/** Which books are suggested to whom. */
export interface Suggestion {
  pupil: { id: number; name: string };
  classId: number | undefined;
  level: number;
  /** How many books are suggested. */
  count: number;
}
