import { useRef, useState } from 'react';
import type { ColumnRole, ImportPreview } from '#contract/calls/pupil-import.ts';
import { type Reading, usePreview, type Source } from '../pupil-import.api.ts';
import { applyVerdicts, pupilsOf, rowsOf, type Destination, type DraftRow } from './draft.ts';

/** What the user chose for the columns with a header. */
export interface ColumnChoice {
  header: string;
  role: ColumnRole;
}

/** A list of pupils that the user checks before importing it. */
export interface Draft {
  source: Source;
  /** The name of the list, such as a file name. */
  title: string;
  /** How the list was read. */
  understood: ImportPreview['understood'];
  /** What the user has chosen about it. */
  reading: Reading;
  rows: readonly DraftRow[];
  destination: Destination;
  capacity: ImportPreview['capacity'];
  newClasses: readonly string[];
  /** The user has corrected something, which choosing other columns would undo. */
  isEdited: boolean;
  /** What the user chose for columns, which the import remembers. */
  chosenColumns: readonly ColumnChoice[];
}

export interface ImportDraft {
  draft: Draft | null;
  isChecking: boolean;
  error: unknown;
  /** Reads names and previews their import. `more` are names typed as well. */
  begin: (source: Source, title: string, choice: number | null, more?: readonly string[]) => Promise<void>;
  /** Reads the same source again. `column`: what the user chose for a column with a header, which the import remembers. */
  readAgain: (reading: Reading, column?: ColumnChoice) => Promise<void>;
  /** Changes some rows and previews the import again. */
  change: (changes: (row: DraftRow) => DraftRow, options?: { destination?: Destination }) => Promise<void>;
  /** Previews again after a failure. */
  recheck: () => Promise<void>;
  discard: () => void;
}

const namesOf = (rows: readonly string[], firstKey: number): DraftRow[] =>
  rows.map((name, index) => ({
    key: firstKey + index,
    location: 'Typed',
    name,
    class: null,
    namesake: false,
    shouldMove: false,
    lacksForename: false,
    match: null,
    yearGroup: null,
    tagIds: [],
    isLeftOut: false,
    wasWrong: false,
    status: 'new',
    reason: null,
    content: null,
    suggestedName: null,
    existing: null,
  }));

/** Holds the list between reading and importing it. Nothing is saved here. */
export function useImportDraft(schoolId: number, classId: number | undefined): ImportDraft {
  const { mutateAsync: ask } = usePreview(schoolId);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [pending, setPending] = useState(0);
  const [error, setError] = useState<unknown>(null);
  // Only the reply to the latest request counts.
  const latest = useRef(0);

  const run = async (work: (isLatest: () => boolean) => Promise<void>) => {
    const turn = ++latest.current;
    setPending((before) => before + 1);
    setError(null);
    try {
      await work(() => latest.current === turn);
    } catch (failure) {
      if (latest.current === turn) setError(failure);
    } finally {
      setPending((before) => before - 1);
    }
  };

  const fetchVerdicts = async (next: Draft, isLatest: () => boolean) => {
    setDraft(next);
    const answer = await ask({ source: { kind: 'rows', pupils: pupilsOf(next.rows, next.destination) } });
    if (isLatest())
      setDraft({
        ...next,
        rows: applyVerdicts(next.rows, answer),
        capacity: answer.capacity,
        newClasses: answer.new_classes,
      });
  };

  const read = (
    source: Source,
    title: string,
    choice: number | null,
    more: readonly string[],
    reading: Reading = {},
    chosenColumns: readonly ColumnChoice[] = [],
  ) =>
    run(async (isLatest) => {
      const answer = await ask({ source, reading, classId });
      if (!isLatest()) return;
      const rows = rowsOf(answer.rows);
      const hasClasses = rows.some((row) => row.class) && answer.understood.format !== 'rows';
      const next: Draft = {
        source,
        title,
        rows: [...rows, ...namesOf(more, rows.length)],
        understood: answer.understood,
        reading,
        capacity: answer.capacity,
        newClasses: answer.new_classes,
        destination: classId ?? choice ?? (hasClasses ? 'input' : 'none'),
        isEdited: false,
        chosenColumns,
      };
      // The first preview does not include the typed names and the class chosen before.
      if (more.length > 0 || (next.destination !== 'input' && classId === undefined && (choice !== null || hasClasses)))
        await fetchVerdicts(next, isLatest);
      else setDraft(next);
    });

  return {
    draft,
    isChecking: pending > 0,
    error,
    begin: (source, title, choice, more = []) => read(source, title, choice, more),
    readAgain: async (reading, chosen) => {
      if (draft)
        await read(
          draft.source,
          draft.title,
          typeof draft.destination === 'number' ? draft.destination : null,
          draft.rows.flatMap(({ location, name }) => (location === 'Typed' ? [name] : [])),
          { ...draft.reading, ...reading },
          chosen
            ? [...draft.chosenColumns.filter(({ header }) => header !== chosen.header), chosen]
            : draft.chosenColumns,
        );
    },
    change: async (changes, { destination } = {}) => {
      if (!draft) return;
      const rows = draft.rows.map(changes);
      const isEdited = draft.isEdited || rows.some((row, index) => row !== draft.rows[index]);
      await run((isLatest) =>
        fetchVerdicts({ ...draft, rows, isEdited, destination: destination ?? draft.destination }, isLatest),
      );
    },
    recheck: async () => {
      if (draft) await run((isLatest) => fetchVerdicts(draft, isLatest));
    },
    discard: () => {
      latest.current += 1;
      setDraft(null);
      setError(null);
    },
  };
}
