const MAX_NOTES = 20;

/** What is wrong with single records of a file, for people. A fault quotes no names. */
export class RecordFaults {
  readonly #leftOut: string[] = [];
  readonly #incomplete: string[] = [];

  /** Adds a record that is left out. */
  leaveOut(fault: string, who: 'pupil' | 'person' | 'record'): void {
    this.#leftOut.push(`${fault} The ${who} was left out.`);
  }

  /** Adds a pupil who is read without one of the values. */
  omitValue(fault: string): void {
    this.#incomplete.push(`${fault} The pupil was read without it.`);
  }

  /** The faults in words, with the records that are left out first. */
  toNotes(): string[] {
    const notes = [...this.#leftOut, ...this.#incomplete];
    const more = notes.length - MAX_NOTES;
    return more > 0 ? [...notes.slice(0, MAX_NOTES), `And ${more.toLocaleString('en-GB')} more.`] : notes;
  }
}
